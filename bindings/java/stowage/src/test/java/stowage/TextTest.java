package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Text is UTF-8 on both sides. */
class TextTest {
  /** Of one to four bytes, and with what may stand in UTF-8 but seldom does. */
  private static final String RARE = "é\u0000 中 \uffff 🚢\u0301";
  private static final String HALF = "web-\ud83d";
  private static final String LOW = "\udea2-web";

  @Test
  void textSurvivesRoundTrips() {
    InstanceBuilder builder = new InstanceBuilder(RARE);
    builder.resource(RARE + "cpu", "cores");
    builder.nodeClass(NodeClass.of(RARE + "class", 8));
    builder.app(App.of(RARE, 2, 1));
    builder.node(Node.of(RARE + "node", 0));
    Cluster cluster = Cluster.read(builder.bytes());
    assertEquals(RARE, cluster.apps().getFirst().name());
    assertEquals(RARE + "node", cluster.nodes().getFirst().name());
    assertEquals(List.of(RARE + "cpu"), cluster.resources());
    assertEquals(List.of(RARE + "class"), cluster.classes());
    try (Session session = Session.open(builder.bytes())) {
      session.apply(Operation.Submit.of(RARE + 2, 1, 1));
      assertEquals(RARE + 2, session.cluster().apps().getLast().name());
      StowageException unknown =
          assertThrows(StowageException.class, () -> session.apply(new Operation.Remove("🚢")));
      assertTrue(unknown.getMessage().contains("🚢"), unknown.getMessage());
    }
    assertEquals(cluster, Cluster.read(Json.instance(Json.of(builder.bytes()))));
    Samples samples = Samples.of(List.of(RARE), List.of("a", "b"), new int[] {0, 1}, new double[] {1, 1}, new double[] {0.5, 1});
    try (Model model = Model.learn(samples)) {
      assertEquals(List.of(RARE), model.recommend(Question.of(samples, Goal.of(1))).resources());
    }
  }

  private static InstanceBuilder empty(String name, String resource, String unit) {
    InstanceBuilder builder = new InstanceBuilder(name);
    builder.resource(resource, unit);
    builder.nodeClass(NodeClass.of("standard", 8));
    return builder;
  }

  private static InstanceBuilder with(java.util.function.Consumer<InstanceBuilder> change) {
    InstanceBuilder builder = Support.small();
    change.accept(builder);
    return builder;
  }

  private static StowageException refused(String what, Executable call) {
    StowageException failure = assertThrows(StowageException.class, call, what);
    assertTrue(
        failure.status() == Status.MALFORMED || failure.status() == Status.INVALID, what + ": " + failure.status());
    assertTrue(failure.getMessage().contains("UTF-8"), what + ": " + failure.getMessage());
    return failure;
  }

  @Test
  void halvesOfPairsAreRefusedWithTheirPath() {
    for (String half : List.of(HALF, LOW, "\udea2\ud83d")) {
      Map<String, InstanceBuilder> instances = new LinkedHashMap<>();
      instances.put("name", empty(half, "cpu", "cores"));
      instances.put("resources", empty("", half, "cores"));
      instances.put("unit", empty("", "cpu", half));
      instances.put("classes", with(it -> it.nodeClass(NodeClass.of(half, 8, 16))));
      instances.put("labels", with(it -> it.nodeClass(NodeClass.of("c", 8, 16).withLabels(half))));
      instances.put("apps", with(it -> it.app(App.of(half, 1, 1, 1))));
      instances.put("tags", with(it -> it.app(App.of("a", 1, 1, 1).withTags(half))));
      instances.put("nodes", with(it -> it.node(Node.of(half, 0))));
      instances.put("groups", with(it -> it.nodeGroup(new InstanceBuilder.NodeGroup(half, Map.of(), "zone"))));
      instances.put("by_label", with(it -> it.nodeGroup(new InstanceBuilder.NodeGroup("zone", Map.of(), half))));
      instances.put("rules", with(it ->
          it.rule(new InstanceBuilder.Rule(half, List.of(List.of()), OptionalDouble.empty(), false))));
      instances.put("kinds", with(it -> it.interference(List.of(half), 1)));
      instances.forEach((what, builder) -> {
        ByteBuffer bytes = builder.bytes();
        String path = refused(what, builder::build).path();
        assertTrue(!path.isEmpty(), what + " has no path");
        assertEquals(path, refused(what, () -> Session.open(bytes)).path());
        refused(what, () -> Cluster.read(bytes));
        refused(what, () -> Json.of(bytes));
      });
    }
    try (Session session = Session.open(Support.small().bytes()); Instance instance = Support.small().build()) {
      assertEquals("operations[0].app", refused("app", () -> session.apply(Operation.Submit.of(HALF, 1, 1, 1))).path());
      assertEquals("operations[1].node", refused("node",
          () -> session.apply(new Operation.Scale("web", 1), Operation.AddNode.of(HALF, "standard"))).path());
      assertTrue(!refused("survive", () -> instance.plan(Request.builder("ff").survive(HALF).build())).path().isEmpty());
      assertTrue(!refused("leave free", () -> instance.plan(Request.builder("ff").leaveFree(LOW).build())).path().isEmpty());
      assertTrue(!refused("name", () -> instance.derive(new Derivation().name(HALF))).path().isEmpty());
      assertTrue(!refused("app", () -> instance.derive(new Derivation().app(HALF, new Derivation.OfApp()))).path().isEmpty());
      assertTrue(!refused("planner", () -> instance.plan(Request.of(HALF))).path().isEmpty());
      assertTrue(!refused("option", () -> instance.plan(Request.builder("ff").option(HALF, 1).build())).path().isEmpty());
      // No node can have such a label.
      StowageException label = assertThrows(StowageException.class, () -> instance.losses(null, HALF));
      assertEquals(Status.INVALID + " label", label.status() + " " + label.path());
      refused("json", () -> Json.instance("{\"name\": \"" + HALF + "\"}"));
    }
    Samples samples = Samples.of(List.of(HALF), List.of("a"), new int[1], new double[] {1}, new double[] {1});
    assertEquals("resources[0]", refused("resource", () -> Model.learn(samples)).path());
  }
}
