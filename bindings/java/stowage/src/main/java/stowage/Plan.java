// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import stowage.internal.StowageH;

/**
 * What a run returns: which replicas run on which node, how good that is, and which replicas are unplaced. Indices are those of
 * the instance. A plan is independent of the instance and needs no closing. The lists are unmodifiable; those of numbers and
 * structs are read from the bytes when they are asked for.
 *
 * @param bytes the bytes of the plan ({@code plan.fbs}), which every part of Stowage reads; read-only
 * @param instance fingerprint of the instance that the plan was made for
 * @param planner name of the planner that made the plan
 * @param status how good the plan is
 * @param seed seed of the run that made the plan: the request's or, where several seeds were tried, the best one
 * @param work work units done. A request with this work limit, and with the option "pace" set to {@code pace} if that is above
 *     0, repeats the run
 * @param nodes nodes in use, listed ones first; {@link #nodesInUse} includes their copies
 * @param placements all placed replicas, running ones included, ordered by node and then by app
 * @param unplaced ordered by app
 * @param nodeBound lower bound on the nodes of any complete plan. The bound "columns" holds for complete plans that leave
 *     running replicas in place, unless the request ignores them or has a move budget
 * @param gap how far the plan is above the bound on what it is judged by, as a share of the bound: (value - bound) / bound. The
 *     value is the cost where there are prices, else the nodes, or {@code ucac}, {@code maxCost} or {@code totalCost} where that
 *     is the objective; with {@code SoftPolicy.PRICE}, {@code softPrice} x {@code violationCost} is added to it. With {@code
 *     Objective.ADMITTED}, it is ({@code leftOut} - {@code leftOutBound}) as a share of the weight admitted, whether or not
 *     replicas are unplaced; with {@code Objective.TRAFFIC}, ({@code remoteTraffic} - {@code remoteTrafficBound}) as a share of
 *     the traffic that stays on nodes, likewise. Empty where replicas are unplaced or no bound is above 0
 * @param cost sum of the prices of the nodes in use; empty without prices
 * @param costBound lower bound on {@code cost} of any complete plan; "columns" as for {@code nodeBound}
 * @param inheritedViolations number of constraints that were broken at the start, that the run was not allowed to repair, and
 *     that the plan makes no worse
 * @param moves number of running replicas that the plan puts on another node
 * @param ucac used capacity at confidence of the nodes in use (P1, definition 2): the sum over nodes n of {@code nodeUcac}[n] x
 *     copies[n], in the unit of {@code ucacResource}. Empty where no demand is uncertain
 * @param ucacResource the resource of {@code ucac}: the first one with uncertain demand; empty where none is uncertain
 * @param ucacBound lower bound on {@code ucac} of any complete plan; "columns" as for {@code nodeBound}
 * @param nodeUcac used capacity at confidence of each node, of a single copy (P1, definition 1): mean + quantile x standard
 *     deviation of its demand, in the period where this is highest. Length: that of {@code nodes}, or empty where no demand is
 *     uncertain
 * @param objective the objective that the run minimized, as {@code Request.objective}. {@code PlanStatus.OPTIMAL} refers to it
 * @param ruleViolations violations of placement rules; empty where the instance has no rules
 * @param pace total work units for which the search scheduled itself; 0 where it had no schedule. The schedule decides what the
 *     search does at each point of a run
 * @param soft how soft violations counted, as {@code Request.soft}. {@code PlanStatus.OPTIMAL} and {@code gap} refer to it
 * @param softPrice what a unit of violation cost
 * @param fill whether capacity counted, instead of replicas, where not all of them fit
 * @param notes what the reader of the plan should know of the run
 * @param leftOverBound no plan of the request leaves less over than this: replicas per priority, highest priority first;
 *     priorities of which nothing has to be left over are absent. The highest priority in which a plan differs from it decides.
 *     Empty where everything is placed, where nothing is known, and where not every replica counts the same: with weights or
 *     {@code fill}
 * @param placesMost whether {@code unplaced} is no more than {@code leftOverBound}: it is proven that no plan of the request
 *     leaves less over
 * @param maxCost what side effects cost the replica that suffers most; empty without an interference table. A replica of kind t
 *     costs the sum over all kinds u of coefficient[t][u] x the load of kind u on its node
 * @param maxCostBound lower bound on {@code maxCost} of any complete plan
 * @param totalCost what side effects cost all replicas together; empty without an interference table
 * @param totalCostBound lower bound on {@code totalCost} of any complete plan
 * @param nodeMaxCost cost of the replica that suffers most on each node. Length: that of {@code nodes}, or empty without an
 *     interference table
 * @param maxCostLimit {@code Request.maxCost} of the run; 0 = none
 * @param leftOut with {@code Objective.ADMITTED}: weight of the applications that lack replicas. Empty with other objectives
 * @param leftOutBound lower bound on {@code leftOut} of any plan of the request
 * @param remoteTraffic traffic between replicas that do not share a node; empty without traffic
 * @param remoteTrafficBound lower bound on {@code remoteTraffic} of any complete plan
 * @param reserved {@code Request.keep}: where there is room for these replicas, all at once. Ordered as {@code placements}
 * @param unreserved the replicas of {@code Request.keep} without room, ordered by app
 * @param survive {@code Request.survive} of the run
 * @param notSurvived replicas that the worst of these losses leaves without a place; 0 = the plan survives each of them; empty =
 *     the run ended before all were looked at
 * @param leaveFree {@code Request.leaveFree} of the run
 * @param domainsInUse number of values of this label that have a node with a replica or with load
 * @param domainBound lower bound on {@code domainsInUse} of any complete plan
 * @param goals {@code Request.goals} of the run, in their order, with what the plan reaches
 * @param trace with {@code Request.trace}: the parts of the run that made the plan, in the order in which they were first asked
 */
public record Plan(
    ByteBuffer bytes,
    long instance,
    String planner,
    PlanStatus status,
    long seed,
    long work,
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
    Objective objective,
    Optional<RuleViolations> ruleViolations,
    long pace,
    SoftPolicy soft,
    double softPrice,
    boolean fill,
    List<Note> notes,
    List<LeftOver> leftOverBound,
    boolean placesMost,
    OptionalDouble maxCost,
    Optional<Bound> maxCostBound,
    OptionalDouble totalCost,
    Optional<Bound> totalCostBound,
    List<Double> nodeMaxCost,
    double maxCostLimit,
    OptionalDouble leftOut,
    Optional<Bound> leftOutBound,
    OptionalDouble remoteTraffic,
    Optional<Bound> remoteTrafficBound,
    List<Placement> reserved,
    List<Unplaced> unreserved,
    Optional<String> survive,
    OptionalLong notSurvived,
    Optional<String> leaveFree,
    long domainsInUse,
    long domainBound,
    List<ReachedGoal> goals,
    List<TracedPart> trace) {

  /**
   * A number of replicas of one priority.
   *
   * @param priority the priority
   * @param replicas the replicas
   */
  public record LeftOver(int priority, long replicas) {}

  /**
   * Something that the reader of the plan should know of the run.
   *
   * @param code the code
   * @param text the particulars, as a sentence
   */
  public record Note(NoteCode code, String text) {}

  /**
   * A goal of {@code Request.goals}, and what a plan reaches of it.
   *
   * @param what as {@code PlanGoal.what}
   * @param resource as {@code PlanGoal.resource}; empty = all
   * @param beside as {@code PlanGoal.beside}
   * @param weight as {@code PlanGoal.weight}
   * @param tolerance as {@code PlanGoal.tolerance}
   * @param value what the plan makes of it, without the weight
   * @param bound lower bound on the value of any complete plan that is as good by the goals before; empty = none is known
   * @param proven whether no plan that is as good by the goals before has a smaller value. Of goals that count together, of
   *     their sum
   */
  public record ReachedGoal(GoalKind what, OptionalInt resource, boolean beside, double weight, double tolerance, double value, OptionalDouble bound, boolean proven) {}

  /**
   * A planner, a search or a neighbourhood that a run asked, and what came of it. Planners have their names in the catalogue;
   * docs/research/search.md names the others.
   *
   * @param name the name
   * @param calls how often it was asked
   * @param gains calls that found a better plan than their search had before
   * @param work units of work, with those of the parts that it asked in turn
   */
  public record TracedPart(String name, long calls, long gains, long work) {}

  /**
   * A number of replicas of an app on a node of the plan, and as many on each of the node's copies.
   *
   * @param app the app
   * @param node the node
   * @param replicas the replicas
   */
  public record Placement(int app, int node, int replicas) {}

  /**
   * The number of unplaced replicas of an app.
   *
   * @param app the app
   * @param replicas the replicas
   */
  public record Unplaced(int app, int replicas) {}

  /**
   * A lower bound on what any plan needs.
   *
   * @param name name of the bound, such as "capacity" or "dual-feasible"
   * @param value the value
   * @param resource resource and period from which the bound follows; empty = from none
   * @param period the period
   */
  public record Bound(String name, double value, OptionalInt resource, OptionalInt period) {}

  /**
   * A node in use, or one that is kept without replicas.
   *
   * @param nodeClass its class
   * @param listed its position among the listed nodes; empty for an anonymous node of its class
   * @param copies number of nodes with this content for which it stands: 1 except for anonymous nodes of compact plans
   */
  public record Node(int nodeClass, OptionalInt listed, long copies) {}

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
    return Records.plan(root, bytes);
  }

  static List<Node> nodes(stowage.wire.Plan from) {
    boolean compact = from.copiesVector() != null;
    return Reports.view(
        from.nodeClassLength(),
        k -> new Node((int) from.nodeClass(k), Reports.known(from.listed(k)), compact ? from.copies(k) : 1));
  }
}
