package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What may be called from a listener of progress, the only callback there is: everything. */
@Timeout(300)
class CallbackTest {
  private static final long WAITS_FOR_EVER = 20_000;

  private static final Duration EVERY = Duration.ofMillis(2);
  private static final Request LONG = Request.builder("auto").deadline(Duration.ofMinutes(4)).build();
  /** Only for C and C++: it takes a function to call back. */
  private static final Set<String> ELSEWHERE = Set.of("stowage_control_set_solver");

  /** The functions of the library, those with and without a control as one. */
  private static Set<String> functions() throws IOException {
    String inventory = Files.readString(Path.of(System.getProperty("stowage.test.root"), "capi/abi/abi.json"));
    String part = inventory.substring(inventory.indexOf("\"functions\""));
    return Pattern.compile("\"(stowage_\\w+)\": \\{").matcher(part).results()
        .map(found -> found.group(1).replaceFirst("_watched$", ""))
        .filter(name -> !ELSEWHERE.contains(name))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static PublicFunctions shared() {
    return new PublicFunctions(Support.workload(300, 150).bytes());
  }

  /** Does something in a listener while a call is under way, cancels the call, and returns the failures by name. */
  private static Map<String, String> within(
      Function<Control, Plan> run, Map<String, Consumer<Control>> actions, Consumer<Control> also) {
    Map<String, String> failures = Collections.synchronizedMap(new TreeMap<>());
    AtomicBoolean once = new AtomicBoolean();
    try (Control control = new Control()) {
      control.onProgress(EVERY, progress -> {
        if (once.getAndSet(true)) {
          return;
        }
        actions.forEach((name, action) -> {
          long begin = System.nanoTime();
          long cpuAtBegin = cpuNanos();
          try {
            action.accept(null);
          } catch (StowageException refused) {
            failures.put(name, refused.status().name());
          } catch (IllegalStateException refused) {
            failures.put(name, refused.getMessage());
          }
          long took = (System.nanoTime() - begin) / 1_000_000;
          long worked = (cpuNanos() - cpuAtBegin) / 1_000_000;
          if (worked > 1000 || took > WAITS_FOR_EVER) {
            failures.put(name, "took " + took + " ms");
          }
        });
        also.accept(control);
        control.cancel();
      });
      assertEquals(PlanStatus.CANCELLED, run.apply(control).status());
    }
    assertTrue(once.get(), "nobody was told");
    return failures;
  }

  /** Beside busy programs, a call takes longer than its work. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  @Test
  void everyFunctionOfTheLibraryAnswersInAListener() throws IOException {
    try (PublicFunctions shared = shared()) {
      assertEquals(functions(), shared.all().keySet());
      assertEquals(Map.of(), within(control -> shared.instance.plan(LONG, control), shared.all(), control -> {}));
    }
  }

  @Test
  void aSessionIsBusyInTheListenerOfItsOwnCall() {
    try (PublicFunctions shared = shared()) {
      Map<String, String> failures =
          within(control -> shared.session.plan(LONG, control), shared.all(), control -> {});
      Set<String> busy = Set.of(
          "stowage_session_apply", "stowage_session_commit", "stowage_session_instance", "stowage_session_plan",
          "stowage_session_reject", "stowage_session_snapshot");
      assertEquals(busy, failures.keySet(), failures.toString());
      assertEquals(Set.of("BUSY"), Set.copyOf(failures.values()));
      // The session goes on.
      shared.session.apply(new Operation.Scale("app-0", 2));
    }
  }

  @Test
  void theControlOfTheCallServesNoOther() {
    try (PublicFunctions shared = shared()) {
      List<String> messages = new ArrayList<>();
      within(control -> shared.instance.plan(LONG, control), Map.of(), control -> {
        shared.all().forEach((name, action) -> {
          try {
            action.accept(control);
          } catch (IllegalStateException refused) {
            messages.add(refused.getMessage());
          }
        });
        for (Runnable change : List.<Runnable>of(
            control::reset, () -> control.setDeadline(Duration.ZERO), () -> control.onProgress(EVERY, null))) {
          messages.add(assertThrows(IllegalStateException.class, change::run).getMessage());
        }
        assertFalse(control.progress().cancelled());
      });
      assertEquals(Set.of("another call uses the control"), Set.copyOf(messages));
      assertTrue(messages.size() > 25, messages.size() + " functions have a control");
    }
  }

  @Test
  void closingInAListenerFreesNothingThatIsUsed() {
    for (boolean session : new boolean[] {false, true}) {
      PublicFunctions shared = shared();
      within(
          control -> session ? shared.session.plan(LONG, control) : shared.instance.plan(LONG, control),
          Map.of("close", ignored -> shared.close()), control -> {
            for (Consumer<Control> closed : List.<Consumer<Control>>of(
                ignored -> shared.instance.fingerprint(), shared.instance::bounds, shared.model::save)) {
              assertThrows(IllegalStateException.class, () -> closed.accept(null));
            }
          });
      assertThrows(IllegalStateException.class, shared.session::version);
      assertThrows(IllegalStateException.class, shared.session::snapshot);
    }
    try (PublicFunctions shared = shared()) {
      Control control = new Control();
      control.onProgress(EVERY, progress -> control.close());
      assertEquals(PlanStatus.CANCELLED, shared.instance.plan(LONG, control).status());
      assertThrows(IllegalStateException.class, control::progress);
      assertThrows(IllegalStateException.class, () -> shared.instance.plan(LONG, control));
    }
  }

  @Test
  void whatAListenerThrowsEndsTheCall() {
    try (PublicFunctions shared = shared(); Control control = new Control()) {
      RuntimeException mine = new IllegalArgumentException("enough");
      control.onProgress(EVERY, progress -> {
        throw mine;
      });
      assertSame(mine, assertThrows(IllegalArgumentException.class, () -> shared.instance.plan(LONG, control)));
      control.reset();
      assertSame(mine, assertThrows(IllegalArgumentException.class, () -> shared.session.plan(LONG, control)));
      control.onProgress(EVERY, progress -> {
        throw new AssertionError("enough");
      });
      control.reset();
      assertEquals(
          "enough",
          assertThrows(IllegalStateException.class, () -> shared.instance.plan(LONG, control)).getCause().getMessage());
    }
  }

  @Test
  void aListenerWhoseSessionWaitsForAnotherListenerIsRefused() {
    try (PublicFunctions outer = shared(); PublicFunctions inner = shared(); Control second = new Control()) {
      List<Status> refused = new ArrayList<>();
      second.onProgress(EVERY, progress -> {
        refused.add(assertThrows(StowageException.class, outer.session::snapshot).status());
        second.cancel();
      });
      within(control -> outer.session.plan(LONG, control), Map.of(), control -> inner.session.plan(LONG, second));
      assertTrue(refused.contains(Status.BUSY), refused.toString());
    }
  }

  @Test
  void progressOfASessionsPlanIsTold() {
    List<Progress> told = Collections.synchronizedList(new ArrayList<>());
    try (PublicFunctions shared = shared(); Control control = new Control()) {
      control.onProgress(EVERY, progress -> {
        told.add(progress);
        if (progress.best().isPresent()) {
          control.cancel();
        }
      });
      assertEquals(PlanStatus.CANCELLED, shared.session.plan(LONG, control).status());
      assertEquals(told.getLast().best().getAsLong() > 0, true);
      int before = told.size();
      control.reset();
      control.onProgress(EVERY, null);
      shared.session.plan(Request.of("ff"), control);
      assertEquals(before, told.size());
      assertThrows(IllegalArgumentException.class, () -> control.onProgress(Duration.ZERO, null));
      assertNull(assertThrows(IllegalArgumentException.class, () -> control.setDeadline(Duration.ofMillis(-1))).getCause());
    }
  }
}
