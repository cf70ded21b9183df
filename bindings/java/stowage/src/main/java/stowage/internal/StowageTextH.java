// Made by scripts/generate-bindings.py from stowage_text.h. Do not edit.
package stowage.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The functions of {@code stowage_text.h}, as they are. */
public final class StowageTextH {
  private StowageTextH() {}

  private static MethodHandle find(String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(TextLibrary.find(name), descriptor);
  }

  private static final MethodHandle STOWAGE_EXPLANATION_TO_TEXT_HANDLE =
      find("stowage_explanation_to_text", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_explanation_to_text}. */
  public static int stowage_explanation_to_text(MemorySegment bytes, long size, MemorySegment plan, long planSize, MemorySegment report, long reportSize, MemorySegment limits, MemorySegment text, MemorySegment error) {
    try {
      return (int) STOWAGE_EXPLANATION_TO_TEXT_HANDLE.invokeExact(bytes, size, plan, planSize, report, reportSize, limits, text, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_INSTANCE_FROM_JSON_HANDLE =
      find("stowage_instance_from_json", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_instance_from_json}. */
  public static int stowage_instance_from_json(MemorySegment json, long size, MemorySegment limits, MemorySegment instance, MemorySegment error) {
    try {
      return (int) STOWAGE_INSTANCE_FROM_JSON_HANDLE.invokeExact(json, size, limits, instance, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_INSTANCE_TO_JSON_HANDLE =
      find("stowage_instance_to_json", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_instance_to_json}. */
  public static int stowage_instance_to_json(MemorySegment bytes, long size, MemorySegment limits, MemorySegment json, MemorySegment error) {
    try {
      return (int) STOWAGE_INSTANCE_TO_JSON_HANDLE.invokeExact(bytes, size, limits, json, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_OPERATIONS_FROM_JSON_HANDLE =
      find("stowage_operations_from_json", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_operations_from_json}. */
  public static int stowage_operations_from_json(MemorySegment bytes, long size, MemorySegment json, long jsonSize, MemorySegment limits, MemorySegment operations, MemorySegment error) {
    try {
      return (int) STOWAGE_OPERATIONS_FROM_JSON_HANDLE.invokeExact(bytes, size, json, jsonSize, limits, operations, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_PLAN_FROM_JSON_HANDLE =
      find("stowage_plan_from_json", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_plan_from_json}. */
  public static int stowage_plan_from_json(MemorySegment bytes, long size, MemorySegment json, long jsonSize, MemorySegment limits, MemorySegment plan, MemorySegment error) {
    try {
      return (int) STOWAGE_PLAN_FROM_JSON_HANDLE.invokeExact(bytes, size, json, jsonSize, limits, plan, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_PLAN_TO_HTML_HANDLE =
      find("stowage_plan_to_html", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_plan_to_html}. */
  public static int stowage_plan_to_html(MemorySegment bytes, long size, MemorySegment plan, long planSize, MemorySegment limits, MemorySegment html, MemorySegment error) {
    try {
      return (int) STOWAGE_PLAN_TO_HTML_HANDLE.invokeExact(bytes, size, plan, planSize, limits, html, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_PLAN_TO_JSON_HANDLE =
      find("stowage_plan_to_json", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_plan_to_json}. */
  public static int stowage_plan_to_json(MemorySegment bytes, long size, MemorySegment plan, long planSize, MemorySegment limits, MemorySegment json, MemorySegment error) {
    try {
      return (int) STOWAGE_PLAN_TO_JSON_HANDLE.invokeExact(bytes, size, plan, planSize, limits, json, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_PLAN_TO_SVG_HANDLE =
      find("stowage_plan_to_svg", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_plan_to_svg}. */
  public static int stowage_plan_to_svg(MemorySegment bytes, long size, MemorySegment plan, long planSize, MemorySegment limits, MemorySegment svg, MemorySegment error) {
    try {
      return (int) STOWAGE_PLAN_TO_SVG_HANDLE.invokeExact(bytes, size, plan, planSize, limits, svg, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_PLAN_TO_TEXT_HANDLE =
      find("stowage_plan_to_text", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_plan_to_text}. */
  public static int stowage_plan_to_text(MemorySegment bytes, long size, MemorySegment plan, long planSize, int shown, MemorySegment limits, MemorySegment text, MemorySegment error) {
    try {
      return (int) STOWAGE_PLAN_TO_TEXT_HANDLE.invokeExact(bytes, size, plan, planSize, shown, limits, text, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }
}
