package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import stowage.internal.StowageH;

/**
 * Makes calls of the library that may take long, each under a control: the caller's or one of this class. An interrupt of the
 * thread that made a call cancels it. The library cannot see interrupts, so that a thread looks for them every few milliseconds
 * while there are calls.
 */
final class Watched {
  private Watched() {}

  interface Call<T> {
    T under(MemorySegment control);
  }

  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long REST = TimeUnit.SECONDS.toNanos(1);
  /** All leases, of which there are as many as there were calls at the same time. */
  private static final Queue<Lease> ALL = new ConcurrentLinkedQueue<>();
  private static final Queue<Lease> FREE = new ConcurrentLinkedQueue<>();
  private static final Thread WATCHER = Thread.ofPlatform().daemon().name("stowage-watcher").start(Watched::watch);
  private static volatile boolean resting;

  /**
   * Makes a call that does all of its work or nothing. A call that was interrupted too late returns its result.
   *
   * @param control null: none of the caller's
   * @throws StowageException cancelled: by the control, or the thread is interrupted, and stays so
   */
  static <T> T whole(Control control, Call<T> call) {
    return make(control, null, false, call);
  }

  /** The same for a call that returns a part of its work when it is cancelled. Of an interrupted one, the part is dropped. */
  static <T> T partly(Control control, Call<T> call) {
    return make(control, null, true, call);
  }

  /** Makes such a call, which uses a session. */
  static <T> T make(Control control, Session session, boolean partly, Call<T> call) {
    if (Thread.currentThread().isInterrupted()) {
      throw interrupted();
    }
    Lease free = FREE.poll();
    Lease lease = free == null ? new Lease() : free;
    try {
      return control == null
          ? lease.make(lease.own, partly, call)
          : control.accompany(session, raw -> lease.make(raw, partly, call));
    } finally {
      FREE.add(lease);
    }
  }

  static StowageException interrupted() {
    return new StowageException(Status.CANCELLED, "the thread that made the call is interrupted", "");
  }

  private static void watch() {
    long busy = System.nanoTime();
    while (true) {
      boolean any = false;
      for (Lease lease : ALL) {
        any |= lease.look();
      }
      if (any) {
        busy = System.nanoTime();
      }
      if (resting) {
        // Nothing has begun since the watcher said that it rests.
        if (!any) {
          LockSupport.park();
        }
        resting = false;
        busy = System.nanoTime();
      } else if (System.nanoTime() - busy > REST) {
        resting = true;
      } else {
        LockSupport.parkNanos(PAUSE);
      }
    }
  }

  /** The place of one call at a time, at which the watcher looks. */
  private static final class Lease {
    private final MemorySegment own = Control.make();
    private Thread caller;
    private MemorySegment control;
    private boolean interrupted;

    Lease() {
      ALL.add(this);
    }

    <T> T make(MemorySegment under, boolean partly, Call<T> call) {
      begin(under);
      try {
        T answer = call.under(under);
        if (end() && partly) {
          throw interrupted();
        }
        return answer;
      } catch (StowageException failure) {
        throw end() && failure.status() == Status.CANCELLED ? interrupted() : failure;
      } finally {
        if (end() && under == own) {
          StowageH.stowage_control_reset(own);
        }
      }
    }

    private void begin(MemorySegment under) {
      synchronized (this) {
        caller = Thread.currentThread();
        control = under;
        interrupted = false;
      }
      if (resting) {
        LockSupport.unpark(WATCHER);
      }
    }

    /** The call is over. Returns whether the watcher has cancelled it. */
    private synchronized boolean end() {
      caller = null;
      return interrupted;
    }

    /** Returns whether there is a call. */
    synchronized boolean look() {
      if (caller != null && !interrupted && caller.isInterrupted()) {
        interrupted = true;
        StowageH.stowage_control_cancel(control);
      }
      return caller != null;
    }
  }
}
