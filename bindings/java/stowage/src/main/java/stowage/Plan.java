package stowage;

import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/**
 * Who sits where, how good that is, and what is left over. Positions are those of the instance. Independent of the instance: needs
 * no closing. The lists cannot be changed; their entries are read from the bytes as they are asked for.
 *
 * @param bytes the bytes ({@code plan.fbs}), as every other part of Stowage reads them; read-only
 * @param instance fingerprint of the instance the plan is for
 * @param planner who made it
 * @param status how good it is
 * @param seed of the request
 * @param work work units done; a request with this work limit, and the option {@code pace} where that is above 0 here, repeats the
 *     run
 * @param pace work that the search planned to have done at its end; 0 where it planned for none
 * @param nodes nodes in use, listed ones first; {@link #nodesInUse} counts their copies
 * @param placements by node, then by app; running replicas included
 * @param unplaced by app
 * @param nodeBound fewest nodes that any complete plan uses
 * @param gap nodes above the bound, divided by it, where a statement is possible
 * @param cost sum of the prices of the nodes in use, where there are prices
 * @param costBound least cost of any complete plan
 * @param inheritedViolations broken at the start and no worse now
 * @param moves running replicas that are on another node than before
 * @param ucac used capacity at confidence of the nodes in use (P1, definition 2, Eq. 6), the sum of {@code nodeUcac} over all
 *     copies, in the unit of {@code ucacResource}; empty where no demand is uncertain
 * @param ucacResource the first resource with uncertain demand
 * @param ucacBound least {@code ucac} of any complete plan
 * @param nodeUcac used capacity at confidence of each node (P1, definition 1, Eq. 2): mean + quantile x standard deviation of what
 *     it holds, in the period in which that is most; of one copy; as many as {@code nodes}, none where no demand is uncertain
 * @param ruleViolations how far placement rules do not hold; empty where the instance has none
 * @param objective the request's; {@link PlanStatus#OPTIMAL} refers to it
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
    Optional<RuleViolations> ruleViolations,
    Objective objective) {

  /**
   * A node in use.
   *
   * @param nodeClass its class
   * @param listed its position among the listed nodes; empty for an anonymous node of its class
   * @param copies it stands for so many, each of which holds what is placed on it: 1, but for anonymous nodes of plans that are
   *     compact
   */
  public record Node(int nodeClass, OptionalInt listed, long copies) {}

  /**
   * So many replicas of an app on a node of the plan, and on each of its copies.
   *
   * @param app position of the app
   * @param node position of the node in {@link Plan#nodes}
   * @param replicas how many
   */
  public record Placement(int app, int node, int replicas) {}

  /**
   * So many replicas of an app that are on no node.
   *
   * @param app position of the app
   * @param replicas how many
   */
  public record Unplaced(int app, int replicas) {}

  /**
   * A lower bound on what any complete plan needs.
   *
   * @param name which bound it is, such as {@code "capacity"}
   * @param value nodes, cost, or used capacity
   * @param resource the resource that gives it
   * @param period the period that gives it
   */
  public record Bound(String name, double value, OptionalInt resource, OptionalInt period) {}

  /** A plan's own view of its bytes: position and limit of the one do not change those of the other. */
  @Override
  public ByteBuffer bytes() {
    return bytes.duplicate().order(bytes.order());
  }

  /** Nodes in use, each copy counted by itself. */
  public long nodesInUse() {
    return nodes.stream().mapToLong(Node::copies).sum();
  }

  /**
   * Reads a plan's bytes from elsewhere. Whether it is a good plan, and for which instance, only {@link Instance#verify} tells.
   *
   * @throws StowageException malformed
   */
  public static Plan read(byte[] bytes) {
    ByteBuffer copy = Calls.littleEndian(bytes.clone());
    try {
      if (bytes.length < 8 || !stowage.wire.Plan.PlanBufferHasIdentifier(copy)) {
        throw malformed();
      }
      Plan plan = decode(copy);
      // The runtime of FlatBuffers has no verifier in Java: touch what is read later.
      for (List<?> list : List.of(plan.nodes, plan.placements, plan.unplaced, plan.nodeUcac)) {
        if (!list.isEmpty()) {
          list.get(list.size() - 1);
        }
      }
      return plan;
    } catch (IndexOutOfBoundsException | IllegalArgumentException | NullPointerException | NegativeArraySizeException outside) {
      throw malformed();
    }
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
        view(root.placedLength(), k -> {
          stowage.wire.Placed placed = root.placed(k);
          return new Placement((int) placed.app(), (int) placed.node(), (int) placed.replicas());
        }),
        view(root.unplacedLength(), k -> {
          stowage.wire.Unplaced unplaced = root.unplaced(k);
          return new Unplaced((int) unplaced.app(), (int) unplaced.replicas());
        }),
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
        root.violationCost() < 0
            ? Optional.empty()
            : Optional.of(new RuleViolations(
                root.ruleViolations(),
                root.violatingReplicas(),
                root.violationExtent(),
                root.violationWeight(),
                root.violationCost())),
        Objective.of(root.objective()));
  }

  private static Optional<Bound> boundOf(stowage.wire.Bound bound) {
    return Optional.ofNullable(bound)
        .map(from ->
            new Bound(from.name(), from.value(), Reports.known(from.resource()), Reports.known(from.period())));
  }

  /** A list whose entries are made as they are asked for. */
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
