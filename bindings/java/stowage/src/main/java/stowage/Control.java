package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import stowage.internal.StowageH;

/**
 * Watches and cancels a run from any thread; serves one run at a time. After close, every call throws {@link
 * IllegalStateException}.
 */
public final class Control implements AutoCloseable {
  private final Handle handle;
  private final AtomicBoolean busy = new AtomicBoolean();

  /**
   * A new control.
   *
   * @throws StowageException out of memory
   */
  public Control() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
      Calls.check(arena, error -> StowageH.stowage_control_new(out, error));
      handle = new Handle(this, "control", out.get(ValueLayout.ADDRESS, 0), StowageH::stowage_control_free);
    }
  }

  /**
   * Asks the run to end with its best plan so far. Any number of times, before or during a run; stays in effect until {@link
   * #reset}.
   */
  public void cancel() {
    handle.use(raw -> {
      StowageH.stowage_control_cancel(raw);
      return null;
    });
  }

  /**
   * Prepares the control for another run: not cancelled, phase idle.
   *
   * @throws IllegalStateException a run uses it
   */
  public void reset() {
    accompany(raw -> {
      StowageH.stowage_control_reset(raw);
      return null;
    });
  }

  /** Progress of the run. */
  public Progress progress() {
    return handle.use(control -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment raw = arena.allocate(StowageH.stowage_progress);
        raw.set(ValueLayout.JAVA_LONG, StowageH.stowage_progress_struct_size, StowageH.stowage_progress.byteSize());
        int status = StowageH.stowage_control_progress(control, raw);
        if (status != StowageH.STOWAGE_OK) {
          throw new StowageException(Status.of(status), "the progress cannot be read", "");
        }
        return progressOf(raw);
      }
    });
  }

  private static Progress progressOf(MemorySegment raw) {
    Map<Phase, Duration> spent = new EnumMap<>(Phase.class);
    for (Phase phase : Phase.values()) {
      if (phase.ordinal() < StowageH.STOWAGE_PHASE_END) {
        long offset = StowageH.stowage_progress_nanoseconds + Long.BYTES * (long) phase.ordinal();
        spent.put(phase, Duration.ofNanos(raw.get(ValueLayout.JAVA_LONG, offset)));
      }
    }
    return new Progress(
        Phase.of(raw.get(ValueLayout.JAVA_INT, StowageH.stowage_progress_phase)),
        raw.get(ValueLayout.JAVA_INT, StowageH.stowage_progress_cancelled) != 0,
        raw.get(ValueLayout.JAVA_LONG, StowageH.stowage_progress_done),
        known(raw.get(ValueLayout.JAVA_LONG, StowageH.stowage_progress_total)),
        known(raw.get(ValueLayout.JAVA_LONG, StowageH.stowage_progress_best)),
        Reports.notNegative(raw.get(ValueLayout.JAVA_DOUBLE, StowageH.stowage_progress_value)),
        raw.get(ValueLayout.JAVA_LONG, StowageH.stowage_progress_left_over),
        raw.get(ValueLayout.JAVA_LONG, StowageH.stowage_progress_work),
        spent);
  }

  private static OptionalLong known(long number) {
    return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /** Makes a call with exclusive use of the control. */
  <T> T accompany(Function<MemorySegment, T> run) {
    if (!busy.compareAndSet(false, true)) {
      throw new IllegalStateException("a run uses the control");
    }
    try {
      return handle.use(run);
    } finally {
      busy.set(false);
    }
  }

  /** Cancels the run that uses the control, waits for its end, and frees the control. Closing again does nothing. */
  @Override
  public void close() {
    try {
      cancel();
    } catch (IllegalStateException closed) {
      return;
    }
    handle.close();
  }
}
