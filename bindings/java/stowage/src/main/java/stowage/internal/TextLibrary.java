package stowage.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The functions of {@code stowage_text.h}, as they are. Their library is found once: the file that the system property {@code
 * stowage.text.library} or the environment variable {@code STOWAGE_TEXT_LIBRARY} names; the folders of {@code java.library.path};
 * the system's own search. It uses the library of {@code stowage.h} that is loaded already.
 */
public final class TextLibrary {
  private TextLibrary() {}

  private static final SymbolLookup LOOKUP = open();

  private static SymbolLookup open() {
    // Loads the library that this one uses.
    NativeLibrary.find("stowage_version");
    String file = System.mapLibraryName("stowage_text");
    var found = NativeLibrary.named("stowage.text.library", "STOWAGE_TEXT_LIBRARY")
        .or(() -> NativeLibrary.onPath(System.getProperty("java.library.path", ""), file));
    try {
      return found.isPresent()
          ? SymbolLookup.libraryLookup(found.get(), Arena.global())
          : SymbolLookup.libraryLookup(file, Arena.global());
    } catch (IllegalArgumentException none) {
      UnsatisfiedLinkError error = new UnsatisfiedLinkError(
          "there is no " + file + ": name it with -Dstowage.text.library=FILE, or its folder with -Djava.library.path=FOLDER");
      error.initCause(none);
      throw error;
    }
  }

  private static MethodHandle find(String name, MemoryLayout... arguments) {
    MemorySegment function = LOOKUP.find(name)
        .orElseThrow(() -> new UnsatisfiedLinkError("the library stowage_text has no function " + name));
    return Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.of(JAVA_INT, arguments));
  }

  private static final MethodHandle INSTANCE_FROM_JSON =
      find("stowage_instance_from_json", ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);

  /** Calls {@code stowage_instance_from_json}. */
  public static int instanceFromJson(
      MemorySegment json, long size, MemorySegment limits, MemorySegment instance, MemorySegment error) {
    try {
      return (int) INSTANCE_FROM_JSON.invokeExact(json, size, limits, instance, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle INSTANCE_TO_JSON =
      find("stowage_instance_to_json", ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);

  /** Calls {@code stowage_instance_to_json}. */
  public static int instanceToJson(
      MemorySegment bytes, long size, MemorySegment limits, MemorySegment json, MemorySegment error) {
    try {
      return (int) INSTANCE_TO_JSON.invokeExact(bytes, size, limits, json, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle PLAN_FROM_JSON =
      find("stowage_plan_from_json", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);

  /** Calls {@code stowage_plan_from_json}. */
  public static int planFromJson(
      MemorySegment bytes, long size, MemorySegment json, long jsonSize, MemorySegment limits, MemorySegment plan,
      MemorySegment error) {
    try {
      return (int) PLAN_FROM_JSON.invokeExact(bytes, size, json, jsonSize, limits, plan, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle PLAN_TO_JSON =
      find("stowage_plan_to_json", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);

  /** Calls {@code stowage_plan_to_json}. */
  public static int planToJson(
      MemorySegment bytes, long size, MemorySegment plan, long planSize, MemorySegment limits, MemorySegment json,
      MemorySegment error) {
    try {
      return (int) PLAN_TO_JSON.invokeExact(bytes, size, plan, planSize, limits, json, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle OPERATIONS_FROM_JSON =
      find("stowage_operations_from_json", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);

  /** Calls {@code stowage_operations_from_json}. */
  public static int operationsFromJson(
      MemorySegment bytes, long size, MemorySegment json, long jsonSize, MemorySegment limits, MemorySegment operations,
      MemorySegment error) {
    try {
      return (int) OPERATIONS_FROM_JSON.invokeExact(bytes, size, json, jsonSize, limits, operations, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle EXPLANATION_TO_TEXT = find(
      "stowage_explanation_to_text", ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);

  /** Calls {@code stowage_explanation_to_text}. */
  public static int explanationToText(
      MemorySegment bytes, long size, MemorySegment plan, long planSize, MemorySegment report, long reportSize,
      MemorySegment limits, MemorySegment text, MemorySegment error) {
    try {
      return (int) EXPLANATION_TO_TEXT.invokeExact(bytes, size, plan, planSize, report, reportSize, limits, text, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }
}
