package stowage;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import stowage.wire.ConflictKind;
import stowage.wire.DriverKind;
import stowage.wire.ObstacleKind;
import stowage.wire.RelaxationKind;
import stowage.wire.Report;
import stowage.wire.ReportBody;
import stowage.wire.ViolationKind;

/** Reports and the catalogue as records. */
final class Reports {
  private Reports() {}

  private static final long NONE = 0xFFFFFFFFL;

  static OptionalInt known(long index) {
    return index == NONE ? OptionalInt.empty() : OptionalInt.of((int) index);
  }

  static OptionalDouble notNegative(double number) {
    return number < 0 ? OptionalDouble.empty() : OptionalDouble.of(number);
  }

  /**
   * An enumerator's name in lower case with hyphens, such as "affinity-limit" for AffinityLimit; the number of an enumerator
   * that only a later library knows.
   */
  private static String word(String[] names, int number) {
    return number < names.length
        ? names[number].replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(java.util.Locale.ROOT)
        : Integer.toString(number);
  }

  private static String text(String text) {
    return text == null ? "" : text;
  }

  private static <T> List<T> all(int count, IntFunction<T> at) {
    return IntStream.range(0, count).mapToObj(at).toList();
  }

  private static Report body(ByteBuffer bytes, byte kind) {
    Report report = Report.getRootAsReport(bytes);
    if (report.bodyType() != kind) {
      throw new StowageException(Status.INTERNAL, "the library returned another report than asked for", "");
    }
    return report;
  }

  static Commit commit(ByteBuffer bytes) {
    var from = (stowage.wire.Commit) body(bytes, ReportBody.Commit).body(new stowage.wire.Commit());
    return new Commit(
        from.committed(),
        from.plannedVersion(),
        from.version(),
        from.placed(),
        from.moved(),
        from.ended(),
        all(from.openedLength(), from::opened),
        all(from.conflictsLength(), k -> {
          var one = from.conflicts(k);
          return new Conflict(
              word(ConflictKind.names, one.kind()), text(one.app()), text(one.node()), one.wanted(), one.available());
        }));
  }

  static Verification verification(ByteBuffer bytes) {
    var from = (stowage.wire.Verification) body(bytes, ReportBody.Verification).body(new stowage.wire.Verification());
    return new Verification(
        from.ok(),
        from.nodes(),
        from.placed(),
        from.unplaced(),
        notNegative(from.cost()),
        from.violationCount(),
        from.inheritedCount(),
        all(from.violationsLength(), k -> violation(from.violations(k))),
        all(from.utilizationLength(), from::utilization),
        notNegative(from.ucac()),
        metrics(from.metrics()),
        all(from.ruleViolationsLength(), k -> {
          stowage.wire.RuleViolation one = from.ruleViolations(k);
          return new RuleViolation(
              (int) one.rule(),
              one.hard(),
              one.inherited(),
              known(one.node()),
              known(one.app()),
              (int) one.replicas(),
              one.extent(),
              one.amount(),
              one.limit(),
              one.weight());
        }),
        notNegative(from.maxCost()),
        notNegative(from.totalCost()),
        all(from.nodeMaxCostLength(), from::nodeMaxCost));
  }

  private static Suffering suffering(stowage.wire.Suffering from) {
    return new Suffering(
        (int) from.node(),
        (int) from.app(),
        from.cost(),
        all(from.fromKindLength(), from::fromKind),
        known(from.moving()),
        known(from.to()),
        from.costAfter(),
        from.costThere());
  }

  private static ClusterMetrics metrics(stowage.wire.ClusterMetrics from) {
    if (from == null) {
      throw new StowageException(Status.INTERNAL, "the library returned a verification without metrics", "");
    }
    return new ClusterMetrics(
        from.applications(),
        from.applicationsPlaced(),
        from.nodes(),
        from.nodesUsed(),
        from.fragmentedNodes(),
        all(from.imbalanceLength(), from::imbalance),
        new RuleViolations(
            from.ruleViolations(),
            from.violatingReplicas(),
            from.violationExtent(),
            from.violationWeight(),
            from.violationCost()));
  }

  private static Violation violation(stowage.wire.Violation from) {
    return new Violation(
        word(ViolationKind.names, from.kind()),
        from.inherited(),
        known(from.node()),
        known(from.app()),
        known(from.other()),
        known(from.resource()),
        known(from.period()),
        from.amount(),
        from.limit(),
        text(from.what()));
  }

  static Explanation explanation(ByteBuffer bytes) {
    var from = (stowage.wire.Explanation) body(bytes, ReportBody.Explanation).body(new stowage.wire.Explanation());
    return new Explanation(
        from.nodes(),
        from.nodeBound(),
        all(from.driversLength(), k -> {
          stowage.wire.Driver one = from.drivers(k);
          return new Driver(
              word(DriverKind.names, one.kind()), known(one.resource()), known(one.period()), known(one.app()), one.nodes());
        }),
        all(from.resourcesLength(), k -> {
          stowage.wire.ResourceUse one = from.resources(k);
          return new ResourceUse(
              (int) one.resource(), (int) one.peakPeriod(), one.demand(), one.capacity(), one.stranded());
        }),
        all(from.appsLength(), k -> appExplanation(from.apps(k))),
        all(
            Math.min(from.overriddenLength(), from.overriddenByLength()),
            k -> new OverriddenRule((int) from.overridden(k), (int) from.overriddenBy(k))),
        Optional.ofNullable(from.suffering()).map(Reports::suffering));
  }

  private static AppExplanation appExplanation(stowage.wire.AppExplanation from) {
    return new AppExplanation(
        (int) from.app(),
        (int) from.unplaced(),
        from.openNodes(),
        from.blockedByCapacity(),
        from.blockedByLimits(),
        from.blockedByBoth(),
        all(from.closestLength(), k -> closeNode(from.closest(k))),
        all(from.relaxationsLength(), k -> {
          stowage.wire.Relaxation one = from.relaxations(k);
          return new Relaxation(
              word(RelaxationKind.names, one.kind()),
              known(one.node()),
              known(one.nodeClass()),
              known(one.beside()),
              known(one.app()),
              known(one.resource()),
              one.amount(),
              known(one.rule()),
              known(one.condition()),
              known(one.tag()),
              known(one.sufferingKind()));
        }));
  }

  private static CloseNode closeNode(stowage.wire.CloseNode from) {
    return new CloseNode(
        known(from.node()),
        (int) from.nodeClass(),
        all(from.obstaclesLength(), k -> obstacle(from.obstacles(k))),
        from.distance());
  }

  private static Obstacle obstacle(stowage.wire.Obstacle from) {
    return new Obstacle(
        word(ObstacleKind.names, from.kind()),
        known(from.resource()),
        known(from.period()),
        known(from.other()),
        from.amount(),
        from.limit());
  }

  static Headroom headroom(ByteBuffer bytes) {
    var from = (stowage.wire.Headroom) body(bytes, ReportBody.Headroom).body(new stowage.wire.Headroom());
    return new Headroom(
        all(from.roomLength(), k -> (int) from.room(k)),
        all(from.lacksCapacityLength(), k -> from.lacksCapacity(k) != 0),
        all(from.forbiddenLength(), k -> from.forbidden(k) != 0),
        all(from.obstaclesLength(), k -> obstacle(from.obstacles(k))));
  }

  static HeadroomOfApps headroomOfApps(ByteBuffer bytes) {
    var from = (stowage.wire.HeadroomOfApps) body(bytes, ReportBody.HeadroomOfApps).body(new stowage.wire.HeadroomOfApps());
    return new HeadroomOfApps(
        all(from.roomLength(), from::room),
        all(from.nodesLength(), from::nodes),
        all(from.mostLength(), k -> (int) from.most(k)),
        all(from.spareRoomLength(), from::spareRoom),
        all(from.coupledLength(), k -> from.coupled(k) != 0));
  }

  static List<Loss> losses(ByteBuffer bytes) {
    var from = (stowage.wire.Losses) body(bytes, ReportBody.Losses).body(new stowage.wire.Losses());
    return all(from.lossesLength(), k -> loss(from.losses(k)));
  }

  private static Loss loss(stowage.wire.Loss from) {
    return new Loss(
        from.name(),
        all(from.nodesLength(), k -> (int) from.nodes(k)),
        from.replicas(),
        from.left(),
        all(from.appLength(), k -> new Loss.Move((int) from.app(k), known(from.to(k)), (int) from.count(k))),
        known(from.shortResource()),
        known(from.shortPeriod()),
        from.shortAmount());
  }

  static MoveOrder moveOrder(ByteBuffer bytes) {
    var from = (stowage.wire.MoveOrder) body(bytes, ReportBody.MoveOrder).body(new stowage.wire.MoveOrder());
    List<Move> moves = all(from.movesLength(), k -> move(from.moves(k)));
    List<List<Move>> waves = all(
        from.waveEndsLength(),
        k -> moves.subList(k == 0 ? 0 : (int) from.waveEnds(k - 1), (int) from.waveEnds(k)));
    return new MoveOrder(
        waves,
        all(from.stuckLength(), k -> move(from.stuck(k))),
        (int) from.moved(),
        (int) from.detours(),
        (int) from.leastWaves());
  }

  private static Move move(stowage.wire.Move from) {
    return new Move((int) from.app(), known(from.from()), known(from.to()), from.detour());
  }

  static List<BoundEntry> bounds(ByteBuffer bytes) {
    var from = (stowage.wire.Bounds) body(bytes, ReportBody.Bounds).body(new stowage.wire.Bounds());
    return all(from.entriesLength(), k -> {
      stowage.wire.BoundEntry one = from.entries(k);
      return new BoundEntry(
          one.name(), one.objective(), one.value(), known(one.resource()), known(one.period()), text(one.source()));
    });
  }

  static List<Planner> catalogue(ByteBuffer bytes) {
    stowage.wire.Catalogue from = stowage.wire.Catalogue.getRootAsCatalogue(bytes);
    return all(from.plannersLength(), k -> {
      stowage.wire.PlannerInfo one = from.planners(k);
      long deadline = one.defaultDeadlineMs();
      return new Planner(
          one.name(),
          text(one.summary()),
          text(one.source()),
          text(one.complexity()),
          all(one.optionsLength(), i -> {
            stowage.wire.OptionInfo it = one.options(i);
            return new PlannerOption(it.name(), text(it.summary()), it.defaultNumber(), it.min(), it.max());
          }),
          all(one.honoursLength(), one::honours),
          deadline == 0 ? OptionalLong.empty() : OptionalLong.of(deadline),
          all(one.objectivesLength(), one::objectives));
    });
  }
}
