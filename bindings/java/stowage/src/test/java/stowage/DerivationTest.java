package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DerivationTest {
  /** Six web and two db, with 8 GiB to a node: two web to a node, or one db. */
  @Test
  void derivedInstancesAreThoseOfTheirBytes() {
    Derivation derivation =
        new Derivation().replicas(2).resource("memory", new Derivation.OfResource(1, 0.5, 1));
    Instance derived;
    try (Instance instance = Support.small().build()) {
      derived = instance.derive(derivation);
      assertNotEquals(instance.fingerprint(), derived.fingerprint());
      try (Instance same = instance.derive(new Derivation())) {
        assertEquals(instance.fingerprint(), same.fingerprint());
      }
    }
    try (derived; Instance loaded = Instance.load(derived.save(), Limits.DEFAULTS)) {
      assertEquals(derived.fingerprint(), loaded.fingerprint());
      Plan plan = derived.plan(Request.of("ff"));
      assertEquals(5, plan.nodesInUse());
      assertEquals(plan.bytes(), loaded.plan(Request.of("ff")).bytes());
      assertTrue(loaded.verify(plan.bytes()).ok());
    }
  }

  @Test
  void everyChangeOfADerivation() {
    Derivation derivation = new Derivation().name("grown").demand(2).load(3)
        .resource(0, new Derivation.OfResource(0.25, 1, 1))
        .app("web", new Derivation.OfApp().replicas(5).demandFactor(3))
        .app(1, new Derivation.OfApp().replicaFactor(2).demand(1, 2))
        .nodeClass("standard", new Derivation.OfClass().count(7).capacityFactor(4).price(2.5));
    InstanceBuilder builder = new InstanceBuilder("grown");
    builder.resource("cpu", "cores");
    builder.resource("memory", "GiB");
    builder.nodeClass(NodeClass.of("standard", 32, 64).withCount(7).withPrice(2.5));
    int web = builder.app(App.of("web", 5, 3, 24));
    int db = builder.app(App.of("db", 2, 1, 2));
    builder.limit(web, web, 2);
    builder.limit(db, web, 1);
    try (Instance instance = Support.small().build();
        Instance derived = instance.derive(derivation);
        Instance built = builder.build();
        Instance again = derived.derive(new Derivation().price(2).capacity(0.5).limits(0)
            .nodeClass(0, new Derivation.OfClass().capacity(9, 30)))) {
      assertEquals(built.fingerprint(), derived.fingerprint());
      assertNotEquals(derived.fingerprint(), again.fingerprint());
    }
  }

  @Test
  void derivedWithinLimits() {
    Derivation twice = new Derivation().replicas(2);
    // As many replicas as there are.
    try (Instance small = Support.small().build();
        Instance instance = Instance.load(small.save(), new Limits(0, 0, 4, 0, 0, 0, 0, 0))) {
      refused(instance, twice, Status.LIMIT_EXCEEDED, "apps.replicas[0]");
      try (Instance derived = instance.derive(twice, new Limits(0, 0, 8, 0, 0, 0, 0, 0))) {
        // What is derived keeps the limits that it was given.
        refused(derived, twice, Status.LIMIT_EXCEEDED, "apps.replicas[0]");
        StowageException failure = assertThrows(
            StowageException.class, () -> derived.derive(new Derivation(), new Limits(0, 0, 7, 0, 0, 0, 0, 0)));
        assertEquals(Status.LIMIT_EXCEEDED, failure.status());
      }
    }
  }

  @Test
  void derivationsThatAreRefused() {
    try (Instance instance = Support.small().build()) {
      refused(instance, new Derivation().demand(-1), Status.INVALID, "demand");
      refused(instance, new Derivation().replicas(Double.NaN), Status.INVALID, "replicas");
      refused(instance, new Derivation().replicas(1e9), Status.LIMIT_EXCEEDED, "apps.replicas[0]");
      refused(instance, new Derivation().app("cache", new Derivation.OfApp()), Status.NOT_FOUND, "by_app[0].name");
      refused(instance, new Derivation().nodeClass(9, new Derivation.OfClass()), Status.NOT_FOUND, "by_class[0].node_class");
    }
    Instance closed = Support.small().build();
    closed.close();
    assertThrows(IllegalStateException.class, () -> closed.derive(new Derivation()));
    assertThrows(IllegalStateException.class, closed::save);
  }

  private static void refused(Instance instance, Derivation derivation, Status status, String path) {
    StowageException failure = assertThrows(StowageException.class, () -> instance.derive(derivation));
    assertEquals(status, failure.status(), failure.getMessage());
    assertEquals(path, failure.path());
  }
}
