package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
import stowage.internal.StowageH;

/**
 * A cluster over time. Operations change it, pending replicas are planned interval by interval, and run once their plan is
 * committed. {@code docs/understand/sessions.md} states the rules. A call that fails leaves the session unchanged. Calls from several
 * threads take turns; a listener of {@link Control#onProgress} that is told of a call of the session is refused with {@link
 * Status#BUSY}. Close never waits: the call under way goes on, and frees the session at its end. Without close, it is freed after
 * it has become unreachable. A call that begins after close, or whose turn comes after it, throws {@link IllegalStateException}.
 *
 * <p>An interrupt of the thread ends its call, or its wait for a turn, within about 50 ms: it throws {@link StowageException} with
 * {@link Status#CANCELLED}, and the thread stays interrupted. A {@link Control} does the same; it throws {@link
 * IllegalStateException} where another call uses the control or it is closed.
 */
public final class Session implements AutoCloseable {
  private final Handle handle;
  private final ReentrantLock turn = new ReentrantLock();
  private volatile long version;

  /** @param bytes about what the library allocated for it */
  private Session(MemorySegment raw, long bytes) {
    handle = new Handle(this, "session", raw, bytes, StowageH::stowage_session_free);
    version = StowageH.stowage_session_version(raw);
  }

  /**
   * Opens a session on a cluster ({@code instance.fbs}, {@code .stow}) or on a snapshot of one.
   *
   * @throws StowageException as {@link Instance#load(ByteBuffer, Limits)}
   */
  public static Session open(ByteBuffer bytes) {
    return open(bytes, Limits.DEFAULTS);
  }

  /**
   * The same with limits; the session refuses what exceeds them, now or later.
   *
   * @throws StowageException as {@link Instance#load(ByteBuffer, Limits)}
   */
  public static Session open(ByteBuffer bytes, Limits limits) {
    return open(bytes, limits, null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link Instance#load(ByteBuffer, Limits)}
   */
  public static Session open(ByteBuffer bytes, Limits limits, Control control) {
    return Calls.made(bytes, limits, control, StowageH::stowage_session_open_watched,
        (made, size) -> new Session(made, NativeMemory.ofSession(size)));
  }

  /** Number of operations and commits so far, as of the last call that has ended. Never waits. */
  public long version() {
    return handle.use(session -> version);
  }

  /**
   * Applies operations: all of them, or none if one is refused.
   *
   * @throws StowageException invalid, not found, a limit exceeded, out of memory, cancelled, busy
   */
  public void apply(Operation... operations) {
    applyBytes(encoded(operations));
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #apply(Operation...)}
   */
  public void apply(Control control, Operation... operations) {
    applyBytes(encoded(operations), control);
  }

  static ByteBuffer encoded(Operation... operations) {
    FlatBufferBuilder fbb = new FlatBufferBuilder(1024);
    int[] all = Stream.of(operations).mapToInt(one -> Writers.operation(fbb, one)).toArray();
    int list = stowage.wire.Operations.createOperationsVector(fbb, all);
    stowage.wire.Operations.finishOperationsBuffer(fbb, stowage.wire.Operations.createOperations(fbb, 1, list));
    return fbb.dataBuffer();
  }

  /**
   * Applies operations that are encoded already ({@code session.fbs}).
   *
   * @throws StowageException malformed, and as {@link #apply(Operation...)}
   * @throws IllegalStateException the arena of the buffer is closed
   * @throws WrongThreadException the arena of the buffer is that of another thread
   */
  public void applyBytes(ByteBuffer operations) {
    applyBytes(operations, null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #applyBytes(ByteBuffer)}
   */
  public void applyBytes(ByteBuffer operations, Control control) {
    use(control, false, (session, raw, arena) -> {
      MemorySegment bytes = Calls.readable(arena, operations);
      Calls.check(
          arena, error -> StowageH.stowage_session_apply_watched(session, bytes, bytes.byteSize(), raw, error));
      handle.holds(handle.bytes() + NativeMemory.ofSession(bytes.byteSize()));
      return null;
    });
  }

  /**
   * The cluster as it is now, with all pending replicas. Other threads may plan it while the session goes on; it also serves to
   * verify and explain those plans. It outlives the session.
   *
   * @throws StowageException a limit exceeded, out of memory, cancelled, busy
   */
  public Instance instance() {
    return instance(null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #instance()}
   */
  public Instance instance(Control control) {
    return use(control, false, (session, raw, arena) -> {
      MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
      Calls.check(arena, error -> StowageH.stowage_session_instance_watched(session, raw, out, error));
      // An instance has no index of names.
      return new Instance(out.get(ValueLayout.ADDRESS, 0), handle.bytes() / 4);
    });
  }

  /**
   * Runs a planner on the cluster as it is now.
   *
   * @throws StowageException as {@link Instance#plan(Request)}; busy
   */
  public Plan plan(Request request) {
    return plan(request, null);
  }

  /**
   * Runs a planner with a control, as {@link Instance#plan(Request, Control)}. A call that is cancelled before its turn has no plan.
   *
   * @param control null = none
   * @throws StowageException as {@link #plan(Request)}; cancelled
   * @throws IllegalStateException another call uses the control, or it is closed
   */
  public Plan plan(Request request, Control control) {
    ByteBuffer encoded = request.encode();
    return Plan.decode(use(control, true, (session, raw, arena) -> {
      MemorySegment bytes = Calls.readable(arena, encoded);
      return Calls.keptBytes(
          arena, (plan, error) -> StowageH.stowage_session_plan(session, bytes, bytes.byteSize(), raw, plan, error));
    }));
  }

  /**
   * Commits a plan: its replicas run from now on. A conflict is no failure; the result lists conflicts.
   *
   * @throws StowageException malformed, invalid (the plan breaks constraints, or the session does not remember its state), a
   *     limit exceeded, out of memory, cancelled, busy
   * @throws IllegalStateException the arena of the buffer is closed
   * @throws WrongThreadException the arena of the buffer is that of another thread
   */
  public Commit commit(ByteBuffer plan, CommitMode mode) {
    return commit(plan, mode, null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #commit(ByteBuffer, CommitMode)}
   */
  public Commit commit(ByteBuffer plan, CommitMode mode, Control control) {
    return Reports.commit(use(control, false, (session, raw, arena) -> {
      MemorySegment bytes = Calls.readable(arena, plan);
      return Calls.bytes(arena, (report, error) ->
          StowageH.stowage_session_commit_watched(session, bytes, bytes.byteSize(), mode.number, raw, report, error));
    }));
  }

  /**
   * Drops a plan; its replicas stay pending.
   *
   * @throws StowageException malformed, invalid (the session does not remember the plan's state of the cluster), out of memory,
   *     cancelled, busy
   * @throws IllegalStateException the arena of the buffer is closed
   * @throws WrongThreadException the arena of the buffer is that of another thread
   */
  public void reject(ByteBuffer plan) {
    reject(plan, null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #reject(ByteBuffer)}
   */
  public void reject(ByteBuffer plan, Control control) {
    use(control, false, (session, raw, arena) -> {
      MemorySegment bytes = Calls.readable(arena, plan);
      Calls.check(
          arena, error -> StowageH.stowage_session_reject_watched(session, bytes, bytes.byteSize(), raw, error));
      return null;
    });
  }

  /**
   * The complete state of the session as the bytes of an instance, from which {@link #open(ByteBuffer)} continues.
   *
   * @throws StowageException a limit exceeded, out of memory, cancelled, busy
   */
  public ByteBuffer snapshot() {
    return snapshot(null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #snapshot()}
   */
  public ByteBuffer snapshot(Control control) {
    return use(control, false, (session, raw, arena) -> {
      ByteBuffer bytes = Calls.bytes(
          arena, (snapshot, error) -> StowageH.stowage_session_snapshot_watched(session, raw, snapshot, error));
      handle.holds(NativeMemory.ofSession(bytes.remaining()));
      return bytes;
    });
  }

  /**
   * What the session holds now, by name. A plan of the session fits to the cluster of the same version.
   *
   * @throws StowageException a limit exceeded, out of memory, cancelled, busy
   */
  public Cluster cluster() {
    return cluster(null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #cluster()}
   */
  public Cluster cluster(Control control) {
    return Cluster.read(snapshot(control), Limits.DEFAULTS, control);
  }

  private interface Call<T> {
    T with(MemorySegment session, MemorySegment control, Arena arena);
  }

  private <T> T use(Control control, boolean partly, Call<T> call) {
    if (Listening.serves(this)) {
      throw new StowageException(Status.BUSY, "the session is used by the call whose progress this thread tells", "");
    }
    return Watched.make(control, this, partly, raw -> {
      take(control, raw);
      try {
        Function<MemorySegment, T> made = session -> {
          try (Arena arena = Arena.ofConfined()) {
            return call.with(session, raw, arena);
          } finally {
            version = StowageH.stowage_session_version(session);
          }
        };
        return handle.use(made);
      } finally {
        turn.unlock();
      }
    });
  }

  /** Waits for the turn of a call under this control. */
  private void take(Control control, MemorySegment raw) {
    long begin = System.nanoTime();
    try {
      while (!turn.tryLock(5, TimeUnit.MILLISECONDS)) {
        if (control != null && (control.late(begin) || Control.read(raw).cancelled())) {
          throw new StowageException(Status.CANCELLED, "the call was cancelled before its turn came", "");
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw Watched.interrupted();
    }
  }

  /** Frees the session once no call uses it any more; nobody waits for that. Closing again does nothing. */
  @Override
  public void close() {
    handle.close();
  }
}
