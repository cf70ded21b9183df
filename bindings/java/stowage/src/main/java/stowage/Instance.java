package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import stowage.internal.StowageH;

/**
 * Everything known before planning, checked and immutable. Any number of threads may use it at once. Close frees it after the
 * calls that use it; without close, it is freed after it has become unreachable. After close, every call throws {@link
 * IllegalStateException}.
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

  Instance(MemorySegment raw) {
    handle = new Handle(this, "instance", raw, StowageH::stowage_instance_free);
  }

  /**
   * Reads and checks an instance ({@code instance.fbs}, {@code .stow}).
   *
   * @throws StowageException malformed, invalid, larger than the default limits, out of memory
   */
  public static Instance load(byte[] bytes) {
    return load(ByteBuffer.wrap(bytes), Limits.DEFAULTS);
  }

  /**
   * Reads and checks an instance from the buffer's position up to its limit, neither of which changes. The bytes of a direct
   * buffer, such as a mapped file, are read where they are; those of any other are copied once.
   *
   * @throws StowageException malformed, invalid, larger than the limits, out of memory
   */
  public static Instance load(ByteBuffer bytes, Limits limits) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment readable = Calls.readable(arena, bytes);
      MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment accepted = limits.encode(arena);
      Calls.check(arena, error -> StowageH.stowage_instance_load(readable, readable.byteSize(), accepted, out, error));
      return new Instance(out.get(ValueLayout.ADDRESS, 0));
    }
  }

  /**
   * Another instance, which differs from this one as the derivation says, without reading bytes again. It has the limits of this
   * one and is independent of it.
   *
   * @throws StowageException invalid, not found, a limit exceeded, out of memory
   */
  public Instance derive(Derivation derivation) {
    return derive(derivation, arena -> MemorySegment.NULL);
  }

  /**
   * The same with the caller's limits instead of those of this instance.
   *
   * @throws StowageException as {@link #derive(Derivation)}
   */
  public Instance derive(Derivation derivation, Limits limits) {
    return derive(derivation, limits::encode);
  }

  private Instance derive(Derivation derivation, Function<Arena, MemorySegment> limits) {
    return handle.use(instance -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = Calls.readable(arena, derivation.encode());
        MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
        MemorySegment accepted = limits.apply(arena);
        Calls.check(
            arena, error -> StowageH.stowage_instance_derive(instance, bytes, bytes.byteSize(), accepted, out, error));
        return new Instance(out.get(ValueLayout.ADDRESS, 0));
      }
    });
  }

  /**
   * The bytes of an instance that was derived or that a session returned ({@code instance.fbs}, {@code .stow}): they load as an
   * instance with the same fingerprint. Of an instance whose affinity limits were loaded in another order than ascending, the
   * bytes that were loaded are the only ones: it is refused.
   *
   * @throws StowageException invalid, a limit exceeded, out of memory
   */
  public ByteBuffer save() {
    return bytes((arena, instance) -> (saved, error) -> StowageH.stowage_instance_save(instance, saved, error));
  }

  /** Fingerprint of the content, the same on every platform. A plan carries the fingerprint of the instance it was made for. */
  public long fingerprint() {
    return handle.use(StowageH::stowage_instance_fingerprint);
  }

  /**
   * Runs a planner. The plan's status states how good it is: a plan that is partial or that a deadline cut short is no failure.
   *
   * @throws StowageException unsupported, not found, invalid, a limit exceeded, out of memory
   */
  public Plan plan(Request request) {
    return plan(request, MemorySegment.NULL);
  }

  /**
   * Runs a planner with a control, through which other threads watch and cancel the run. A cancelled run ends within about 50
   * ms with its best plan, of status {@link PlanStatus#CANCELLED}.
   *
   * @throws StowageException as {@link #plan(Request)}
   * @throws IllegalStateException another run uses the control, or it is closed
   */
  public Plan plan(Request request, Control control) {
    return control.accompany(raw -> plan(request, raw));
  }

  private Plan plan(Request request, MemorySegment control) {
    return Plan.decode(handle.use(instance -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment bytes = Calls.readable(arena, request.encode());
        return Calls.keptBytes(arena, (plan, error) ->
            StowageH.stowage_plan(instance, bytes, bytes.byteSize(), control, plan, error));
      }
    }));
  }

  /**
   * Checks a plan on the original numbers, independently of the planners. The bytes, from the buffer's position up to its
   * limit, need not be trusted. A plan that breaks constraints is no failure: the verification reports it.
   *
   * @throws StowageException malformed, out of memory
   */
  public Verification verify(ByteBuffer plan) {
    return Reports.verification(bytes((arena, instance) -> {
      MemorySegment bytes = Calls.readable(arena, plan);
      return (report, error) -> StowageH.stowage_verify(instance, bytes, bytes.byteSize(), report, error);
    }));
  }

  /**
   * Explains what determines the plan's number of nodes, and why replicas are unplaced.
   *
   * @throws StowageException not a plan of this instance, out of memory
   */
  public Explanation explain(Plan plan) {
    return explain(plan, StowageH.STOWAGE_ALL_UNPLACED, MemorySegment.NULL);
  }

  /**
   * Explains one app, whether or not it is fully placed.
   *
   * @throws StowageException as {@link #explain(Plan)}; there is no such app
   */
  public Explanation explain(Plan plan, int app) {
    return explain(plan, app, MemorySegment.NULL);
  }

  /**
   * {@link #explain(Plan)} with a control; a cancelled call returns what was found so far.
   *
   * @throws StowageException as {@link #explain(Plan)}
   * @throws IllegalStateException another run uses the control, or it is closed
   */
  public Explanation explain(Plan plan, Control control) {
    return control.accompany(raw -> explain(plan, StowageH.STOWAGE_ALL_UNPLACED, raw));
  }

  private Explanation explain(Plan plan, int app, MemorySegment control) {
    return Reports.explanation(explanation(plan, app, control));
  }

  /** The report of an explanation as bytes. */
  ByteBuffer explanation(Plan plan, int app, MemorySegment control) {
    return bytes((arena, instance) -> {
      MemorySegment bytes = Calls.readable(arena, plan.bytes());
      return (report, error) ->
          StowageH.stowage_explain(instance, bytes, bytes.byteSize(), app, control, report, error);
    });
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
    return Reports.headroom(bytes((arena, instance) -> {
      MemorySegment bytes = Calls.readable(arena, plan.bytes());
      return (report, error) ->
          StowageH.stowage_headroom(instance, bytes, bytes.byteSize(), app, node, report, error);
    }));
  }

  /**
   * How many more replicas of each app a cluster takes, one app growing at a time.
   *
   * @param plan null: what runs or is pinned
   * @param most counts on each node end there; 0: at the number of replicas that the app wants
   * @throws StowageException as {@link #explain(Plan)}; most is above 1e9
   */
  public HeadroomOfApps headroomOfApps(Plan plan, int most) {
    return Reports.headroomOfApps(bytes((arena, instance) -> {
      MemorySegment bytes = plan == null ? MemorySegment.NULL : Calls.readable(arena, plan.bytes());
      return (report, error) ->
          StowageH.stowage_headroom_of_apps(instance, bytes, bytes.byteSize(), most, report, error);
    }));
  }

  /**
   * Which replicas find a place on what remains if nodes are lost together, while all others stay.
   *
   * @param plan null: what runs or is pinned
   * @param nodes the instance's listed nodes by their index, then the plan's anonymous nodes in its order, each copy by itself
   * @throws StowageException as {@link #orderMoves}; there is no such node
   */
  public Loss loss(Plan plan, List<Integer> nodes) {
    if (nodes.isEmpty()) throw new IllegalArgumentException("no nodes");
    return losses(plan, nodes, "").getFirst();
  }

  /**
   * The same for each value of a label: all nodes with this value are lost; worst first.
   *
   * @param plan null: what runs or is pinned
   * @param label the key; empty: each node by itself
   * @throws StowageException as {@link #orderMoves}; no node has such a label
   */
  public List<Loss> losses(Plan plan, String label) {
    return losses(plan, List.of(), label);
  }

  private List<Loss> losses(Plan plan, List<Integer> nodes, String label) {
    return Reports.losses(bytes((arena, instance) -> {
      MemorySegment bytes = plan == null ? MemorySegment.NULL : Calls.readable(arena, plan.bytes());
      MemorySegment lost = arena.allocate(ValueLayout.JAVA_INT, Math.max(1, nodes.size()));
      for (int k = 0; k < nodes.size(); ++k) lost.setAtIndex(ValueLayout.JAVA_INT, k, nodes.get(k));
      byte[] text = label.getBytes(StandardCharsets.UTF_8);
      MemorySegment key = arena.allocate(Math.max(1, text.length));
      MemorySegment.copy(text, 0, key, ValueLayout.JAVA_BYTE, 0, text.length);
      return (report, error) -> StowageH.stowage_losses(
          instance, bytes, bytes.byteSize(), lost, nodes.size(), key, text.length, MemorySegment.NULL, report, error);
    }));
  }

  /**
   * Puts the moves of a valid plan in waves that keep every hard constraint at every step.
   *
   * @param perNode at most so many moves of one wave from or to the same node; 0 = any number
   * @param appShare at most this share of an app's replicas in one wave, but at least one replica
   * @throws StowageException as {@link #explain(Plan)}; the plan breaks constraints, the share is none
   */
  public MoveOrder orderMoves(Plan plan, int perNode, double appShare) {
    return orderMoves(plan, perNode, appShare, MemorySegment.NULL);
  }

  /**
   * {@link #orderMoves(Plan, int, double)} with a control; after cancelling, what is not ordered yet is stuck.
   *
   * @throws StowageException as {@link #orderMoves(Plan, int, double)}
   * @throws IllegalStateException another run uses the control, or it is closed
   */
  public MoveOrder orderMoves(Plan plan, int perNode, double appShare, Control control) {
    return control.accompany(raw -> orderMoves(plan, perNode, appShare, raw));
  }

  private MoveOrder orderMoves(Plan plan, int perNode, double appShare, MemorySegment control) {
    return Reports.moveOrder(bytes((arena, instance) -> {
      MemorySegment bytes = Calls.readable(arena, plan.bytes());
      return (report, error) ->
          StowageH.stowage_order_moves(instance, bytes, bytes.byteSize(), perNode, appShare, control, report, error);
    }));
  }

  /**
   * Lower bounds on the nodes, and on the cost where prices are given, of any complete plan; best first.
   *
   * @throws StowageException out of memory
   */
  public List<BoundEntry> bounds() {
    return Reports.bounds(bytes((arena, instance) -> (report, error) -> StowageH.stowage_bound(instance, report, error)));
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

  /** Waits for the calls that use the instance and frees it. Closing again does nothing. */
  @Override
  public void close() {
    handle.close();
  }
}
