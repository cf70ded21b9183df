package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;
import stowage.internal.StowageH;

/**
 * Everything known before planning, checked and immutable. Any number of threads may use it at once. Close never waits: calls under
 * way go on, and the last one frees it. Without close, it is freed after it has become unreachable. A call that begins after close
 * throws {@link IllegalStateException}.
 *
 * <p>An interrupt of the thread ends its call within about 50 ms: it throws {@link StowageException} with {@link
 * Status#CANCELLED}, and the thread stays interrupted. Each method that may take long also takes a {@link Control}, through which
 * other threads cancel it. It then throws {@link IllegalStateException} where another call uses the control or it is closed.
 *
 * {@snippet :
 * InstanceBuilder builder = new InstanceBuilder("small");
 * builder.resource("cpu", "cores");
 * builder.nodeClass(NodeClass.of("standard", 8));
 * builder.app(App.of("web", 10, 2));
 * try (Instance instance = builder.build()) {
 *   Plan plan = instance.plan(Request.of("auto"));
 * }
 * }
 */
public final class Instance implements AutoCloseable {
  final Handle handle;

  /** @param bytes about what the library allocated for it */
  Instance(MemorySegment raw, long bytes) {
    handle = new Handle(this, "instance", raw, bytes, StowageH::stowage_instance_free);
  }

  /**
   * Reads and checks an instance ({@code instance.fbs}, {@code .stow}).
   *
   * @throws StowageException malformed, invalid, larger than the default limits, out of memory, cancelled
   */
  public static Instance load(byte[] bytes) {
    return load(ByteBuffer.wrap(bytes), Limits.DEFAULTS);
  }

  /**
   * Reads and checks an instance from the buffer's position up to its limit, neither of which changes. The bytes of a direct
   * buffer, such as a mapped file, are read where they are; those of any other are copied once.
   *
   * @throws StowageException malformed, invalid, larger than the limits, out of memory, cancelled
   * @throws IllegalStateException the arena of the buffer is closed
   * @throws WrongThreadException the arena of the buffer is that of another thread
   */
  public static Instance load(ByteBuffer bytes, Limits limits) {
    return load(bytes, limits, null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #load(ByteBuffer, Limits)}
   */
  public static Instance load(ByteBuffer bytes, Limits limits, Control control) {
    return Calls.made(bytes, limits, control, StowageH::stowage_instance_load_watched,
        (made, size) -> new Instance(made, NativeMemory.ofBytes(size)));
  }

  /**
   * Another instance, which differs from this one as the derivation says, without reading bytes again. It has the limits of this
   * one and is independent of it.
   *
   * @throws StowageException invalid, not found, a limit exceeded, out of memory, cancelled
   */
  public Instance derive(Derivation derivation) {
    return derive(derivation, (Limits) null, null);
  }

  /**
   * The same with the caller's limits instead of those of this instance.
   *
   * @throws StowageException as {@link #derive(Derivation)}
   */
  public Instance derive(Derivation derivation, Limits limits) {
    return derive(derivation, limits, null);
  }

  /**
   * The same with a control.
   *
   * @param limits null = those of this instance
   * @param control null = none
   * @throws StowageException as {@link #derive(Derivation)}
   */
  public Instance derive(Derivation derivation, Limits limits, Control control) {
    ByteBuffer encoded = derivation.encode();
    return Watched.whole(control, raw -> handle.use(instance -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = Calls.readable(arena, encoded);
        MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
        MemorySegment accepted = limits == null ? MemorySegment.NULL : limits.encode(arena);
        Calls.check(arena, error ->
            StowageH.stowage_instance_derive_watched(instance, bytes, bytes.byteSize(), accepted, raw, out, error));
        return new Instance(out.get(ValueLayout.ADDRESS, 0), handle.bytes());
      }
    }));
  }

  /**
   * The bytes of an instance that was derived or that a session returned ({@code instance.fbs}, {@code .stow}): they load as an
   * instance with the same fingerprint. Of an instance whose affinity limits were loaded in another order than ascending, the
   * bytes that were loaded are the only ones: it is refused.
   *
   * @throws StowageException invalid, a limit exceeded, out of memory, cancelled
   */
  public ByteBuffer save() {
    return save(null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #save()}
   */
  public ByteBuffer save(Control control) {
    return Watched.whole(control, raw -> bytes((arena, instance) -> (saved, error) ->
        StowageH.stowage_instance_save_watched(instance, raw, saved, error)));
  }

  /** Fingerprint of the content, the same on every platform. A plan carries the fingerprint of the instance it was made for. */
  public long fingerprint() {
    return handle.use(StowageH::stowage_instance_fingerprint);
  }

  /**
   * Runs a planner. The plan's status states how good it is: a plan that is partial or that a deadline cut short is no failure.
   *
   * @throws StowageException unsupported, not found, invalid, a limit exceeded, out of memory, cancelled (by an interrupt)
   */
  public Plan plan(Request request) {
    return plan(request, null);
  }

  /**
   * Runs a planner with a control, through which other threads watch and cancel the run. A cancelled run ends within about 50
   * ms with its best plan, of status {@link PlanStatus#CANCELLED}.
   *
   * @param control null = none
   * @throws StowageException as {@link #plan(Request)}
   * @throws IllegalStateException another call uses the control, or it is closed
   */
  public Plan plan(Request request, Control control) {
    ByteBuffer encoded = request.encode();
    return Plan.decode(Watched.partly(control, raw -> handle.use(instance -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = Calls.readable(arena, encoded);
        return Calls.keptBytes(arena, (plan, error) ->
            StowageH.stowage_plan(instance, bytes, bytes.byteSize(), raw, plan, error));
      }
    })));
  }

  /**
   * Checks a plan on the original numbers, independently of the planners. The bytes, from the buffer's position up to its
   * limit, need not be trusted. A plan that breaks constraints is no failure: the verification reports it.
   *
   * @throws StowageException malformed, out of memory, cancelled
   * @throws IllegalStateException the arena of the buffer is closed
   * @throws WrongThreadException the arena of the buffer is that of another thread
   */
  public Verification verify(ByteBuffer plan) {
    return verify(plan, null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #verify(ByteBuffer)}
   */
  public Verification verify(ByteBuffer plan, Control control) {
    return Reports.verification(Watched.whole(control, raw -> bytes((arena, instance) -> {
      MemorySegment bytes = Calls.readable(arena, plan);
      return (report, error) ->
          StowageH.stowage_verify_watched(instance, bytes, bytes.byteSize(), raw, report, error);
    })));
  }

  /**
   * Explains what determines the plan's number of nodes, and why replicas are unplaced.
   *
   * @throws StowageException not a plan of this instance, out of memory, cancelled (by an interrupt)
   */
  public Explanation explain(Plan plan) {
    return explain(plan, null);
  }

  /**
   * Explains one app, whether or not it is fully placed.
   *
   * @throws StowageException as {@link #explain(Plan)}; there is no such app
   */
  public Explanation explain(Plan plan, int app) {
    return explain(plan, app, null);
  }

  /**
   * {@link #explain(Plan)} with a control; a cancelled call returns what was found so far.
   *
   * @param control null = none
   * @throws StowageException as {@link #explain(Plan)}
   * @throws IllegalStateException another call uses the control, or it is closed
   */
  public Explanation explain(Plan plan, Control control) {
    return explain(plan, StowageH.STOWAGE_ALL_UNPLACED, control);
  }

  /**
   * {@link #explain(Plan, int)} with a control; a cancelled call returns what was found so far.
   *
   * @param control null = none
   * @throws StowageException as {@link #explain(Plan, int)}
   * @throws IllegalStateException another call uses the control, or it is closed
   */
  public Explanation explain(Plan plan, int app, Control control) {
    return Reports.explanation(explanation(plan, app, control));
  }

  /** The report of an explanation as bytes. */
  ByteBuffer explanation(Plan plan, int app, Control control) {
    return Watched.partly(control, raw -> bytes((arena, instance) -> {
      MemorySegment bytes = Calls.readable(arena, plan.bytes());
      return (report, error) -> StowageH.stowage_explain(instance, bytes, bytes.byteSize(), app, raw, report, error);
    }));
  }

  /**
   * How many more replicas of an app each node of a plan takes, the plan being otherwise as it is.
   *
   * @throws StowageException as {@link #explain(Plan)}; there is no such app
   */
  public Headroom headroom(Plan plan, int app) {
    return headroom(plan, app, StowageH.STOWAGE_NO_NODE);
  }

  /**
   * {@link #headroom(Plan, int)} with the obstacles on one node of the plan.
   *
   * @throws StowageException as {@link #explain(Plan)}; there is no such app or node
   */
  public Headroom headroom(Plan plan, int app, int node) {
    return headroom(plan, app, node, null);
  }

  /**
   * The same with a control.
   *
   * @param node -1 = no node's obstacles
   * @param control null = none
   * @throws StowageException as {@link #headroom(Plan, int, int)}
   */
  public Headroom headroom(Plan plan, int app, int node, Control control) {
    return Reports.headroom(Watched.whole(control, raw -> bytes((arena, instance) -> {
      MemorySegment bytes = Calls.readable(arena, plan.bytes());
      return (report, error) ->
          StowageH.stowage_headroom_watched(instance, bytes, bytes.byteSize(), app, node, raw, report, error);
    })));
  }

  /**
   * How many more replicas of each app a cluster takes, one app growing at a time.
   *
   * @param plan null: what runs or is pinned
   * @param most counts on each node end there; 0: at the number of replicas that the app wants
   * @throws StowageException as {@link #explain(Plan)}; most is above 1e9
   */
  public HeadroomOfApps headroomOfApps(Plan plan, int most) {
    return headroomOfApps(plan, most, null);
  }

  /**
   * The same with a control.
   *
   * @param plan null: what runs or is pinned
   * @param control null = none
   * @throws StowageException as {@link #headroomOfApps(Plan, int)}
   */
  public HeadroomOfApps headroomOfApps(Plan plan, int most, Control control) {
    return Reports.headroomOfApps(Watched.whole(control, raw -> bytes((arena, instance) -> {
      MemorySegment bytes = plan == null ? MemorySegment.NULL : Calls.readable(arena, plan.bytes());
      return (report, error) ->
          StowageH.stowage_headroom_of_apps_watched(instance, bytes, bytes.byteSize(), most, raw, report, error);
    })));
  }

  /**
   * Which replicas find a place on what remains if nodes are lost together, while all others stay.
   *
   * @param plan null: what runs or is pinned
   * @param nodes the instance's listed nodes by their index, then the plan's anonymous nodes in its order, each copy by itself
   * @throws StowageException as {@link #orderMoves(Plan, int, double)}; there is no such node
   */
  public Loss loss(Plan plan, List<Integer> nodes) {
    return loss(plan, nodes, null);
  }

  /**
   * The same with a control.
   *
   * @param plan null: what runs or is pinned
   * @param control null = none
   * @throws StowageException as {@link #loss(Plan, List)}; cancelled: it has no answer in part
   */
  public Loss loss(Plan plan, List<Integer> nodes, Control control) {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("no nodes");
    }
    List<Loss> one = losses(plan, nodes, "", control);
    if (one.isEmpty()) {
      throw new StowageException(Status.CANCELLED, "the loss was not looked at", "");
    }
    return one.getFirst();
  }

  /**
   * The same for each value of a label: all nodes with this value are lost; worst first.
   *
   * @param plan null: what runs or is pinned
   * @param label the key; empty: each node by itself
   * @throws StowageException as {@link #orderMoves(Plan, int, double)}; no node has such a label
   */
  public List<Loss> losses(Plan plan, String label) {
    return losses(plan, label, null);
  }

  /**
   * The same with a control; a cancelled call leaves out what it did not look at.
   *
   * @param plan null: what runs or is pinned
   * @param label the key; empty: each node by itself
   * @param control null = none
   * @throws StowageException as {@link #losses(Plan, String)}
   */
  public List<Loss> losses(Plan plan, String label, Control control) {
    return losses(plan, List.of(), label, control);
  }

  private List<Loss> losses(Plan plan, List<Integer> nodes, String label, Control control) {
    int[] lost = nodes.stream().mapToInt(Integer::intValue).toArray();
    return Reports.losses(Watched.partly(control, raw -> bytes((arena, instance) -> {
      MemorySegment bytes = plan == null ? MemorySegment.NULL : Calls.readable(arena, plan.bytes());
      MemorySegment indices = arena.allocateFrom(ValueLayout.JAVA_INT, lost);
      MemorySegment key = arena.allocateFrom(ValueLayout.JAVA_BYTE, Text.utf8(label));
      return (report, error) -> StowageH.stowage_losses(
          instance, bytes, bytes.byteSize(), indices, lost.length, key, key.byteSize(), raw, report, error);
    })));
  }

  /**
   * Puts the moves of a valid plan in waves that keep every hard constraint at every step.
   *
   * @param perNode at most so many moves of one wave from or to the same node; 0 = any number
   * @param appShare at most this share of an app's replicas in one wave, but at least one replica
   * @throws StowageException as {@link #explain(Plan)}; the plan breaks constraints, the share is none
   */
  public MoveOrder orderMoves(Plan plan, int perNode, double appShare) {
    return orderMoves(plan, perNode, appShare, null);
  }

  /**
   * {@link #orderMoves(Plan, int, double)} with a control; after cancelling, what is not ordered yet is stuck.
   *
   * @param control null = none
   * @throws StowageException as {@link #orderMoves(Plan, int, double)}
   * @throws IllegalStateException another call uses the control, or it is closed
   */
  public MoveOrder orderMoves(Plan plan, int perNode, double appShare, Control control) {
    return Reports.moveOrder(Watched.partly(control, raw -> bytes((arena, instance) -> {
      MemorySegment bytes = Calls.readable(arena, plan.bytes());
      return (report, error) ->
          StowageH.stowage_order_moves(instance, bytes, bytes.byteSize(), perNode, appShare, raw, report, error);
    })));
  }

  /**
   * Lower bounds on the nodes, and on the cost where prices are given, of any complete plan; best first.
   *
   * @throws StowageException out of memory, cancelled (by an interrupt)
   */
  public List<BoundEntry> bounds() {
    return bounds(null);
  }

  /**
   * The same with a control; a cancelled call returns the bounds found so far.
   *
   * @param control null = none
   * @throws StowageException as {@link #bounds()}
   */
  public List<BoundEntry> bounds(Control control) {
    return Reports.bounds(Watched.partly(control, raw -> bytes((arena, instance) -> (report, error) ->
        StowageH.stowage_bound_watched(instance, raw, report, error))));
  }

  private interface Preparation {
    Calls.Filling prepare(Arena arena, MemorySegment instance);
  }

  private ByteBuffer bytes(Preparation preparation) {
    Function<MemorySegment, ByteBuffer> call = instance -> {
      try (Arena arena = Arena.ofConfined()) {
        return Calls.bytes(arena, preparation.prepare(arena, instance));
      }
    };
    return handle.use(call);
  }

  /** Frees the instance once no call uses it any more; nobody waits for that. Closing again does nothing. */
  @Override
  public void close() {
    handle.close();
  }
}
