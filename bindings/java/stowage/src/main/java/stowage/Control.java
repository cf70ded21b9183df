package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import stowage.internal.StowageH;

/**
 * Watches and cancels a call, from any thread; serves one call at a time. A call that has an answer in part when it is cancelled,
 * such as the best plan so far, returns it; any other throws {@link StowageException} with {@link Status#CANCELLED} and has changed
 * nothing. After close, every method throws {@link IllegalStateException}.
 */
public final class Control implements AutoCloseable {
  private final Handle handle;
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile Listening.Wish wish;
  private volatile long deadlineMs;

  /**
   * A new control.
   *
   * @throws StowageException out of memory
   */
  public Control() {
    handle = new Handle(this, "control", make(), 0, StowageH::stowage_control_free);
  }

  static MemorySegment make() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
      Calls.check(arena, error -> StowageH.stowage_control_new(out, error));
      return out.get(ValueLayout.ADDRESS, 0);
    }
  }

  /** Asks the call to end. Any number of times, before or during a call; stays in effect until {@link #reset}. */
  public void cancel() {
    handle.use(raw -> {
      StowageH.stowage_control_cancel(raw);
      return null;
    });
  }

  /**
   * Prepares the control for another call: not cancelled, phase idle. The deadline and the listener stay.
   *
   * @throws IllegalStateException a call uses it
   */
  public void reset() {
    alone(raw -> {
      StowageH.stowage_control_reset(raw);
      return null;
    });
  }

  /**
   * Limits the time of each later call, from its beginning, the wait for its turn included. A call that has an answer in part then
   * returns it, any other throws {@link StowageException} with {@link Status#CANCELLED}.
   *
   * @param each time of a call, rounded up to whole milliseconds; zero = any
   * @throws IllegalArgumentException the time is negative
   * @throws IllegalStateException a call uses the control
   */
  public void setDeadline(Duration each) {
    if (each.isNegative()) {
      throw new IllegalArgumentException("a deadline before the call begins");
    }
    long milliseconds = each.compareTo(LONGEST) < 0 ? each.plusNanos(999_999).toMillis() : LONGEST.toMillis();
    alone(raw -> {
      int status = StowageH.stowage_control_set_deadline(raw, milliseconds);
      if (status != StowageH.STOWAGE_OK) {
        throw new StowageException(Status.of(status), "the deadline cannot be set", "");
      }
      deadlineMs = milliseconds;
      return null;
    });
  }

  private static final Duration LONGEST = Duration.ofDays(365);

  /**
   * Tells a listener the progress of each later call, on a thread of its own, which the call waits for. The listener may call
   * everything. What waits for the call is refused: a method of the session that the call uses with {@link Status#BUSY}, another
   * call under this control with {@link IllegalStateException}. What the listener throws cancels the call, which then throws it.
   *
   * @param every time between two reports
   * @param listener null = none
   * @throws IllegalArgumentException the time is not positive
   * @throws IllegalStateException a call uses the control
   */
  public void onProgress(Duration every, Consumer<Progress> listener) {
    if (!every.isPositive()) {
      throw new IllegalArgumentException("no time between two reports");
    }
    Duration most = every.compareTo(LONGEST) < 0 ? every : LONGEST;
    alone(raw -> {
      wish = listener == null ? null : new Listening.Wish(most, listener);
      return null;
    });
  }

  /** Progress of the run. */
  public Progress progress() {
    return handle.use(Control::read);
  }

  static Progress read(MemorySegment control) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment raw = arena.allocate(StowageH.stowage_progress);
      raw.set(ValueLayout.JAVA_LONG, StowageH.stowage_progress_struct_size, StowageH.stowage_progress.byteSize());
      int status = StowageH.stowage_control_progress(control, raw);
      if (status != StowageH.STOWAGE_OK) {
        throw new StowageException(Status.of(status), "the progress cannot be read", "");
      }
      return progressOf(raw);
    }
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

  /** Makes a call that is the only one under the control; it may use a session. */
  <T> T accompany(Session session, Function<MemorySegment, T> call) {
    return alone(raw -> wish == null ? call.apply(raw) : Listening.during(raw, session, wish, call));
  }

  private <T> T alone(Function<MemorySegment, T> call) {
    if (!busy.compareAndSet(false, true)) {
      throw new IllegalStateException("another call uses the control");
    }
    try {
      return handle.use(call);
    } finally {
      busy.set(false);
    }
  }

  /** Whether the time of a call that began then, by the nanoseconds of the system, is over. */
  boolean late(long begin) {
    return deadlineMs > 0 && System.nanoTime() - begin > deadlineMs * 1_000_000;
  }

  /**
   * Cancels the call that uses the control. The control is freed once that call has ended; nobody waits for that. Closing again does
   * nothing.
   */
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
