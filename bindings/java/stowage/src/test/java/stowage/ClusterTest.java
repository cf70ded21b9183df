package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Names and states of instances and sessions. */
class ClusterTest {
  private static Cluster.NamedPlacement placed(String app, String node) {
    return new Cluster.NamedPlacement(app, node, "standard", 1, 1);
  }

  /** Nodes and apps keep their names while positions shift: an app leaves, a node is drained. */
  @Test
  void aSessionByName() {
    InstanceBuilder empty = new InstanceBuilder("session");
    empty.resource("cpu", "cores");
    empty.nodeClass(NodeClass.of("standard", 8));
    try (Session session = Session.open(empty.bytes())) {
      session.apply(
          Operation.AddNode.of("a", "standard"),
          Operation.Submit.of("web", 3, 4).withLimits(Map.of("web", 1)),
          Operation.Submit.of("first", 1, 1),
          Operation.Submit.of("last", 1, 2),
          Operation.AddNode.of("b", "standard"));
      Cluster before = session.cluster();
      Plan plan = session.plan(Request.of("ff"));
      // web needs 4 of 8 cores and allows one per node; first and last go beside the first of them.
      assertEquals(
          List.of(
              placed("web", "a"), placed("first", "a"), placed("last", "a"), placed("web", "b"), placed("web", "standard-1")),
          before.name(plan));
      session.commit(plan.bytes(), CommitMode.EXACT);
      session.apply(new Operation.Remove("first"), new Operation.Cordon("b"), new Operation.Drain("standard-1"));
      Cluster after = session.cluster();
      assertEquals(session.version(), after.version());
      assertTrue(after.version() > before.version());
      assertEquals(List.of(new Cluster.NamedApp("web", 3), new Cluster.NamedApp("last", 1)), after.apps());
      assertEquals(
          List.of(
              new Cluster.NamedNode("a", "standard", NodeState.OPEN),
              new Cluster.NamedNode("b", "standard", NodeState.CORDONED),
              new Cluster.NamedNode("standard-1", "standard", NodeState.DRAINED)),
          after.nodes());
      assertEquals(List.of(new Cluster.Residence("last", "a", 1)), after.whereIs("last"));
      assertEquals(List.of(), after.whereIs("first"));
      // The positions of the plan are no longer those of the cluster.
      assertEquals(Status.INVALID, assertThrows(StowageException.class, () -> after.name(plan)).status());
    }
  }

  @Test
  void anInstanceByName() {
    InstanceBuilder builder = new InstanceBuilder("numbers");
    builder.resource("cpu", "cores");
    builder.nodeClass(NodeClass.of("", 8));
    builder.app(App.of("web", 9, 8));
    builder.app(App.of("db", 1, 5));
    // Names of new nodes skip those of listed ones.
    builder.node(Node.of("node-2", 0).withLoad(8));
    builder.node(Node.of("node-4", 0).withLoad(8).withClosed(true));
    Cluster cluster = Cluster.read(builder.bytes());
    try (Instance instance = builder.build()) {
      assertEquals(instance.fingerprint(), cluster.fingerprint());
      assertEquals(0, cluster.version());
      assertEquals(List.of("cpu"), cluster.resources());
      assertEquals(List.of("node"), cluster.classes());
      assertEquals(
          List.of(NodeState.OPEN, NodeState.CORDONED), cluster.nodes().stream().map(Cluster.NamedNode::state).toList());
      Plan plan = instance.plan(Request.of("ff"));
      assertEquals(numbered(2, 4, 1, 3, 5, 6, 7, 8, 9, 10, 11, 12), cluster.nodeNames(plan));
      List<Plan.TracedPart> trace = instance.plan(Request.builder("auto").workLimit(1000).trace(true).build()).trace();
      assertEquals("exchanges", trace.get(0).name());
      assertEquals(1, trace.get(0).calls());
      // node-1 stands for nine nodes.
      Plan compact = instance.plan(Request.builder("ff").compact(true).build());
      assertEquals(numbered(2, 4, 1, 12), cluster.nodeNames(compact));
    }
  }

  private static List<String> numbered(int... numbers) {
    return IntStream.of(numbers).mapToObj(number -> "node-" + number).toList();
  }

  @Test
  void bytesThatAreCutAreRefused() {
    ByteBuffer bytes = Support.small().bytes();
    for (int size = 0; size < bytes.limit(); ++size) {
      ByteBuffer cut = bytes.slice(0, size);
      assertThrows(StowageException.class, () -> Cluster.read(cut));
    }
  }
}
