package stowage;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A handle of the library that is freed once: by close, which waits for the calls that use it, or after its owner has become
 * unreachable.
 */
final class Handle {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Object owner;
  private final String name;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Cleaner.Cleanable cleanable;
  private MemorySegment segment;

  Handle(Object owner, String name, MemorySegment segment, Consumer<MemorySegment> free) {
    this.owner = owner;
    this.name = name;
    this.segment = segment;
    cleanable = CLEANER.register(owner, () -> free.accept(segment));
  }

  /** Calls a function with the handle and keeps the handle alive meanwhile. */
  <T> T use(Function<MemorySegment, T> call) {
    lock.readLock().lock();
    try {
      if (segment == null) {
        throw new IllegalStateException("the " + name + " is closed");
      }
      return call.apply(segment);
    } finally {
      lock.readLock().unlock();
      Reference.reachabilityFence(owner);
    }
  }

  void close() {
    lock.writeLock().lock();
    try {
      segment = null;
      cleanable.clean();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
