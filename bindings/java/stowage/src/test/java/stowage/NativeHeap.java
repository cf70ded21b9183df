package stowage;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/** Bytes that malloc has allocated and that were not freed. */
final class NativeHeap {
  private NativeHeap() {}

  private static final StructLayout INFO = MemoryLayout.structLayout(
      MemoryLayout.sequenceLayout(4, JAVA_LONG),
      JAVA_LONG.withName("hblkhd"),
      MemoryLayout.sequenceLayout(2, JAVA_LONG),
      JAVA_LONG.withName("uordblks"),
      MemoryLayout.sequenceLayout(2, JAVA_LONG));
  private static final MethodHandle MALLINFO2 = Linker.nativeLinker().downcallHandle(
      Linker.nativeLinker().defaultLookup().find("mallinfo2").orElseThrow(), FunctionDescriptor.of(INFO));

  static long inUse() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = (MemorySegment) MALLINFO2.invokeExact((SegmentAllocator) arena);
      return info.get(JAVA_LONG, 32) + info.get(JAVA_LONG, 56);
    } catch (Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  /** The least bytes in use, once several collections in a row free nothing more of what nobody reaches. */
  static long settled() throws InterruptedException {
    long least = inUse();
    for (int unchanged = 0; unchanged < 5; ++unchanged) {
      System.gc();
      Thread.sleep(20);
      long now = inUse();
      if (now < least) {
        least = now;
        unchanged = -1;
      }
    }
    return least;
  }
}
