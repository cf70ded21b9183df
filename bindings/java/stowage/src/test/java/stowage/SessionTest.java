package stowage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Intervals, conflicts, snapshots, and the state after failures and cancellations. */
@Timeout(120)
class SessionTest {
  private static final Operation WEB = Operation.Submit.of("web", 3, 4).withLimits(Map.of("web", 1));

  private static ByteBuffer empty() {
    InstanceBuilder cluster = new InstanceBuilder("session");
    cluster.resource("cpu", "cores");
    cluster.nodeClass(NodeClass.of("standard", 8));
    return cluster.bytes();
  }

  /** A session with one node and three pending replicas. */
  private static Session started() {
    Session session = Session.open(empty());
    session.apply(Operation.AddNode.of("a", "standard").withTags("ssd"), WEB);
    return session;
  }

  private static StowageException failure(Status status, Executable call) {
    StowageException failure = assertThrows(StowageException.class, call);
    assertEquals(status, failure.status(), failure.getMessage());
    return failure;
  }

  @Test
  void anIntervalWithAConflict() {
    try (Session session = started()) {
      Plan early = session.plan(Request.of("ff"));
      session.apply(Operation.Load.of("a", 6));
      Commit exact = session.commit(early.bytes(), CommitMode.EXACT);
      assertFalse(exact.committed());
      assertEquals("version", exact.conflicts().getFirst().kind());
      assertEquals(2, exact.plannedVersion());
      assertEquals(3, exact.version());
      Commit fitting = session.commit(early.bytes(), CommitMode.FITTING);
      assertEquals(List.of("no-room:a"), fitting.conflicts().stream().map(one -> one.kind() + ":" + one.node()).toList());
      session.reject(early.bytes());
      failure(Status.INVALID, () -> session.reject(early.bytes()));

      Plan plan = session.plan(Request.of("ff"));
      try (Instance instance = session.instance()) {
        assertEquals(plan.instance(), instance.fingerprint());
        assertTrue(instance.verify(plan.bytes()).ok());
      }
      Commit commit = session.commit(plan.bytes(), CommitMode.EXACT);
      assertEquals(
          new Commit(true, 3, 4, 3, 0, 0, List.of("standard-1", "standard-2", "standard-3"), List.of()), commit);
    }
  }

  @Test
  void aSnapshotGoesOnAsTheSessionWouldHave() {
    try (Session session = started()) {
      session.commit(session.plan(Request.of("ff")).bytes(), CommitMode.EXACT);
      ByteBuffer snapshot = session.snapshot();
      try (Session again = Session.open(snapshot)) {
        assertArrayEquals(snapshot.array(), again.snapshot().array());
        assertEquals(session.version(), again.version());
        for (Session one : List.of(session, again)) {
          one.apply(new Operation.Drain("standard-1"), new Operation.Scale("web", 5));
        }
        assertArrayEquals(session.snapshot().array(), again.snapshot().array());
      }
    }
  }

  @Test
  void failuresLeaveTheSessionAsItWas() {
    try (Session session = started(); Session shop = Session.open(ByteBuffer.wrap(Support.instanceBytes("shop")))) {
      byte[] before = session.snapshot().array();
      // The first operation alone would be accepted; the second is refused.
      StowageException nobody = failure(
          Status.NOT_FOUND, () -> session.apply(new Operation.Scale("web", 9), new Operation.Remove("nobody")));
      assertEquals("operations[1].app", nobody.path());
      assertEquals("operations[0].app", failure(Status.INVALID, () -> session.apply(WEB)).path());
      failure(Status.MALFORMED, () -> session.applyBytes(ByteBuffer.wrap(new byte[20])));
      failure(Status.NOT_FOUND, () -> session.plan(Request.of("best")));
      failure(Status.MALFORMED, () -> session.commit(ByteBuffer.wrap(new byte[20]), CommitMode.EXACT));
      ByteBuffer elsewhere = shop.plan(Request.of("ff")).bytes();
      failure(Status.INVALID, () -> session.commit(elsewhere, CommitMode.WHOLE));
      assertArrayEquals(before, session.snapshot().array());
      assertEquals(2, session.version());
    }
    try (Session small = Session.open(empty(), new Limits(0, 1, 0, 0, 0, 0, 0, 0))) {
      small.apply(WEB);
      failure(Status.LIMIT_EXCEEDED, () -> small.apply(Operation.Submit.of("db", 1, 1)));
    }
    failure(Status.MALFORMED, () -> Session.open(ByteBuffer.wrap(new byte[20])));
  }

  @Test
  void closeIsFinalAndInstancesOutliveIt() {
    Session session = started();
    Plan plan = session.plan(Request.of("ff"));
    Instance batch = session.instance();
    session.close();
    session.close();
    for (Executable call : List.<Executable>of(
        session::version,
        session::instance,
        session::snapshot,
        () -> session.apply(WEB),
        () -> session.plan(Request.of("ff")),
        () -> session.reject(plan.bytes()),
        () -> session.commit(plan.bytes(), CommitMode.EXACT))) {
      assertThrows(IllegalStateException.class, call);
    }
    try (batch) {
      assertTrue(batch.verify(plan.bytes()).ok());
    }
  }

  @Test
  void threadsTakeTurns() throws Exception {
    try (Session session = Session.open(empty()); ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < 4; ++t) {
        String prefix = "app-" + t + "-";
        all.add(threads.submit(() -> {
          for (int k = 0; k < 25; ++k) {
            session.apply(Operation.Submit.of(prefix + k, 1, 1));
            session.plan(Request.of("ff"));
          }
        }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertEquals(100, session.version());
    }
  }

  @Test
  void cancelFromAnotherThreadReturnsAPlanThatCanBeCommittedWithin60Milliseconds() throws Exception {
    List<Long> latencies = new ArrayList<>();
    Request request = Request.builder("auto").deadline(Duration.ofMinutes(1)).build();
    try (Session session = Session.open(Support.workload(200, 60).bytes()); Control control = new Control()) {
      byte[] before = session.snapshot().array();
      List<Plan> plans = new ArrayList<>();
      for (int k = 0; k < 5; ++k) {
        control.reset();
        latencies.add(Support.microsecondsToEnd(() -> plans.add(session.plan(request, control)), () -> {
          while (control.progress().best().isEmpty()) {
            Thread.sleep(1);
          }
          return null;
        }, control::cancel));
        assertEquals(PlanStatus.CANCELLED, plans.getLast().status());
      }
      assertArrayEquals(before, session.snapshot().array());
      assertTrue(session.commit(plans.getLast().bytes(), CommitMode.EXACT).committed());
    }
    latencies.sort(null);
    System.out.println("cancel latencies of sessions in microseconds: " + latencies);
    assertTrue(latencies.get(2) <= 60_000, latencies::toString);
  }

  @Test
  void aThousandIntervalsLeaveNothingBehind() {
    ByteBuffer bytes = empty();
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 6 && least > 256 << 10; ++attempt) {
      long before = NativeHeap.inUse();
      for (int k = 0; k < 1000; ++k) {
        try (Session session = Session.open(bytes)) {
          session.apply(WEB);
          assertTrue(session.commit(session.plan(Request.of("ff")).bytes(), CommitMode.EXACT).committed());
          failure(Status.NOT_FOUND, () -> session.apply(new Operation.Remove("nobody")));
          assertEquals(2, session.version());
          session.instance().close();
        }
      }
      least = Math.min(least, NativeHeap.inUse() - before);
    }
    assertTrue(least <= 256 << 10, least + " bytes more after a thousand intervals, every time");
  }
}
