package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import stowage.internal.StowageH;

/** Shared by all calls of the library: the error that they fill and the buffer that they return. */
final class Calls {
  private Calls() {}

  interface Failing {
    int call(MemorySegment error);
  }

  interface Filling {
    int call(MemorySegment buffer, MemorySegment error);
  }

  interface Making {
    int call(
        MemorySegment bytes, long size, MemorySegment limits, MemorySegment control, MemorySegment made, MemorySegment error);
  }

  interface Owning<T> {
    T of(MemorySegment made, long size);
  }

  /**
   * Makes an object of the library from bytes.
   *
   * @param owner its owner, which also gets the number of bytes
   */
  static <T> T made(ByteBuffer bytes, Limits limits, Control control, Making function, Owning<T> owner) {
    return Watched.whole(control, raw -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment readable = readable(arena, bytes);
        MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
        MemorySegment accepted = limits.encode(arena);
        check(arena, error -> function.call(readable, readable.byteSize(), accepted, raw, out, error));
        return owner.of(out.get(ValueLayout.ADDRESS, 0), readable.byteSize());
      }
    });
  }

  /** Makes a call that may fail. */
  static void check(Arena arena, Failing function) {
    MemorySegment error = arena.allocate(StowageH.stowage_error);
    int status = function.call(error);
    if (status != StowageH.STOWAGE_OK) {
      throw new StowageException(
          Status.of(status),
          error.getString(StowageH.stowage_error_message),
          error.getString(StowageH.stowage_error_path));
    }
  }

  /** Makes a call that returns bytes, copies them, and frees the library's buffer. */
  static ByteBuffer bytes(Arena arena, Filling function) {
    return copied(filled(arena, function));
  }

  /**
   * The same for results that may be large: the library's buffer is read in place and freed after it has become unreachable.
   * The garbage collector, which detects that, does not know the size of these buffers. Their total size is therefore limited,
   * and results beyond the limit are copied.
   */
  static ByteBuffer keptBytes(Arena arena, Filling function) {
    MemorySegment buffer = filled(arena, function);
    MemorySegment contents = contents(buffer);
    long size = contents.byteSize();
    boolean keeps = size >= LEAST_KEPT && KEPT.addAndGet(size) <= MOST_KEPT;
    if (keeps) {
      long address = contents.address();
      return contents.reinterpret(Arena.ofAuto(), ignored -> free(address, size)).asByteBuffer()
          .order(ByteOrder.LITTLE_ENDIAN);
    }
    if (size >= LEAST_KEPT) {
      KEPT.addAndGet(-size);
    }
    return copied(buffer);
  }

  private static final long LEAST_KEPT = 64L << 10;
  private static final long MOST_KEPT = 64L << 20;
  private static final AtomicLong KEPT = new AtomicLong();

  private static MemorySegment filled(Arena arena, Filling function) {
    MemorySegment buffer = arena.allocate(StowageH.stowage_buffer);
    check(arena, error -> function.call(buffer, error));
    return buffer;
  }

  private static ByteBuffer copied(MemorySegment buffer) {
    try {
      return littleEndian(contents(buffer).toArray(ValueLayout.JAVA_BYTE));
    } finally {
      StowageH.stowage_buffer_free(buffer);
    }
  }

  private static MemorySegment contents(MemorySegment buffer) {
    long size = buffer.get(ValueLayout.JAVA_LONG, StowageH.stowage_buffer_size);
    return buffer.get(ValueLayout.ADDRESS, StowageH.stowage_buffer_data).reinterpret(size);
  }

  private static void free(long address, long size) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(StowageH.stowage_buffer);
      buffer.set(ValueLayout.ADDRESS, StowageH.stowage_buffer_data, MemorySegment.ofAddress(address));
      buffer.set(ValueLayout.JAVA_LONG, StowageH.stowage_buffer_size, size);
      StowageH.stowage_buffer_free(buffer);
    }
    KEPT.addAndGet(-size);
  }

  static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Memory that the library can read: a direct buffer in place, any other buffer copied.
   *
   * @throws IllegalStateException the arena of the buffer is closed
   * @throws WrongThreadException the arena of the buffer is that of another thread
   */
  static MemorySegment readable(Arena arena, ByteBuffer bytes) {
    MemorySegment segment = MemorySegment.ofBuffer(bytes);
    if (!segment.scope().isAlive()) {
      throw new IllegalStateException("the arena of the buffer is closed");
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException("the arena of the buffer is that of another thread");
    }
    return segment.isNative() ? segment : arena.allocate(segment.byteSize(), 16).copyFrom(segment);
  }

  /** A copy of a buffer's bytes from its position up to its limit, which nobody else can change. */
  static byte[] copyOf(ByteBuffer bytes) {
    try (Arena arena = Arena.ofConfined()) {
      return readable(arena, bytes).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /**
   * Checks bytes from elsewhere, so that readers that do not verify can read them.
   *
   * @param kind one of {@code stowage_kind}
   */
  static void verify(int kind, byte[] bytes, Limits limits, Control control) {
    Watched.whole(control, raw -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment readable = readable(arena, ByteBuffer.wrap(bytes));
        MemorySegment accepted = limits.encode(arena);
        check(arena, error -> StowageH.stowage_check(kind, readable, readable.byteSize(), accepted, raw, error));
        return null;
      }
    });
  }
}
