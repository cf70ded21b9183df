package stowage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class InstanceTest {
  private static StowageException failure(Status status, org.junit.jupiter.api.function.Executable call) {
    StowageException failure = assertThrows(StowageException.class, call);
    assertEquals(status, failure.status(), failure.getMessage());
    return failure;
  }

  @Test
  void planOfTheSmallInstanceAsByHand() {
    try (Instance instance = Support.small().build()) {
      Plan plan = instance.plan(Request.of("ff"));
      // Two web reach their limit on node 0; the third and db share node 1.
      assertEquals(
          List.of(new Plan.Placement(0, 0, 2), new Plan.Placement(0, 1, 1), new Plan.Placement(1, 1, 1)), plan.placements());
      Plan.Node anonymous = new Plan.Node(0, OptionalInt.empty(), 1);
      assertEquals(List.of(anonymous, anonymous), plan.nodes());
      assertEquals(2, plan.nodesInUse());
      assertTrue(plan.unplaced().isEmpty());
      assertEquals(PlanStatus.OPTIMAL, plan.status());
      assertEquals(2, plan.nodeBound().orElseThrow().value());
      assertEquals(OptionalDouble.of(0), plan.gap());
      assertEquals(OptionalDouble.empty(), plan.cost());
      assertEquals(instance.fingerprint(), plan.instance());
      assertEquals("ff", plan.planner());
      assertThrows(UnsupportedOperationException.class, () -> plan.placements().clear());
      assertTrue(plan.bytes().isReadOnly());

      Verification report = instance.verify(plan.bytes());
      assertTrue(report.ok() && report.placed() == 4 && report.nodes() == 2);
      Plan again = Plan.read(Support.bytesOf(plan));
      assertEquals(plan.placements(), again.placements());
      assertEquals(plan.nodeBound(), again.nodeBound());
    }
  }

  @Test
  void explainsBoundsAndListsPlanners() {
    try (Instance instance = Support.small().build(); Control control = new Control()) {
      Plan tight = instance.plan(Request.builder("ff").nodeLimit(1).build());
      Explanation explanation = instance.explain(tight);
      assertEquals(2, explanation.apps().size());
      assertEquals(2, explanation.nodeBound());
      assertEquals(explanation, instance.explain(tight, control));
      AppExplanation web = instance.explain(tight, 0).apps().getFirst();
      assertTrue(web.closest().stream().flatMap(node -> node.obstacles().stream())
          .anyMatch(one -> one.kind().equals("self-limit") && one.limit() == 2));
      assertTrue(web.relaxations().stream().anyMatch(one -> one.kind().equals("raise-limit")));
      failure(Status.INVALID, () -> instance.explain(tight, 7));
      Headroom room = instance.headroom(tight, 0, 0);
      assertEquals(0, room.room().getFirst());
      assertTrue(room.forbidden().getFirst());
      assertTrue(room.obstacles().stream().anyMatch(one -> one.kind().equals("self-limit")));
      failure(Status.INVALID, () -> instance.headroom(tight, 7));
      HeadroomOfApps every = instance.headroomOfApps(tight, 0);
      assertEquals(room.room().stream().mapToLong(one -> one).sum(), every.room().getFirst());
      failure(Status.INVALID, () -> instance.headroomOfApps(null, 2_000_000_000));
      Loss worst = instance.losses(tight, "").getFirst();
      assertTrue(worst.left() > 0 && worst.moves().stream().anyMatch(one -> one.to().isEmpty()));
      assertEquals(worst, instance.loss(tight, worst.nodes()));
      failure(Status.INVALID, () -> instance.loss(null, List.of(99)));
      MoveOrder order = instance.orderMoves(tight, 1, 1);
      assertEquals(order, instance.orderMoves(tight, 1, 1, control));
      assertEquals(List.of(), order.stuck());
      assertTrue(order.waves().getFirst().getFirst().from().isEmpty(), "nothing runs yet");
      failure(Status.INVALID, () -> instance.orderMoves(tight, 0, 2));

      BoundEntry best = instance.bounds().getFirst();
      assertEquals("nodes", best.objective());
      assertEquals(2, best.value());
    }
    assertTrue(Stowage.planners().stream()
        .anyMatch(one -> one.name().equals("auto") && one.defaultDeadlineMs().isPresent()));
    assertEquals(Stowage.headerVersion(), Stowage.version());
  }

  @Test
  void usedCapacityAtConfidenceAsByHand() {
    // The three apps with variance share a node, 7 + 2.32635 x sqrt(3); the fourth does not fit beside them.
    double want = 11.02935;
    double near = 1e-4;
    try (Instance instance = Support.uncertain().build()) {
      Plan plan = instance.plan(Request.builder("csp-ucac").objective(Objective.UCAC).build());
      assertTrue(plan.unplaced().isEmpty());
      assertEquals(Objective.UCAC, plan.objective());
      assertEquals(OptionalInt.of(0), plan.ucacResource());
      assertEquals(want + 4, plan.ucac().orElseThrow(), near);
      assertEquals(want + 4, plan.ucacBound().orElseThrow().value(), near);
      assertEquals(plan.nodes().size(), plan.nodeUcac().size());
      assertArrayEquals(
          new double[] {4, want}, plan.nodeUcac().stream().mapToDouble(Double::doubleValue).sorted().toArray(), near);
      Verification report = instance.verify(plan.bytes());
      assertTrue(report.ok());
      assertEquals(want + 4, report.ucac().orElseThrow(), near);
      assertEquals(plan.nodeUcac(), Plan.read(Support.bytesOf(plan)).nodeUcac());
      assertTrue(instance.bounds().stream()
          .anyMatch(one -> one.objective().equals("ucac") && one.value() > 0 && one.value() <= want + 4.001));
      assertTrue(instance.explain(plan).drivers().stream()
          .anyMatch(one -> one.kind().equals("without-uncertainty") && one.nodes() == 1));
      Plan tight = instance.plan(Request.builder("bf-ucac").nodeLimit(1).build());
      assertTrue(instance.explain(tight).apps().getFirst().closest().stream().flatMap(node -> node.obstacles().stream())
          .anyMatch(one -> one.kind().equals("capacity-at-confidence")));
      Request.Builder ff = Request.builder("ff").objective(Objective.UCAC);
      failure(Status.UNSUPPORTED, () -> instance.plan(ff.build()));
      assertThrows(IllegalArgumentException.class, () -> ff.objective(Objective.UNKNOWN));
    }
    assertTrue(Stowage.planners().stream()
        .anyMatch(one -> one.name().equals("csp-ucac") && one.objectives().contains("ucac")));
    try (Instance instance = Support.small().build()) {
      Plan certain = instance.plan(Request.of("ff"));
      assertEquals(OptionalDouble.empty(), certain.ucac());
      assertEquals(OptionalInt.empty(), certain.ucacResource());
      assertTrue(certain.ucacBound().isEmpty() && certain.nodeUcac().isEmpty());
    }
  }

  // calm costs 1 per load of calm and 2 per load of noisy, noisy 0.5 and 1. Loads are memory: 4 and 2.
  private static Instance colocated(double... maxCost) {
    InstanceBuilder b = new InstanceBuilder("colocation");
    b.resource("cpu", "cores");
    int memory = b.resource("memory", "GiB");
    b.nodeClass(NodeClass.of("node", 16, 100).withCount(2));
    b.app(App.of("web", 2, 1, 4).withKind("calm"));
    b.app(App.of("batch", 2, 1, 2).withKind("noisy"));
    b.interference(List.of("calm", "noisy"), 1, 2, 0.5, 1);
    b.interferenceResource(memory);
    if (maxCost.length > 0) {
      b.maxCost(maxCost);
    }
    return b.build();
  }

  @Test
  void sideEffectsAsByHand() {
    try (Instance instance = colocated(); Instance strict = colocated(5, Double.POSITIVE_INFINITY)) {
      Plan plan = instance.plan(Request.builder("kind-lpt").objective(Objective.WORST).build());
      // Kinds apart: 8 and 4. Mixed: 8 on both nodes.
      assertEquals(Objective.WORST, plan.objective());
      assertEquals(OptionalDouble.of(8), plan.maxCost());
      assertEquals(0, plan.maxCostLimit());
      assertTrue(plan.maxCostBound().isPresent() && plan.totalCost().orElseThrow() >= 16);
      assertEquals(plan.nodes().size(), plan.nodeMaxCost().size());
      Verification report = instance.verify(plan.bytes());
      assertTrue(report.ok());
      assertEquals(plan.maxCost(), report.maxCost());
      assertEquals(plan.totalCost(), report.totalCost());
      assertEquals(plan.nodeMaxCost(), report.nodeMaxCost());
      Plan crowded = instance.plan(Request.of("ff"));
      assertEquals(OptionalDouble.of(16), crowded.maxCost());
      // web costs 8 of its own kind and 8 of the other; the plan has no other node.
      Suffering worst = instance.explain(crowded).suffering().orElseThrow();
      assertEquals(16, worst.cost());
      assertEquals(List.of(8.0, 8.0), worst.fromKind());
      assertEquals(OptionalInt.empty(), worst.to());
      Plan limited = instance.plan(Request.builder("ff").maxCost(8).build());
      assertTrue(limited.maxCostLimit() == 8 && limited.maxCost().orElseThrow() <= 8);
      failure(Status.INVALID, () -> instance.plan(Request.builder("ff").maxCost(3).build()));

      assertNotEquals(instance.fingerprint(), strict.fingerprint());
      Plan own = strict.plan(Request.of("ff"));
      assertTrue(own.maxCost().orElseThrow() <= 5 && !own.unplaced().isEmpty());
      AppExplanation app = strict.explain(own).apps().getFirst();
      assertTrue(app.closest().getFirst().obstacles().stream()
          .anyMatch(one -> one.kind().equals("side-effects") && one.other().equals(OptionalInt.of(0))));
      assertTrue(app.relaxations().stream()
          .anyMatch(one -> one.kind().equals("raise-max-cost") && one.sufferingKind().equals(OptionalInt.of(0))));
    }
    try (Instance instance = Support.small().build()) {
      Plan plain = instance.plan(Request.of("ff"));
      assertTrue(plain.maxCost().isEmpty() && plain.totalCost().isEmpty() && plain.nodeMaxCost().isEmpty());
    }
  }

  /** Three replicas, of which a node holds one. */
  private static Instance apart() {
    InstanceBuilder b = new InstanceBuilder("apart");
    b.resource("cpu", "cores");
    b.nodeClass(NodeClass.of("standard", 10).withLabels("rack=r1"));
    b.app(App.of("web", 3, 6));
    return b.build();
  }

  @Test
  void plansSurviveLossesAsByHand() {
    try (Instance instance = apart()) {
      Plan plan = instance.plan(Request.builder("ff").survive(Request.EACH_NODE).build());
      assertEquals("*", plan.survive().orElseThrow());
      assertEquals(OptionalLong.of(0), plan.notSurvived());
      assertEquals(PlanStatus.OPTIMAL, plan.status());
      // One node more than hold replicas: the loss of any is borne.
      assertEquals(4, plan.nodesInUse());
      assertEquals(3, plan.placements().size());
      Plan.Bound bound = plan.nodeBound().orElseThrow();
      assertTrue(bound.name().equals("survival") && bound.value() == 4);
      assertTrue(instance.verify(plan.bytes()).ok());
      Plan tight = instance.plan(Request.builder("ff").survive("*").nodeLimit(3).build());
      assertEquals(OptionalLong.of(1), tight.notSurvived());
      assertEquals(PlanStatus.PARTIAL, tight.status());
      assertEquals(NoteCode.PROMISE, tight.notes().getFirst().code());
      Plan plain = instance.plan(Request.of("ff"));
      assertTrue(plain.survive().isEmpty() && plain.notSurvived().equals(OptionalLong.of(0)));
      assertTrue(plain.reserved().isEmpty() && plain.unreserved().isEmpty());
    }
  }

  @Test
  void plansLeaveRacksFreeAsByHand() {
    try (Instance instance = apart()) {
      Plan plan = instance.plan(Request.builder("ff").leaveFree("rack").build());
      assertEquals("rack", plan.leaveFree().orElseThrow());
      assertTrue(plan.domainsInUse() == 1 && plan.domainBound() == 1);
      assertEquals(PlanStatus.OPTIMAL, plan.status());
      Plan plain = instance.plan(Request.of("ff"));
      assertTrue(plain.leaveFree().isEmpty() && plain.domainsInUse() == 0 && plain.domainBound() == 0);
    }
  }

  @Test
  void plansKeepRoomAsByHand() {
    try (Instance instance = apart()) {
      Plan plan = instance.plan(Request.builder("ff").keep(0, 2).build());
      List<Plan.Placement> room = List.of(new Plan.Placement(0, 3, 1), new Plan.Placement(0, 4, 1));
      assertEquals(room, plan.reserved());
      assertTrue(plan.unreserved().isEmpty() && plan.nodesInUse() == 5 && plan.placements().size() == 3);
      assertTrue(instance.verify(plan.bytes()).ok());
      assertEquals(room, Plan.read(Support.bytesOf(plan)).reserved());
      Plan tight = instance.plan(Request.builder("ff").keep(0, 2).nodeLimit(4).build());
      assertEquals(room.subList(0, 1), tight.reserved());
      assertEquals(List.of(new Plan.Unplaced(0, 1)), tight.unreserved());
      assertEquals(PlanStatus.PARTIAL, tight.status());
    }
  }

  @Test
  void refusedPromisesNameTheField() {
    try (Instance instance = apart()) {
      Map<String, Request.Builder> refused = Map.of(
          "survive", Request.builder("ff").survive("zone"),
          "leave_free", Request.builder("ff").leaveFree("zone"),
          "keep[0].app", Request.builder("ff").keep(7, 1),
          "keep[1].app", Request.builder("ff").keep(0, 1).keep(0, 2),
          "keep[0].replicas", Request.builder("ff").keep(0, 0));
      refused.forEach((path, request) ->
          assertEquals(path, failure(Status.INVALID, () -> instance.plan(request.build())).path()));
    }
  }

  private static List<List<InstanceBuilder.Cardinality>> nearDb(String subject, int min, OptionalInt max) {
    return List.of(List.of(new InstanceBuilder.Cardinality(
        InstanceBuilder.CardinalityKind.REPLICAS, List.of(subject), List.of("db"), min, max, "node", false)));
  }

  @Test
  void placementRulesAsByHand() {
    InstanceBuilder b = new InstanceBuilder("ruled");
    b.resource("cpu", "cores");
    b.nodeClass(NodeClass.of("standard", 8));
    int web = b.app(App.of("web", 3, 2).withTags("web"));
    b.app(App.of("db", 1, 4).withTags("db"));
    b.limit(web, web, 2);
    OptionalInt any = OptionalInt.empty();
    b.rule(new InstanceBuilder.Rule("near", nearDb("web", 1, any), OptionalDouble.of(2), false));
    b.rule(new InstanceBuilder.Rule("crowd", nearDb("db", 1, any), OptionalDouble.empty(), false));
    b.rule(new InstanceBuilder.Rule("alone", nearDb("db", 0, OptionalInt.of(0)), OptionalDouble.empty(), true));
    try (Instance instance = b.build(); Instance without = Support.small().build()) {
      Plan plan = instance.plan(Request.of("ff"));
      // Two web and db fill node 0; the third web has no db near. The operator's rule overrides "crowd".
      RuleViolations want = new RuleViolations(1, 1, 1, 2, 2);
      assertEquals(want, plan.ruleViolations().orElseThrow());
      Verification report = instance.verify(plan.bytes());
      assertTrue(report.ok());
      assertEquals(
          List.of(new RuleViolation(0, false, false, OptionalInt.of(1), OptionalInt.of(0), 1, 1, 0, 1, 2)),
          report.ruleViolations());
      // 8 and 2 of 8 are used: mean 5/8, standard deviation 3/8.
      assertEquals(new ClusterMetrics(2, 2, 2, 2, 0, List.of(0.6), want), report.metrics());
      assertEquals(List.of(new OverriddenRule(1, 2)), instance.explain(plan).overridden());
      Plan whole = instance.plan(Request.builder("medea-tp").nodeLimit(1).allOrNothing(true).build());
      assertEquals(List.of(new Plan.Unplaced(0, 3)), whole.unplaced());
      assertTrue(without.plan(Request.of("ff")).ruleViolations().isEmpty());
    }
  }

  @Test
  void compactPlanAsByHand() {
    try (Instance instance = Support.alike().build()) {
      Plan plan = instance.plan(Request.builder("ff").compact(true).build());
      // Four replicas fill a node: two nodes have the same content, and the ninth replica is alone.
      OptionalInt anonymous = OptionalInt.empty();
      assertEquals(List.of(new Plan.Node(0, anonymous, 2), new Plan.Node(0, anonymous, 1)), plan.nodes());
      assertEquals(List.of(new Plan.Placement(0, 0, 4), new Plan.Placement(0, 1, 1)), plan.placements());
      assertEquals(3, plan.nodesInUse());
      assertEquals(OptionalDouble.of(4.5), plan.cost());
      assertEquals(OptionalDouble.of(0), plan.gap());
      Verification report = instance.verify(plan.bytes());
      assertTrue(report.ok() && report.placed() == 9 && report.nodes() == 3);
      assertEquals(plan.nodes(), Plan.read(Support.bytesOf(plan)).nodes());
      Plan each = instance.plan(Request.of("ff"));
      assertEquals(Collections.nCopies(3, new Plan.Node(0, anonymous, 1)), each.nodes());
      assertEquals(plan.cost(), each.cost());
    }
  }

  @Test
  void whatIsLeftOverAsByHand() {
    InstanceBuilder b = Support.alike();
    b.app(App.of("whale", 2, 9).withPriority(1));
    try (Instance instance = b.build(); Instance alike = Support.alike().build()) {
      Plan plan = instance.plan(Request.builder("ff").nodeLimit(1).build());
      // Four of nine fit on a node; no node has room for a whale.
      assertEquals(List.of(new Plan.LeftOver(1, 2), new Plan.LeftOver(0, 5)), plan.leftOverBound());
      assertTrue(plan.placesMost());
      assertEquals(1, plan.notes().size());
      assertEquals(NoteCode.LEFT_OUT, plan.notes().getFirst().code());
      assertTrue(plan.notes().getFirst().text().contains("whale"));
      Plan whole = alike.plan(Request.of("ff"));
      assertTrue(whole.leftOverBound().isEmpty() && !whole.placesMost() && whole.notes().isEmpty());
    }
  }

  @Test
  void failuresHaveStatusAndPath() {
    InstanceBuilder negative = Support.small();
    negative.app(App.of("sick", 1, 1, -1));
    InstanceBuilder tooShort = Support.small();
    tooShort.app(App.of("short", 1, 1));
    InstanceBuilder ruled = Support.small();
    InstanceBuilder.Cardinality racks = new InstanceBuilder.Cardinality(
        InstanceBuilder.CardinalityKind.REPLICAS, List.of("x"), List.of(), 0, OptionalInt.empty(), "racks", false);
    ruled.rule(new InstanceBuilder.Rule("", List.of(List.of(racks)), OptionalDouble.empty(), false));
    InstanceBuilder beside = Support.small();
    beside.limit(5, 0, 1);
    Map.of(
        "apps.demand[5]", negative,
        "apps[2].demand", tooShort,
        "rules[0].any_of[0].all_of[0].group", ruled,
        "limits", beside)
        .forEach((path, builder) -> assertEquals(path, failure(Status.INVALID, builder::build).path()));

    failure(Status.MALFORMED, () -> Instance.load("no instance at all".getBytes(StandardCharsets.UTF_8)));
    Limits one = new Limits(0, 1, 0, 0, 0, 0, 0, 0);
    failure(Status.LIMIT_EXCEEDED, () -> Instance.load(Support.small().bytes(), one));
    try (Instance instance = Support.small().build()) {
      StowageException best = failure(Status.NOT_FOUND, () -> instance.plan(Request.of("best")));
      assertEquals("planner: there is no planner \"best\"", best.getMessage());
      failure(Status.MALFORMED, () -> instance.verify(ByteBuffer.wrap(new byte[10])));
    }
  }

  @Test
  void hostilePlansAreRefusedOrRead() {
    byte[] bytes;
    try (Instance instance = Support.small().build()) {
      bytes = Support.bytesOf(instance.plan(Request.builder("ff").nodeLimit(1).build()));
    }
    failure(Status.MALFORMED, () -> Plan.read(Support.instanceBytes("small")));
    failure(Status.MALFORMED, () -> Plan.read(new byte[0]));
    int refused = 0;
    for (int at = 0; at < bytes.length; ++at) {
      for (byte value : new byte[] {0, 0x7f, -1}) {
        byte[] changed = bytes.clone();
        changed[at] = value;
        try {
          Plan.read(changed);
        } catch (StowageException malformed) {
          assertEquals(Status.MALFORMED, malformed.status());
          ++refused;
        }
      }
    }
    assertTrue(refused > bytes.length / 4, refused + " refused");
  }

  /**
   * A plan of class-0 nodes with the given number of entries in each column; null copies = no such column. It does not know which
   * losses of zones it survives.
   */
  private static byte[] planOf(int classes, int listed, long[] copies) {
    FlatBufferBuilder fbb = new FlatBufferBuilder(256);
    int planner = fbb.createString("mine");
    int zone = fbb.createString("zone");
    int wireClasses = stowage.wire.Plan.createNodeClassVector(fbb, new long[classes]);
    int wireListed = stowage.wire.Plan.createListedVector(fbb, LongStream.generate(() -> -1).limit(listed).toArray());
    int wireCopies = copies == null ? 0 : stowage.wire.Plan.createCopiesVector(fbb, copies);
    stowage.wire.Plan.startPlacedVector(fbb, 0);
    int none = fbb.endVector();
    stowage.wire.Plan.startPlan(fbb);
    stowage.wire.Plan.addPlanner(fbb, planner);
    stowage.wire.Plan.addNodeClass(fbb, wireClasses);
    stowage.wire.Plan.addListed(fbb, wireListed);
    stowage.wire.Plan.addPlaced(fbb, none);
    stowage.wire.Plan.addUnplaced(fbb, none);
    stowage.wire.Plan.addCopies(fbb, wireCopies);
    stowage.wire.Plan.addSurvive(fbb, zone);
    stowage.wire.Plan.addNotSurvived(fbb, -1);
    stowage.wire.Plan.finishPlanBuffer(fbb, stowage.wire.Plan.endPlan(fbb));
    return fbb.sizedByteArray();
  }

  @Test
  void columnsOfNodesHaveOneLength() {
    OptionalInt anonymous = OptionalInt.empty();
    Plan each = Plan.read(planOf(2, 2, null));
    assertEquals("zone", each.survive().orElseThrow());
    assertEquals(OptionalLong.empty(), each.notSurvived());
    assertEquals(List.of(new Plan.Node(0, anonymous, 1), new Plan.Node(0, anonymous, 1)), each.nodes());
    assertEquals(2, each.nodesInUse());
    long most = 0xffffffffL;
    Plan many = Plan.read(planOf(2, 2, new long[] {3, most}));
    assertEquals(List.of(new Plan.Node(0, anonymous, 3), new Plan.Node(0, anonymous, most)), many.nodes());
    assertEquals(3 + most, many.nodesInUse());
    List.of(
        planOf(2, 1, null),
        planOf(2, 3, null),
        planOf(2, 2, new long[] {}),
        planOf(2, 2, new long[] {3}),
        planOf(2, 2, new long[] {3, 1, 1}),
        planOf(0, 0, new long[] {1}))
        .forEach(bytes -> failure(Status.MALFORMED, () -> Plan.read(bytes)));
  }

  private static Instance everything(double confidence) {
    InstanceBuilder b = new InstanceBuilder("all");
    b.periods(2);
    b.resource("cpu", "cores");
    int c = b.nodeClass(NodeClass.of("c", 8).withCount(3).withPrice(2.5).withLabels("zone=a"));
    int node = b.node(Node.of("n", c).withLoad(1).withLoadVariance(0.5).withClosed(true).withTags("ssd"));
    int flat = b.app(App.of("flat", 2, 1).withPriority(-3).withVariance(0.25).withKind("io").withTags("web"));
    b.app(App.of("day", 2, 1, 2).withSupport(new double[] {0}, new double[] {3}));
    b.running(flat, node, 1);
    b.pin(flat, node, 1);
    b.nodeGroup(new InstanceBuilder.NodeGroup("zone", Map.of(), "zone"));
    b.nodeGroup(new InstanceBuilder.NodeGroup("rack", Map.of("r1", new int[] {node}), ""));
    List<String> web = List.of("web");
    b.rule(new InstanceBuilder.Rule(
        "spread",
        List.of(
            List.of(new InstanceBuilder.Cardinality(
                InstanceBuilder.CardinalityKind.REPLICAS, web, web, 0, OptionalInt.of(3), "rack", true)),
            List.of(new InstanceBuilder.Cardinality(
                InstanceBuilder.CardinalityKind.SKEW, web, List.of(), 0, OptionalInt.of(3), "zone", false))),
        OptionalDouble.of(2),
        true));
    b.uncertainty(InstanceBuilder.ChanceModel.GAUSSIAN, confidence, 0);
    b.interference(List.of("cpu", "io"), 0, 1, 1, 0);
    return b.build();
  }

  @Test
  void everyPartOfTheModelArrives() {
    try (Instance instance = everything(0.95); Instance other = everything(0.96)) {
      assertNotEquals(instance.fingerprint(), other.fingerprint());
      try {
        instance.plan(Request.of("ff"));
      } catch (StowageException refused) {
        assertEquals(Status.UNSUPPORTED, refused.status());
      }
    }
  }

  @Test
  void oneInstanceForManyThreads() throws Exception {
    try (Instance instance = Support.workload(40, 8).build();
        ExecutorService threads = Executors.newFixedThreadPool(8)) {
      byte[] want = Support.bytesOf(instance.plan(Request.of("bfd-avg")));
      Callable<Void> work = () -> {
        for (int k = 0; k < 20; ++k) {
          Plan plan = instance.plan(Request.of("bfd-avg"));
          assertArrayEquals(want, Support.bytesOf(plan));
          assertTrue(instance.verify(plan.bytes()).ok());
        }
        return null;
      };
      for (Future<Void> done : threads.invokeAll(IntStream.range(0, 8).mapToObj(k -> work).toList())) {
        done.get();
      }
    }
  }

  private static final Request LONG = Request.builder("auto").deadline(Duration.ofMinutes(1)).build();

  /** Waits until the run has a plan, and a few milliseconds longer. */
  private static void untilItImproves(Control control) throws InterruptedException {
    while (control.progress().best().isEmpty()) {
      Thread.sleep(1);
    }
    Thread.sleep(20);
  }

  @Test
  void cancelReturnsTheBestPlanSoFarWithin60Milliseconds() throws Exception {
    List<Long> latencies = new ArrayList<>();
    List<Plan> plans = new ArrayList<>();
    try (Instance instance = Support.workload(200, 60).build(); Control control = new Control()) {
      for (int k = 0; k < 5; ++k) {
        control.reset();
        latencies.add(Support.microsecondsToEnd(() -> plans.add(instance.plan(LONG, control)), () -> {
          untilItImproves(control);
          return null;
        }, control::cancel));
        Plan plan = plans.getLast();
        assertEquals(PlanStatus.CANCELLED, plan.status());
        assertTrue(plan.unplaced().isEmpty() && instance.verify(plan.bytes()).ok());
        assertTrue(control.progress().cancelled());
      }
    }
    latencies.sort(null);
    System.out.println("cancel latencies in microseconds: " + latencies);
    assertTrue(latencies.get(2) <= 60_000, () -> latencies.toString());
  }

  @Test
  void aDeadlineIsRepeatedByItsWork() {
    try (Instance instance = Support.workload(200, 60).build()) {
      Plan plan = instance.plan(Request.builder("auto").deadline(Duration.ofMillis(50)).build());
      assertEquals(PlanStatus.DEADLINE, plan.status());
      Plan again = instance.plan(Request.builder("auto").workLimit(plan.work()).build());
      assertEquals(plan.placements(), again.placements());
    }
  }

  @Test
  void closeWaitsForRunsAndIsFinal() throws Exception {
    Instance instance = Support.workload(200, 60).build();
    Control control = new Control();
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<Plan> run = threads.submit(() -> instance.plan(LONG, control));
      untilItImproves(control);
      assertThrows(IllegalStateException.class, control::reset);
      assertThrows(IllegalStateException.class, () -> instance.plan(LONG, control));
      // Cancels the run and waits for it.
      control.close();
      instance.close();
      assertEquals(PlanStatus.CANCELLED, run.get().status());
    }
    control.close();
    instance.close();
    assertThrows(IllegalStateException.class, () -> instance.plan(LONG));
    assertThrows(IllegalStateException.class, instance::fingerprint);
    assertThrows(IllegalStateException.class, control::progress);
  }

  private static void round(ByteBuffer bytes) {
    try (Instance instance = Instance.load(bytes, Limits.DEFAULTS); Control control = new Control()) {
      Plan plan = instance.plan(Request.builder("ff").nodeLimit(1).build(), control);
      assertTrue(instance.verify(plan.bytes()).ok());
      assertEquals(1, instance.explain(plan, 0).apps().size());
      failure(Status.NOT_FOUND, () -> instance.plan(Request.of("best")));
    }
  }

  @Test
  void aThousandPlansLeaveNothingBehind() {
    ByteBuffer bytes = Support.small().bytes();
    // The virtual machine allocates too, less and less as it warms up. Leaking one plan per round would add a megabyte per
    // round.
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 6 && least > 256 << 10; ++attempt) {
      long before = NativeHeap.inUse();
      for (int k = 0; k < 1000; ++k) {
        round(bytes);
      }
      least = Math.min(least, NativeHeap.inUse() - before);
    }
    assertTrue(least <= 256 << 10, least + " bytes more after a thousand plans, every time");
  }

  @Test
  void whatNobodyClosedIsFreed() throws InterruptedException {
    byte[] bytes = Support.instanceBytes("profile");
    // What earlier tests left must not be freed while this one counts.
    long before = NativeHeap.settled();
    List<Instance> all = new ArrayList<>();
    for (int k = 0; k < 100; ++k) {
      all.add(Instance.load(bytes));
    }
    long held = NativeHeap.inUse();
    assertTrue(held > before + (1 << 20), "the counter does not see what is held");
    all.forEach(one -> assertNotEquals(0, one.fingerprint()));
    all.clear();
    long after = held;
    for (int k = 0; k < 100 && after > before + (held - before) / 4; ++k) {
      System.gc();
      Thread.sleep(20);
      after = NativeHeap.inUse();
    }
    assertTrue(after <= before + (held - before) / 4, before + " bytes before, " + held + " held, " + after + " after");
  }

  @Test
  void largePlansAreFreedWithTheirLastReader() throws InterruptedException {
    InstanceBuilder builder = new InstanceBuilder("many");
    builder.resource("cpu", "cores");
    builder.nodeClass(NodeClass.of("standard", 64));
    for (int k = 0; k < 8000; ++k) {
      builder.app(App.of("app-" + k, 1, 1 + k % 7));
    }
    try (Instance instance = builder.build()) {
      Plan first = instance.plan(Request.of("ff"));
      assertTrue(first.bytes().isDirect(), "a plan of " + first.bytes().capacity() + " bytes");
      long before = NativeHeap.settled();
      long most = 0;
      for (int k = 0; k < 1000; ++k) {
        assertEquals(8000, instance.plan(Request.of("ff")).placements().size());
        most = Math.max(most, NativeHeap.inUse() - before);
      }
      assertTrue(most <= 80 << 20, most + " bytes held for plans that nobody reads");
      long after = most;
      for (int k = 0; k < 100 && after > 1 << 20; ++k) {
        System.gc();
        Thread.sleep(20);
        after = NativeHeap.inUse() - before;
      }
      assertTrue(after <= 1 << 20, most + " bytes held, " + after + " still");
      assertEquals(8000, first.placements().stream().mapToInt(Plan.Placement::replicas).sum());
      assertTrue(instance.verify(first.bytes()).ok());
    }
  }

  @Test
  void bytesAreTakenFromAnyBuffer() {
    byte[] bytes = Support.instanceBytes("shop");
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 3).position(3).put(bytes).position(3);
    ByteBuffer slice = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    try (Instance one = Instance.load(bytes);
        Instance two = Instance.load(direct, Limits.DEFAULTS);
        Instance three = Instance.load(slice, Limits.DEFAULTS)) {
      assertEquals(one.fingerprint(), two.fingerprint());
      assertEquals(one.fingerprint(), three.fingerprint());
      assertEquals(3, direct.position());
      assertFalse(one.plan(Request.of("ff")).nodes().isEmpty());
    }
  }
}
