package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Controls and interrupts end every call. */
@Timeout(300)
class CancelTest {
  /** Ends by itself only after a time that no machine needs to end a call. */
  private static final Request LONG = Request.builder("auto").deadline(Duration.ofMinutes(4)).build();
  private static final long MOST_MS = 5000;
  /** Cancelled calls with an answer in part. */
  private static final Set<String> PARTLY = Set.of(
      "stowage_bound", "stowage_explain", "stowage_losses", "stowage_order_moves", "stowage_plan", "stowage_session_plan");
  /** They take no time, or are not about a call. */
  private static final Set<String> SHORT = Set.of(
      "stowage_control_cancel", "stowage_control_free", "stowage_control_new", "stowage_control_progress",
      "stowage_control_reset", "stowage_control_set_deadline", "stowage_instance_fingerprint", "stowage_planners",
      "stowage_session_version", "stowage_status_text", "stowage_version");

  private static PublicFunctions shared() {
    return new PublicFunctions(Support.workload(300, 150).bytes());
  }

  @Test
  void aCancelledControlEndsEveryFunction() {
    try (PublicFunctions shared = shared(); Control control = new Control()) {
      control.cancel();
      long version = shared.session.version();
      Set<String> answered = new TreeSet<>();
      shared.all().forEach((name, function) -> {
        try {
          function.accept(control);
          answered.add(name);
        } catch (StowageException ended) {
          assertEquals(Status.CANCELLED, ended.status(), name);
        }
      });
      assertTrue(answered.containsAll(SHORT));
      answered.removeAll(SHORT);
      // One that begins with another call of no control.
      answered.remove("stowage_session_reject");
      // They too are cancelled where they have not yet read the plan.
      assertTrue(PARTLY.containsAll(answered), answered.toString());
      assertTrue(answered.containsAll(Set.of("stowage_bound", "stowage_plan", "stowage_session_plan")), answered.toString());
      assertEquals(version, shared.session.version());
      control.reset();
      assertFalse(shared.instance.losses(shared.plan, "", control).isEmpty());
    }
  }

  @Test
  void anInterruptedThreadBeginsNothing() {
    try (PublicFunctions shared = shared()) {
      shared.all().forEach((name, function) -> {
        Thread.currentThread().interrupt();
        try {
          function.accept(null);
          assertTrue(SHORT.contains(name), name);
        } catch (StowageException ended) {
          assertEquals(Status.CANCELLED, ended.status(), name);
        }
        assertTrue(Thread.interrupted(), name + " forgets the interrupt");
      });
    }
  }

  /** Runs something on another thread, ends it once it is under way, and returns the milliseconds until it came back. */
  private static long ended(Consumer<CountDownLatch> run, Consumer<Thread> end, Status want) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Object[] outcome = new Object[2];
    Thread thread = new Thread(() -> {
      try {
        run.accept(begun);
        outcome[0] = "an answer";
      } catch (StowageException failure) {
        outcome[0] = failure.status();
      }
      outcome[1] = Thread.currentThread().isInterrupted();
    });
    thread.start();
    begun.await();
    Thread.sleep(30);
    assertTrue(thread.isAlive());
    long begin = System.nanoTime();
    end.accept(thread);
    thread.join(60_000);
    long took = (System.nanoTime() - begin) / 1_000_000;
    assertFalse(thread.isAlive(), "it does not end");
    assertEquals(want, outcome[0]);
    if (want == Status.CANCELLED) {
      assertEquals(true, outcome[1], "the interrupt is forgotten");
    }
    return took;
  }

  @Test
  void anInterruptEndsACall() throws Exception {
    Map<String, Long> milliseconds = new LinkedHashMap<>();
    try (PublicFunctions shared = shared(); Control control = new Control(); Control told = new Control()) {
      told.onProgress(Duration.ofMillis(1), progress -> {});
      Map<String, Consumer<CountDownLatch>> calls = Map.of(
          "a plan", begun -> {
            begun.countDown();
            shared.instance.plan(LONG);
          },
          "a plan under a control", begun -> {
            begun.countDown();
            shared.instance.plan(LONG, control);
          },
          "a plan with a listener", begun -> {
            begun.countDown();
            shared.instance.plan(LONG, told);
          },
          "a loop of plans", begun -> {
            begun.countDown();
            while (true) {
              shared.instance.plan(Request.of("ff"));
            }
          },
          "JSON", begun -> {
            String json = Json.of(shared.bytes);
            begun.countDown();
            while (true) {
              Json.instance(json);
            }
          },
          "a session's plan", begun -> {
            begun.countDown();
            shared.session.plan(LONG);
          });
      for (var call : calls.entrySet()) {
        milliseconds.put(call.getKey(), ended(call.getValue(), Thread::interrupt, Status.CANCELLED));
      }
      // An interrupt is that of one call.
      assertEquals(PlanStatus.DEADLINE, shared.instance.plan(
          Request.builder("auto").deadline(Duration.ofMillis(50)).build()).status());
    }
    System.out.println("milliseconds from an interrupt to the end of a call: " + milliseconds);
    milliseconds.forEach((call, took) -> assertTrue(took < MOST_MS, call + ": " + took + " ms"));
  }

  @Test
  void aFutureThatIsCancelledFreesItsThread() throws Exception {
    try (PublicFunctions shared = shared(); ExecutorService threads = Executors.newSingleThreadExecutor();
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      for (ExecutorService executor : List.of(threads, virtual)) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Future<?> future = executor.submit(() -> {
          begun.countDown();
          try {
            return shared.instance.plan(LONG);
          } finally {
            done.countDown();
          }
        });
        begun.await();
        Thread.sleep(20);
        future.cancel(true);
        assertTrue(done.await(MOST_MS, TimeUnit.MILLISECONDS), "the plan goes on");
        assertThrows(CancellationException.class, future::get);
      }
    }
  }

  @Test
  void waitingForATurnEnds() throws Exception {
    try (PublicFunctions shared = shared(); Control running = new Control(); Control waiting = new Control();
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<Plan> run = threads.submit(() -> shared.session.plan(LONG, running));
      while (running.progress().best().isEmpty()) {
        Thread.sleep(1);
      }
      assertTrue(shared.session.version() >= 0, "it never waits");
      assertTrue(ended(begun -> {
        begun.countDown();
        shared.session.snapshot();
      }, Thread::interrupt, Status.CANCELLED) < MOST_MS);
      long begin = System.nanoTime();
      waiting.setDeadline(Duration.ofMillis(20));
      assertEquals(
          Status.CANCELLED, assertThrows(StowageException.class, () -> shared.session.snapshot(waiting)).status());
      waiting.setDeadline(Duration.ZERO);
      waiting.cancel();
      assertEquals(
          Status.CANCELLED, assertThrows(StowageException.class, () -> shared.session.cluster(waiting)).status());
      assertTrue(System.nanoTime() - begin < MOST_MS * 1_000_000);
      assertFalse(run.isDone());
      running.cancel();
      assertEquals(PlanStatus.CANCELLED, run.get().status());
    }
  }

  @Test
  void aDeadlineOfTheControlEndsEachCall() {
    try (PublicFunctions shared = shared(); Control control = new Control()) {
      control.setDeadline(Duration.ofMillis(20));
      for (int k = 0; k < 2; ++k) {
        assertEquals(PlanStatus.DEADLINE, shared.instance.plan(LONG, control).status());
        assertEquals(PlanStatus.DEADLINE, shared.session.plan(LONG, control).status());
      }
      control.reset();
      assertEquals(PlanStatus.DEADLINE, shared.instance.plan(LONG, control).status());
      assertFalse(control.progress().cancelled());
    }
  }

  @Test
  void closeNeitherWaitsNorFreesWhatIsUsed() throws Exception {
    PublicFunctions shared = shared();
    try (Control control = new Control(); ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Plan> run = threads.submit(() -> shared.instance.plan(LONG, control));
      Control other = new Control();
      Future<Plan> second = threads.submit(() -> shared.session.plan(LONG, other));
      while (control.progress().best().isEmpty() || other.progress().best().isEmpty()) {
        Thread.sleep(1);
      }
      shared.close();
      assertThrows(IllegalStateException.class, shared.instance::fingerprint);
      assertThrows(IllegalStateException.class, shared.session::version);
      Thread.sleep(50);
      assertFalse(run.isDone() || second.isDone(), "both go on");
      control.cancel();
      // Its close cancels the run.
      other.close();
      assertEquals(PlanStatus.CANCELLED, run.get().status());
      assertEquals(PlanStatus.CANCELLED, second.get().status());
    }
  }
}
