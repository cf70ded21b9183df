package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.function.Function;
import stowage.internal.StowageH;

/**
 * A cluster over time. Operations change it, pending replicas are planned interval by interval, and run once their plan is
 * committed. {@code docs/sessions.md} states the rules. A call that fails leaves the session unchanged. Calls from several
 * threads take turns. Close frees it; without close, it is freed after it has become unreachable. After close, every call
 * throws {@link IllegalStateException}.
 */
public final class Session implements AutoCloseable {
  private final Handle handle;
  private final Object turn = new Object();

  private Session(MemorySegment raw) {
    handle = new Handle(this, "session", raw, StowageH::stowage_session_free);
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
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment readable = Calls.readable(arena, bytes);
      MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment accepted = limits.encode(arena);
      Calls.check(arena, error -> StowageH.stowage_session_open(readable, readable.byteSize(), accepted, out, error));
      return new Session(out.get(ValueLayout.ADDRESS, 0));
    }
  }

  /** Number of operations and commits so far. */
  public long version() {
    return use(StowageH::stowage_session_version);
  }

  /**
   * Applies operations: all of them, or none if one is refused.
   *
   * @throws StowageException invalid, not found, a limit exceeded, out of memory
   */
  public void apply(Operation... operations) {
    applyBytes(Operations.encode(operations));
  }

  /**
   * Applies operations that are encoded already ({@code session.fbs}).
   *
   * @throws StowageException malformed, and as {@link #apply}
   */
  public void applyBytes(ByteBuffer operations) {
    use(session -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = Calls.readable(arena, operations);
        Calls.check(arena, error -> StowageH.stowage_session_apply(session, bytes, bytes.byteSize(), error));
        return null;
      }
    });
  }

  /**
   * The cluster as it is now, with all pending replicas. Other threads may plan it while the session goes on; it also serves to
   * verify and explain those plans. It outlives the session.
   *
   * @throws StowageException a limit exceeded, out of memory
   */
  public Instance instance() {
    return use(session -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
        Calls.check(arena, error -> StowageH.stowage_session_instance(session, out, error));
        return new Instance(out.get(ValueLayout.ADDRESS, 0));
      }
    });
  }

  /**
   * Runs a planner on the cluster as it is now.
   *
   * @throws StowageException as {@link Instance#plan(Request)}
   */
  public Plan plan(Request request) {
    return plan(request, MemorySegment.NULL);
  }

  /**
   * Runs a planner with a control, as {@link Instance#plan(Request, Control)}.
   *
   * @throws StowageException as {@link Instance#plan(Request)}
   * @throws IllegalStateException another run uses the control, or it is closed
   */
  public Plan plan(Request request, Control control) {
    return control.accompany(raw -> plan(request, raw));
  }

  private Plan plan(Request request, MemorySegment control) {
    return Plan.decode(use(session -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = Calls.readable(arena, request.encode());
        return Calls.keptBytes(arena, (plan, error) ->
            StowageH.stowage_session_plan(session, bytes, bytes.byteSize(), control, plan, error));
      }
    }));
  }

  /**
   * Commits a plan: its replicas run from now on. A conflict is no failure; the result lists conflicts.
   *
   * @throws StowageException malformed, invalid (the plan breaks constraints, or the session does not remember its state), a
   *     limit exceeded, out of memory
   */
  public Commit commit(ByteBuffer plan, CommitMode mode) {
    return Reports.commit(use(session -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = Calls.readable(arena, plan);
        return Calls.bytes(arena, (report, error) ->
            StowageH.stowage_session_commit(session, bytes, bytes.byteSize(), mode.number, report, error));
      }
    }));
  }

  /**
   * Drops a plan; its replicas stay pending.
   *
   * @throws StowageException malformed, invalid (the session does not remember the plan's state of the cluster), out of memory
   */
  public void reject(ByteBuffer plan) {
    use(session -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = Calls.readable(arena, plan);
        Calls.check(arena, error -> StowageH.stowage_session_reject(session, bytes, bytes.byteSize(), error));
        return null;
      }
    });
  }

  /**
   * The complete state of the session as the bytes of an instance, from which {@link #open(ByteBuffer)} continues.
   *
   * @throws StowageException a limit exceeded, out of memory
   */
  public ByteBuffer snapshot() {
    return use(session -> {
      try (Arena arena = Arena.ofConfined()) {
        return Calls.bytes(arena, (snapshot, error) -> StowageH.stowage_session_snapshot(session, snapshot, error));
      }
    });
  }

  /**
   * What the session holds now, by name. A plan of the session fits to the cluster of the same version.
   *
   * @throws StowageException a limit exceeded, out of memory
   */
  public Cluster cluster() {
    return Cluster.read(snapshot());
  }

  private <T> T use(Function<MemorySegment, T> call) {
    synchronized (turn) {
      return handle.use(call);
    }
  }

  /** Waits for the call that uses the session and frees it. Closing again does nothing. */
  @Override
  public void close() {
    handle.close();
  }
}
