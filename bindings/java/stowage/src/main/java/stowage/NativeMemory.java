package stowage;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The library's memory behind objects that nobody has closed. The garbage collector does not know how large it is, so that it would
 * let unreachable objects fill the memory. As for direct buffers, the sizes are added up here, and the collector is called where
 * the sum has grown. A program that closes its objects never gets there.
 */
final class NativeMemory {
  private NativeMemory() {}

  /** Frees what nobody has closed. */
  static final Cleaner CLEANER = Cleaner.create();

  private static final long LEAST = 96L << 20;
  private static final long QUIET_MS = 200;
  private static final AtomicLong HELD = new AtomicLong();
  private static volatile long limit = LEAST;

  /** About what the library allocates for an instance or a model that it reads from so many bytes. */
  static long ofBytes(long bytes) {
    return 4096 + 3 * bytes;
  }

  /** The same for a session, which finds everything by name. */
  static long ofSession(long bytes) {
    return 4096 + 16 * bytes;
  }

  /** States that the library has allocated, or freed, about so many bytes. */
  static void add(long bytes) {
    HELD.addAndGet(bytes);
  }

  /** States that a direct buffer was allocated, which is freed with the last that reads it. */
  static void hold(ByteBuffer buffer) {
    long bytes = buffer.capacity();
    add(bytes);
    CLEANER.register(buffer, () -> add(-bytes));
    relieve();
  }

  /** Where much was allocated since the last time, frees what is unreachable. The rest is in use, and may grow by a half. */
  static void relieve() {
    if (HELD.get() <= limit) {
      return;
    }
    synchronized (NativeMemory.class) {
      if (HELD.get() > limit) {
        collect();
        long held = HELD.get();
        limit = Math.max(LEAST, held + held / 2);
      }
    }
  }

  /**
   * Calls the collector, and waits until the cleaner, which frees on a thread of its own, has freed half, or has freed nothing for a
   * while: others may use the machine.
   */
  private static void collect() {
    System.gc();
    try {
      long least = HELD.get();
      for (long quiet = 0; quiet < QUIET_MS && least > limit / 2; ++quiet) {
        Thread.sleep(1);
        long held = HELD.get();
        if (held < least) {
          least = held;
          quiet = 0;
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}
