package stowage.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The function of {@code stowage_k8s.h}, as it is. */
public final class StowageK8sH {
  private StowageK8sH() {}

  private static final MethodHandle ANSWER = Linker.nativeLinker().downcallHandle(
      new OptionalLibrary("k8s").find("stowage_k8s_answer"),
      FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_k8s_answer}. */
  public static int stowage_k8s_answer(MemorySegment request, long requestSize, MemorySegment objects, long size,
      MemorySegment control, MemorySegment code, MemorySegment answer, MemorySegment error) {
    try {
      return (int) ANSWER.invokeExact(request, requestSize, objects, size, control, code, answer, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }
}
