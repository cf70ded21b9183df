package stowage;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import stowage.internal.StowageH;

/** The thread that tells a listener the progress of one call, again and again until the call ends. */
final class Listening extends Thread {
  /** Whom to tell, and how often. */
  record Wish(Duration every, Consumer<Progress> listener) {}

  private final MemorySegment control;
  private final Session session;
  private final Wish wish;
  private final Thread maker = Thread.currentThread();
  private final CountDownLatch ended = new CountDownLatch(1);
  private RuntimeException failure;

  private Listening(MemorySegment control, Session session, Wish wish) {
    super("stowage-progress");
    this.control = control;
    this.session = session;
    this.wish = wish;
    setDaemon(true);
  }

  /** Makes a call under a control, and meanwhile tells the listener. What the listener throws cancels the call. */
  static <T> T during(MemorySegment control, Session session, Wish wish, Function<MemorySegment, T> call) {
    Listening listening = new Listening(control, session, wish);
    listening.start();
    T answer = null;
    StowageException refusal = null;
    try {
      answer = call.apply(control);
    } catch (StowageException refused) {
      refusal = refused;
    } finally {
      listening.end();
    }
    if (listening.failure != null) {
      throw listening.failure;
    }
    if (refusal != null) {
      throw refusal;
    }
    return answer;
  }

  /** Whether this thread tells the progress of a call that uses the session, so that waiting for the session would not end. */
  static boolean serves(Session session) {
    Thread thread = currentThread();
    while (thread instanceof Listening listening) {
      if (listening.session == session) {
        return true;
      }
      thread = listening.maker;
    }
    return false;
  }

  @Override
  public void run() {
    try {
      while (!ended.await(wish.every.toNanos(), TimeUnit.NANOSECONDS)) {
        wish.listener.accept(Control.read(control));
      }
    } catch (InterruptedException stop) {
      // Nobody waits for reports any more.
    } catch (RuntimeException thrown) {
      failure = thrown;
      StowageH.stowage_control_cancel(control);
    } catch (Error thrown) {
      failure = new IllegalStateException("the listener failed", thrown);
      StowageH.stowage_control_cancel(control);
    }
  }

  /** Waits for the listener, which is interrupted where this thread is. */
  private void end() {
    ended.countDown();
    try {
      join();
    } catch (InterruptedException stop) {
      interrupt();
      currentThread().interrupt();
      throw Watched.interrupted();
    }
  }
}
