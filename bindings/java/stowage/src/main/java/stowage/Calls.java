package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import stowage.internal.StowageH;

/** What all calls of the library have in common: the error they fill, and the buffer they return. */
final class Calls {
  private Calls() {}

  interface Failing {
    int call(MemorySegment error);
  }

  interface Filling {
    int call(MemorySegment buffer, MemorySegment error);
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

  /** Makes a call that returns bytes; they are copied, and the library's own are freed. */
  static ByteBuffer bytes(Arena arena, Filling function) {
    MemorySegment buffer = arena.allocate(StowageH.stowage_buffer);
    check(arena, error -> function.call(buffer, error));
    try {
      long size = buffer.get(ValueLayout.JAVA_LONG, StowageH.stowage_buffer_size);
      MemorySegment data = buffer.get(ValueLayout.ADDRESS, StowageH.stowage_buffer_data).reinterpret(size);
      return littleEndian(data.toArray(ValueLayout.JAVA_BYTE));
    } finally {
      StowageH.stowage_buffer_free(buffer);
    }
  }

  static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Memory that the library can read: that of a direct buffer as it is, that of any other copied. */
  static MemorySegment readable(Arena arena, ByteBuffer bytes) {
    MemorySegment segment = MemorySegment.ofBuffer(bytes);
    return segment.isNative() ? segment : arena.allocate(segment.byteSize(), 16).copyFrom(segment);
  }
}
