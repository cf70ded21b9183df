package stowage;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A handle of the library that counts its users: its owner and each call under way. The last one frees it. Its owner ceases to be
 * a user when it is closed or has become unreachable. Nobody waits for anybody.
 */
final class Handle {
  private final Object owner;
  private final String name;
  private final Counted counted;
  private final Cleaner.Cleanable cleanable;

  /** @param bytes about what the library allocated for the handle; 0 = little */
  Handle(Object owner, String name, MemorySegment segment, long bytes, Consumer<MemorySegment> free) {
    this.owner = owner;
    this.name = name;
    counted = new Counted(segment, free);
    cleanable = NativeMemory.CLEANER.register(owner, counted);
    holds(bytes);
  }

  /** Calls a function with the handle and keeps the handle alive meanwhile. */
  <T> T use(Function<MemorySegment, T> call) {
    if (!counted.enter()) {
      throw new IllegalStateException("the " + name + " is closed");
    }
    try {
      return call.apply(counted.segment);
    } finally {
      counted.leave();
      Reference.reachabilityFence(owner);
    }
  }

  /** About what the library has allocated for the handle. */
  long bytes() {
    return counted.bytes;
  }

  /** States that the library has allocated about so many bytes for the handle. */
  void holds(long bytes) {
    counted.holds(bytes);
    NativeMemory.relieve();
    Reference.reachabilityFence(owner);
  }

  void close() {
    cleanable.clean();
  }

  /** What outlives the owner, which it must not refer to. */
  private static final class Counted implements Runnable {
    private final MemorySegment segment;
    private final Consumer<MemorySegment> free;
    private final AtomicInteger users = new AtomicInteger(1);
    private volatile boolean closed;
    private volatile long bytes;

    Counted(MemorySegment segment, Consumer<MemorySegment> free) {
      this.segment = segment;
      this.free = free;
    }

    synchronized void holds(long now) {
      // What is freed already was taken off the sum.
      if (users.get() > 0) {
        NativeMemory.add(now - bytes);
        bytes = now;
      }
    }

    boolean enter() {
      int now = users.get();
      while (!closed && now > 0) {
        if (users.compareAndSet(now, now + 1)) {
          return true;
        }
        now = users.get();
      }
      return false;
    }

    void leave() {
      if (users.decrementAndGet() == 0) {
        free.accept(segment);
        synchronized (this) {
          NativeMemory.add(-bytes);
        }
      }
    }

    /** The owner ceases to be a user. Runs once. */
    @Override
    public void run() {
      closed = true;
      leave();
    }
  }
}
