// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads records from bytes that the library made or has checked. */
final class Records {
  private Records() {}

  private static final String[] VIOLATION_KIND = {"capacity", "affinity-limit", "self-limit", "replica-count", "pin",
      "class-count", "bad-node", "bad-entry", "moves", "closed-node", "figures", "wrong-instance", "unchecked",
      "capacity-at-confidence", "placement-rule", "eligibility", "side-effects", "devices", "promise"};
  private static final String[] OBSTACLE_KIND = {"capacity", "affinity-limit", "imposed-limit", "self-limit", "closed-node",
      "capacity-at-confidence", "placement-rule", "eligibility", "side-effects", "devices"};
  private static final String[] RELAXATION_KIND = {"none", "add-node", "add-capacity", "raise-limit", "open-node",
      "raise-maximum", "lower-minimum", "soften-rule", "admit-tag", "raise-max-cost"};
  private static final String[] DRIVER_KIND = {"capacity", "large-items", "without-limits", "without-resource",
      "without-periods", "self-limit", "without-uncertainty", "without-cost-limits", "without-promises"};
  private static final String[] CONFLICT_KIND = {"version", "app-gone", "not-pending", "node-gone", "node-closed", "no-room",
      "moves", "rules"};

  static Plan plan(stowage.wire.Plan from, ByteBuffer bytes) {
    return new Plan(
        bytes.asReadOnlyBuffer().order(bytes.order()),
        from.instance(),
        from.planner(),
        PlanStatus.of(from.status()),
        from.seed(),
        from.work(),
        Plan.nodes(from),
        Reports.view(from.placedLength(), k -> placement(from.placed(k))),
        Reports.view(from.unplacedLength(), k -> unplaced(from.unplaced(k))),
        Optional.ofNullable(from.nodeBound()).map(Records::bound),
        Reports.notNegative(from.gap()),
        Reports.notNegative(from.cost()),
        Optional.ofNullable(from.costBound()).map(Records::bound),
        from.inheritedViolations(),
        from.moves(),
        Reports.notNegative(from.ucac()),
        Reports.known(from.ucacResource()),
        Optional.ofNullable(from.ucacBound()).map(Records::bound),
        Reports.view(from.nodeUcacLength(), k -> from.nodeUcac(k)),
        Objective.of(from.objective()),
        from.violationCost() < 0 ? Optional.empty() : Optional.of(new RuleViolations(from.ruleViolations(), from.violatingReplicas(), from.violationExtent(), from.violationWeight(), from.violationCost())),
        from.pace(),
        SoftPolicy.of(from.soft()),
        from.softPrice(),
        from.fill(),
        Reports.all(from.notesLength(), k -> note(from.notes(k))),
        Reports.view(from.leftOverBoundLength(), k -> leftOver(from.leftOverBound(k))),
        from.placesMost(),
        Reports.notNegative(from.maxCost()),
        Optional.ofNullable(from.maxCostBound()).map(Records::bound),
        Reports.notNegative(from.totalCost()),
        Optional.ofNullable(from.totalCostBound()).map(Records::bound),
        Reports.view(from.nodeMaxCostLength(), k -> from.nodeMaxCost(k)),
        from.maxCostLimit(),
        Reports.notNegative(from.leftOut()),
        Optional.ofNullable(from.leftOutBound()).map(Records::bound),
        Reports.notNegative(from.remoteTraffic()),
        Optional.ofNullable(from.remoteTrafficBound()).map(Records::bound),
        Reports.view(from.reservedLength(), k -> placement(from.reserved(k))),
        Reports.view(from.unreservedLength(), k -> unplaced(from.unreserved(k))),
        Optional.ofNullable(from.survive()),
        Reports.given(from.notSurvived(), -1),
        Optional.ofNullable(from.leaveFree()),
        from.domainsInUse(),
        from.domainBound(),
        Reports.all(from.goalsLength(), k -> reachedGoal(from.goals(k))),
        Reports.all(from.traceLength(), k -> tracedPart(from.trace(k))));
  }

  static Verification verification(stowage.wire.Verification from) {
    return new Verification(
        from.ok(),
        from.nodes(),
        from.placed(),
        from.unplaced(),
        Reports.notNegative(from.cost()),
        from.violationCount(),
        from.inheritedCount(),
        Reports.all(from.violationsLength(), k -> violation(from.violations(k))),
        Reports.all(from.utilizationLength(), k -> from.utilization(k)),
        Reports.notNegative(from.ucac()),
        clusterMetrics(from.metrics()),
        Reports.all(from.ruleViolationsLength(), k -> ruleViolation(from.ruleViolations(k))),
        Reports.notNegative(from.maxCost()),
        Reports.notNegative(from.totalCost()),
        Reports.all(from.nodeMaxCostLength(), k -> from.nodeMaxCost(k)));
  }

  static Violation violation(stowage.wire.Violation from) {
    return new Violation(
        Reports.word(VIOLATION_KIND, from.kind()),
        from.inherited(),
        Reports.known(from.node()),
        Reports.known(from.app()),
        Reports.known(from.other()),
        Reports.known(from.resource()),
        Reports.known(from.period()),
        from.amount(),
        from.limit(),
        Reports.text(from.what()));
  }

  static RuleViolation ruleViolation(stowage.wire.RuleViolation from) {
    return new RuleViolation(
        (int) from.rule(),
        from.hard(),
        from.inherited(),
        Reports.known(from.node()),
        Reports.known(from.app()),
        (int) from.replicas(),
        from.extent(),
        from.amount(),
        from.limit(),
        from.weight());
  }

  static ClusterMetrics clusterMetrics(stowage.wire.ClusterMetrics from) {
    return new ClusterMetrics(
        from.applications(),
        from.applicationsPlaced(),
        from.nodes(),
        from.nodesUsed(),
        from.fragmentedNodes(),
        Reports.all(from.imbalanceLength(), k -> from.imbalance(k)),
        new RuleViolations(from.ruleViolations(), from.violatingReplicas(), from.violationExtent(), from.violationWeight(), from.violationCost()));
  }

  static Explanation explanation(stowage.wire.Explanation from) {
    return new Explanation(
        from.nodes(),
        from.nodeBound(),
        Reports.all(from.driversLength(), k -> driver(from.drivers(k))),
        Reports.all(from.resourcesLength(), k -> resourceUse(from.resources(k))),
        Reports.all(from.appsLength(), k -> appExplanation(from.apps(k))),
        Reports.overridden(from),
        Optional.ofNullable(from.suffering()).map(Records::suffering),
        from.costBound());
  }

  static AppExplanation appExplanation(stowage.wire.AppExplanation from) {
    return new AppExplanation(
        (int) from.app(),
        (int) from.unplaced(),
        from.openNodes(),
        from.blockedByCapacity(),
        from.blockedByLimits(),
        from.blockedByBoth(),
        Reports.all(from.closestLength(), k -> closeNode(from.closest(k))),
        Reports.all(from.relaxationsLength(), k -> relaxation(from.relaxations(k))));
  }

  static CloseNode closeNode(stowage.wire.CloseNode from) {
    return new CloseNode(
        Reports.known(from.node()),
        (int) from.nodeClass(),
        Reports.all(from.obstaclesLength(), k -> obstacle(from.obstacles(k))),
        from.distance(),
        Reports.known(from.listed()));
  }

  static Obstacle obstacle(stowage.wire.Obstacle from) {
    return new Obstacle(
        Reports.word(OBSTACLE_KIND, from.kind()),
        Reports.known(from.resource()),
        Reports.known(from.period()),
        Reports.known(from.other()),
        from.amount(),
        from.limit());
  }

  static Relaxation relaxation(stowage.wire.Relaxation from) {
    return new Relaxation(
        Reports.word(RELAXATION_KIND, from.kind()),
        Reports.known(from.node()),
        Reports.known(from.nodeClass()),
        Reports.known(from.beside()),
        Reports.known(from.app()),
        Reports.known(from.resource()),
        from.amount(),
        Reports.known(from.rule()),
        Reports.known(from.condition()),
        Reports.known(from.tag()),
        Reports.known(from.sufferingKind()),
        Reports.known(from.listed()));
  }

  static Driver driver(stowage.wire.Driver from) {
    return new Driver(
        Reports.word(DRIVER_KIND, from.kind()),
        Reports.known(from.resource()),
        Reports.known(from.period()),
        Reports.known(from.app()),
        from.nodes(),
        Reports.notNegative(from.cost()));
  }

  static ResourceUse resourceUse(stowage.wire.ResourceUse from) {
    return new ResourceUse(
        (int) from.resource(),
        (int) from.peakPeriod(),
        from.demand(),
        from.capacity(),
        from.stranded());
  }

  static Suffering suffering(stowage.wire.Suffering from) {
    return new Suffering(
        (int) from.node(),
        (int) from.app(),
        from.cost(),
        Reports.all(from.fromKindLength(), k -> from.fromKind(k)),
        Reports.known(from.moving()),
        Reports.known(from.to()),
        from.costAfter(),
        from.costThere());
  }

  static Headroom headroom(stowage.wire.Headroom from) {
    return new Headroom(
        Reports.all(from.roomLength(), k -> (int) from.room(k)),
        Reports.all(from.lacksCapacityLength(), k -> from.lacksCapacity(k) != 0),
        Reports.all(from.forbiddenLength(), k -> from.forbidden(k) != 0),
        Reports.all(from.obstaclesLength(), k -> obstacle(from.obstacles(k))));
  }

  static HeadroomOfApps headroomOfApps(stowage.wire.HeadroomOfApps from) {
    return new HeadroomOfApps(
        Reports.all(from.roomLength(), k -> from.room(k)),
        Reports.all(from.nodesLength(), k -> from.nodes(k)),
        Reports.all(from.mostLength(), k -> (int) from.most(k)),
        Reports.all(from.spareRoomLength(), k -> from.spareRoom(k)),
        Reports.all(from.coupledLength(), k -> from.coupled(k) != 0));
  }

  static Loss loss(stowage.wire.Loss from) {
    return new Loss(
        Reports.text(from.name()),
        Reports.all(from.nodesLength(), k -> (int) from.nodes(k)),
        from.replicas(),
        from.left(),
        Reports.lossMoves(from),
        Reports.known(from.shortResource()),
        Reports.known(from.shortPeriod()),
        from.shortAmount());
  }

  static MoveOrder moveOrder(stowage.wire.MoveOrder from) {
    return new MoveOrder(
        Reports.waves(from),
        Reports.all(from.stuckLength(), k -> move(from.stuck(k))),
        (int) from.moved(),
        (int) from.detours(),
        (int) from.leastWaves());
  }

  static Move move(stowage.wire.Move from) {
    return new Move(
        (int) from.app(),
        Reports.known(from.from()),
        Reports.known(from.to()),
        from.detour());
  }

  static BoundEntry boundEntry(stowage.wire.BoundEntry from) {
    return new BoundEntry(
        from.name(),
        from.objective(),
        from.value(),
        Reports.known(from.resource()),
        Reports.known(from.period()),
        Reports.text(from.source()));
  }

  static Commit commit(stowage.wire.Commit from) {
    return new Commit(
        from.committed(),
        from.plannedVersion(),
        from.version(),
        from.placed(),
        from.moved(),
        from.ended(),
        Reports.all(from.openedLength(), k -> from.opened(k)),
        Reports.all(from.conflictsLength(), k -> conflict(from.conflicts(k))));
  }

  static Conflict conflict(stowage.wire.Conflict from) {
    return new Conflict(
        Reports.word(CONFLICT_KIND, from.kind()),
        Reports.text(from.app()),
        Reports.text(from.node()),
        from.wanted(),
        from.available());
  }

  static Planner planner(stowage.wire.PlannerInfo from) {
    return new Planner(
        from.name(),
        Reports.text(from.summary()),
        Reports.text(from.source()),
        Reports.text(from.complexity()),
        Reports.all(from.optionsLength(), k -> plannerOption(from.options(k))),
        Reports.all(from.honoursLength(), k -> from.honours(k)),
        Reports.given(from.defaultDeadlineMs(), 0),
        Reports.all(from.objectivesLength(), k -> from.objectives(k)));
  }

  static PlannerOption plannerOption(stowage.wire.OptionInfo from) {
    return new PlannerOption(
        from.name(),
        Reports.text(from.summary()),
        from.defaultNumber(),
        from.min(),
        from.max());
  }

  static Sizes sizes(stowage.wire.Sizes from) {
    return new Sizes(
        Reports.all(from.appsLength(), k -> from.apps(k)),
        Reports.all(from.resourcesLength(), k -> from.resources(k)),
        (int) from.periods(),
        Reports.all(from.sizeLength(), k -> from.size(k)),
        Reports.all(from.slackLength(), k -> from.slack(k)),
        Reports.all(from.exceededLength(), k -> from.exceeded(k)),
        Reports.all(from.demandLength(), k -> from.demand(k)),
        Reports.all(from.varianceLength(), k -> from.variance(k)),
        Reports.all(from.demandSlackLength(), k -> from.demandSlack(k)),
        Reports.all(from.demandExceededLength(), k -> from.demandExceeded(k)),
        Reports.all(from.measuredLength(), k -> from.measured(k)),
        Reports.all(from.firstLength(), k -> from.first(k)),
        Reports.all(from.lastLength(), k -> from.last(k)),
        Reports.all(from.killedLength(), k -> from.killed(k)));
  }

  static Plan.LeftOver leftOver(stowage.wire.LeftOver from) {
    return new Plan.LeftOver(
        from.priority(),
        from.replicas());
  }

  static Plan.Note note(stowage.wire.Note from) {
    return new Plan.Note(
        NoteCode.of(from.code()),
        Reports.text(from.text()));
  }

  static Plan.ReachedGoal reachedGoal(stowage.wire.ReachedGoal from) {
    return new Plan.ReachedGoal(
        GoalKind.of(from.what()),
        Reports.known(from.resource()),
        from.beside(),
        from.weight(),
        from.tolerance(),
        from.value(),
        Reports.notNegative(from.bound()),
        from.proven());
  }

  static Plan.TracedPart tracedPart(stowage.wire.TracedPart from) {
    return new Plan.TracedPart(
        from.name(),
        from.calls(),
        from.gains(),
        from.work());
  }

  static Plan.Placement placement(stowage.wire.Placed from) {
    return new Plan.Placement(
        (int) from.app(),
        (int) from.node(),
        (int) from.replicas());
  }

  static Plan.Unplaced unplaced(stowage.wire.Unplaced from) {
    return new Plan.Unplaced(
        (int) from.app(),
        (int) from.replicas());
  }

  static Plan.Bound bound(stowage.wire.Bound from) {
    return new Plan.Bound(
        from.name(),
        from.value(),
        Reports.known(from.resource()),
        Reports.known(from.period()));
  }
}
