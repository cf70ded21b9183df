package stowage;

import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.RandomAccess;
import java.util.function.IntFunction;
import stowage.internal.StowageH;

/**
 * The plan: which replicas run on which node, how good the plan is, and which replicas are unplaced. Indices are those of the
 * instance. A plan is independent of the instance and needs no closing. The lists are unmodifiable; their entries are read from
 * the bytes on access.
 *
 * @param bytes the bytes of the plan ({@code plan.fbs}), which every part of Stowage reads; read-only
 * @param instance fingerprint of the instance that the plan was made for
 * @param planner name of the planner
 * @param status how good the plan is
 * @param seed of the request
 * @param work work units done; a request with this work limit, and with the option {@code pace} set to this plan's {@code
 *     pace} if that is above 0, repeats the run
 * @param pace total work units for which the search scheduled itself; 0 where it had no schedule
 * @param nodes nodes in use, listed ones first; {@link #nodesInUse} includes their copies
 * @param placements all placed replicas, running ones included, ordered by node and then by app
 * @param unplaced unplaced replicas, ordered by app
 * @param nodeBound lower bound on the nodes of any complete plan
 * @param gap how far the plan is above the bound on what it is judged by, as a share of the bound, where a statement is possible:
 *     cost where there are prices, else nodes, or used capacity where that is the objective; with {@link SoftPolicy#PRICE},
 *     violations are included
 * @param cost sum of the prices of the nodes in use, where there are prices
 * @param costBound lower bound on the cost of any complete plan
 * @param inheritedViolations number of constraints that were broken at the start and that the plan makes no worse
 * @param moves number of running replicas that the plan puts on another node
 * @param ucac used capacity at confidence of the nodes in use (P1, definition 2, Eq. 6), the sum of {@code nodeUcac} over all
 *     copies, in the unit of {@code ucacResource}; empty where no demand is uncertain
 * @param ucacResource the first resource with uncertain demand
 * @param ucacBound lower bound on {@code ucac} of any complete plan
 * @param nodeUcac used capacity at confidence of each node, of a single copy (P1, definition 1, Eq. 2): mean + quantile x
 *     standard deviation of its demand, in the period where this is highest; length: that of {@code nodes}, or 0 where no
 *     demand is uncertain
 * @param maxCost what side effects cost the replica that suffers most (P4, section 2); empty without kinds
 * @param maxCostBound lower bound on {@code maxCost} of any complete plan
 * @param totalCost what side effects cost all replicas together; empty without kinds
 * @param totalCostBound lower bound on {@code totalCost} of any complete plan
 * @param leftOut weight of the applications that lack replicas; empty unless the objective is {@link Objective#ADMITTED}
 * @param leftOutBound lower bound on {@code leftOut} of any plan of the request
 * @param remoteTraffic traffic between replicas that do not share a node; empty without traffic
 * @param remoteTrafficBound lower bound on {@code remoteTraffic} of any plan
 * @param nodeMaxCost cost of the replica that suffers most on each node; length: that of {@code nodes}, or 0 without kinds
 * @param maxCostLimit {@link Request.Builder#maxCost} of the run; 0 = none
 * @param ruleViolations violations of placement rules; empty where the instance has no rules
 * @param objective the objective that the run minimized; {@link PlanStatus#OPTIMAL} and the gap refer to it and to how soft rules
 *     counted
 * @param soft how soft rules counted beside the objective
 * @param softPrice what a unit of violation cost
 * @param fill whether capacity counted, instead of replicas, where not all of them fit
 * @param notes what the reader of the plan should know of the run
 * @param leftOverBound no plan of the request leaves less over than this, highest priority first; the highest priority in which a
 *     plan differs from it decides; empty where everything is placed or nothing is known
 * @param placesMost whether {@code unplaced} is no more than {@code leftOverBound}: it is proven that no plan of the request
 *     leaves less over
 * @param reserved where there is room for the replicas of {@link Request.Builder#keep}, all at once, ordered as {@code placements}
 * @param unreserved the replicas of {@link Request.Builder#keep} without room, ordered by app
 * @param survive {@link Request.Builder#survive} of the run; empty = none
 * @param notSurvived number of replicas that the worst of these losses leaves without a place; 0: the plan survives each of them;
 *     empty: not known, for the run ended before all were looked at
 * @param leaveFree {@link Request.Builder#leaveFree} of the run; empty = none
 * @param domainsInUse number of values of this label that have a node with a replica or with load
 * @param domainBound lower bound on {@code domainsInUse} for any complete plan
 */
public record Plan(
    ByteBuffer bytes,
    long instance,
    String planner,
    PlanStatus status,
    long seed,
    long work,
    long pace,
    List<Node> nodes,
    List<Placement> placements,
    List<Unplaced> unplaced,
    Optional<Bound> nodeBound,
    OptionalDouble gap,
    OptionalDouble cost,
    Optional<Bound> costBound,
    long inheritedViolations,
    long moves,
    OptionalDouble ucac,
    OptionalInt ucacResource,
    Optional<Bound> ucacBound,
    List<Double> nodeUcac,
    OptionalDouble maxCost,
    Optional<Bound> maxCostBound,
    OptionalDouble totalCost,
    Optional<Bound> totalCostBound,
    OptionalDouble leftOut,
    Optional<Bound> leftOutBound,
    OptionalDouble remoteTraffic,
    Optional<Bound> remoteTrafficBound,
    List<Double> nodeMaxCost,
    double maxCostLimit,
    Optional<RuleViolations> ruleViolations,
    Objective objective,
    SoftPolicy soft,
    double softPrice,
    boolean fill,
    List<Note> notes,
    List<LeftOver> leftOverBound,
    boolean placesMost,
    List<Placement> reserved,
    List<Unplaced> unreserved,
    Optional<String> survive,
    OptionalLong notSurvived,
    Optional<String> leaveFree,
    long domainsInUse,
    long domainBound) {

  /**
   * A number of replicas of one priority.
   *
   * @param priority the priority
   * @param replicas number of replicas, at least 1
   */
  public record LeftOver(int priority, long replicas) {}

  /**
   * Something that the reader of a plan should know of its run.
   *
   * @param code what it is about
   * @param text a sentence
   */
  public record Note(NoteCode code, String text) {}

  /**
   * A node in use, or one that is kept without replicas.
   *
   * @param nodeClass its class
   * @param listed its position among the listed nodes; empty for an anonymous node of its class
   * @param copies number of nodes with this content for which it stands: 1 except for anonymous nodes of compact plans
   */
  public record Node(int nodeClass, OptionalInt listed, long copies) {}

  /**
   * {@code replicas} replicas of an app on a node of the plan, and as many on each of the node's copies.
   *
   * @param app position of the app
   * @param node position of the node in {@link Plan#nodes}
   * @param replicas number of replicas
   */
  public record Placement(int app, int node, int replicas) {}

  /**
   * The number of unplaced replicas of an app.
   *
   * @param app position of the app
   * @param replicas number of replicas
   */
  public record Unplaced(int app, int replicas) {}

  /**
   * A lower bound that holds for every complete plan.
   *
   * @param name name of the bound, such as {@code "capacity"}
   * @param value nodes, cost, or used capacity
   * @param resource the resource from which it follows
   * @param period the period from which it follows
   */
  public record Bound(String name, double value, OptionalInt resource, OptionalInt period) {}

  /** An independent view of the plan's bytes, with its own position and limit. */
  @Override
  public ByteBuffer bytes() {
    return bytes.duplicate().order(bytes.order());
  }

  /** Number of nodes in use, copies included. */
  public long nodesInUse() {
    return nodes.stream().mapToLong(Node::copies).sum();
  }

  /**
   * Reads the bytes of a plan from another source. Only {@link Instance#verify(ByteBuffer)} checks whether the plan belongs to the
   * instance and satisfies its constraints.
   *
   * @throws StowageException malformed, invalid, a limit exceeded: the bytes would take far more memory than they have; cancelled
   */
  public static Plan read(byte[] bytes) {
    return read(ByteBuffer.wrap(bytes), Limits.DEFAULTS, null);
  }

  /**
   * The same, from a buffer's position up to its limit, neither of which changes.
   *
   * @param limits those of the bytes count
   * @param control null = none
   * @throws StowageException as {@link #read(byte[])}
   * @throws IllegalStateException the arena of the buffer is closed; another call uses the control, or it is closed
   * @throws WrongThreadException the arena of the buffer is that of another thread
   */
  public static Plan read(ByteBuffer bytes, Limits limits, Control control) {
    byte[] copy = Calls.copyOf(bytes);
    Calls.verify(StowageH.STOWAGE_KIND_PLAN, copy, limits, control);
    return decode(Calls.littleEndian(copy));
  }

  private static StowageException malformed() {
    return new StowageException(Status.MALFORMED, "the bytes are not a plan", "");
  }

  static Plan decode(ByteBuffer bytes) {
    stowage.wire.Plan root = stowage.wire.Plan.getRootAsPlan(bytes);
    int nodes = root.nodeClassLength();
    boolean compact = root.copiesVector() != null;
    if (root.listedLength() != nodes || compact && root.copiesLength() != nodes || root.planner() == null) {
      throw malformed();
    }
    return new Plan(
        bytes.asReadOnlyBuffer().order(bytes.order()),
        root.instance(),
        root.planner(),
        PlanStatus.of(root.status()),
        root.seed(),
        root.work(),
        root.pace(),
        view(
            nodes, k -> new Node((int) root.nodeClass(k), Reports.known(root.listed(k)), compact ? root.copies(k) : 1)),
        view(root.placedLength(), k -> placementOf(root.placed(k))),
        view(root.unplacedLength(), k -> unplacedOf(root.unplaced(k))),
        boundOf(root.nodeBound()),
        Reports.notNegative(root.gap()),
        Reports.notNegative(root.cost()),
        boundOf(root.costBound()),
        root.inheritedViolations(),
        root.moves(),
        Reports.notNegative(root.ucac()),
        Reports.known(root.ucacResource()),
        boundOf(root.ucacBound()),
        view(root.nodeUcacLength(), root::nodeUcac),
        Reports.notNegative(root.maxCost()),
        boundOf(root.maxCostBound()),
        Reports.notNegative(root.totalCost()),
        boundOf(root.totalCostBound()),
        Reports.notNegative(root.leftOut()),
        boundOf(root.leftOutBound()),
        Reports.notNegative(root.remoteTraffic()),
        boundOf(root.remoteTrafficBound()),
        view(root.nodeMaxCostLength(), root::nodeMaxCost),
        root.maxCostLimit(),
        root.violationCost() < 0
            ? Optional.empty()
            : Optional.of(new RuleViolations(
                root.ruleViolations(),
                root.violatingReplicas(),
                root.violationExtent(),
                root.violationWeight(),
                root.violationCost())),
        Objective.of(root.objective()),
        SoftPolicy.of(root.soft()),
        root.softPrice(),
        root.fill(),
        copy(root.notesLength(), k -> noteOf(root.notes(k))),
        copy(root.leftOverBoundLength(), k -> {
          stowage.wire.LeftOver one = root.leftOverBound(k);
          return new LeftOver(one.priority(), one.replicas());
        }),
        root.placesMost(),
        view(root.reservedLength(), k -> placementOf(root.reserved(k))),
        view(root.unreservedLength(), k -> unplacedOf(root.unreserved(k))),
        Optional.ofNullable(root.survive()),
        root.notSurvived() == NOT_KNOWN ? OptionalLong.empty() : OptionalLong.of(root.notSurvived()),
        Optional.ofNullable(root.leaveFree()),
        root.domainsInUse(),
        root.domainBound());
  }

  // 2^64 - 1
  private static final long NOT_KNOWN = -1;

  private static Placement placementOf(stowage.wire.Placed placed) {
    return new Placement((int) placed.app(), (int) placed.node(), (int) placed.replicas());
  }

  private static Unplaced unplacedOf(stowage.wire.Unplaced unplaced) {
    return new Unplaced((int) unplaced.app(), (int) unplaced.replicas());
  }

  // A wrong length ends at the end of the bytes, before it takes memory.
  private static <T> List<T> copy(int length, IntFunction<T> item) {
    List<T> list = new ArrayList<>();
    for (int k = 0; k < length; ++k) {
      list.add(item.apply(k));
    }
    return List.copyOf(list);
  }

  private static Note noteOf(stowage.wire.Note note) {
    return new Note(NoteCode.of(note.code()), note.text() == null ? "" : note.text());
  }

  private static Optional<Bound> boundOf(stowage.wire.Bound bound) {
    return Optional.ofNullable(bound)
        .map(from ->
            new Bound(from.name(), from.value(), Reports.known(from.resource()), Reports.known(from.period())));
  }

  /** A list whose entries are created on access. */
  private static <T> List<T> view(int size, IntFunction<T> at) {
    final class View extends AbstractList<T> implements RandomAccess {
      @Override
      public T get(int index) {
        return at.apply(java.util.Objects.checkIndex(index, size));
      }

      @Override
      public int size() {
        return size;
      }
    }
    return new View();
  }
}
