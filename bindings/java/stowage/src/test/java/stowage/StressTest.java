package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All functions from all threads, on objects that others cancel, interrupt and close meanwhile. */
@Timeout(300)
class StressTest {
  private static final int THREADS = 6;
  private static final int CALLS = 1500;

  /** Objects that any thread uses, closes and replaces. */
  private static final class Shared {
    private final ByteBuffer bytes = Support.workload(30, 6).bytes();
    final AtomicReference<PublicFunctions> functions = new AtomicReference<>(new PublicFunctions(bytes));
    final List<AtomicReference<Control>> controls = new ArrayList<>();

    Shared() {
      for (int k = 0; k < 3; ++k) {
        controls.add(new AtomicReference<>(new Control()));
      }
    }

    void replaceFunctions() {
      functions.getAndSet(new PublicFunctions(bytes)).close();
    }

    void replaceControl(AtomicReference<Control> of) {
      Control fresh = new Control();
      fresh.onProgress(Duration.ofMillis(1), progress -> functions.get().session.version());
      of.getAndSet(fresh).close();
    }
  }

  private static void disturb(Shared shared, Random random, List<Thread> threads) {
    AtomicReference<Control> control = shared.controls.get(random.nextInt(shared.controls.size()));
    switch (random.nextInt(12)) {
      case 0 -> shared.replaceFunctions();
      case 1 -> shared.replaceControl(control);
      case 2, 3 -> threads.get(random.nextInt(threads.size())).interrupt();
      case 4 -> control.get().cancel();
      case 5, 6 -> control.get().reset();
      case 7 -> control.get().setDeadline(Duration.ofMillis(random.nextInt(20)));
      default -> {
        // Let them work.
      }
    }
  }

  private static void work(Shared shared, long seed, List<Thread> threads) {
    Random random = new Random(seed);
    for (int k = 0; k < CALLS; ++k) {
      Control control = random.nextBoolean() ? null : shared.controls.get(random.nextInt(3)).get();
      try {
        if (random.nextInt(4) == 0) {
          disturb(shared, random, threads);
        }
        List<Consumer<Control>> all = List.copyOf(shared.functions.get().all().values());
        all.get(random.nextInt(all.size())).accept(control);
      } catch (StowageException failure) {
        // A plan of a session that was closed is not of the one that took its place.
        assertTrue(List.of(Status.CANCELLED, Status.BUSY, Status.INVALID).contains(failure.status()), failure.toString());
      } catch (IllegalStateException refused) {
        assertTrue(refused.getMessage().matches("the \\w+ is closed|another call uses the control"), refused.toString());
      }
      if (Thread.interrupted()) {
        // As a thread of a pool does after a task.
        continue;
      }
    }
  }

  @Test
  void allFunctionsFromAllThreads() throws InterruptedException {
    Shared shared = new Shared();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; ++t) {
      long seed = t;
      Runnable run = () -> {
        try {
          work(shared, seed, threads);
        } catch (Throwable failure) {
          failures.add(failure);
        }
      };
      threads.add(t % 2 == 0 ? Thread.ofPlatform().unstarted(run) : Thread.ofVirtual().unstarted(run));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    failures.forEach(Throwable::printStackTrace);
    assertEquals(List.of(), List.copyOf(failures));
    // Nothing is held up.
    try (Instance instance = Support.small().build()) {
      assertEquals(PlanStatus.OPTIMAL, instance.plan(Request.of("ff")).status());
    }
    shared.functions.get().close();
  }
}
