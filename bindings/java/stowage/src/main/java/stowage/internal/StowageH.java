// Made by scripts/generate-bindings.py from stowage.h. Do not edit.
package stowage.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/** The functions, structs and constants of {@code stowage.h}, as they are. */
public final class StowageH {
  private StowageH() {}

  private static MethodHandle find(String name, FunctionDescriptor descriptor) {
    return Linker.nativeLinker().downcallHandle(NativeLibrary.find(name), descriptor);
  }

  /** {@code STOWAGE_VERSION_MAJOR}. */
  public static final int STOWAGE_VERSION_MAJOR = 0;

  /** {@code STOWAGE_VERSION_MINOR}. */
  public static final int STOWAGE_VERSION_MINOR = 1;

  /** {@code STOWAGE_VERSION_PATCH}. */
  public static final int STOWAGE_VERSION_PATCH = 0;

  /** {@code STOWAGE_MESSAGE_SIZE}. */
  public static final int STOWAGE_MESSAGE_SIZE = 512;

  /** {@code STOWAGE_PATH_SIZE}. */
  public static final int STOWAGE_PATH_SIZE = 128;

  /** {@code STOWAGE_ALL_UNPLACED}. */
  public static final int STOWAGE_ALL_UNPLACED = -1;

  /** {@code STOWAGE_NO_NODE}. */
  public static final int STOWAGE_NO_NODE = -1;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_OK = 0;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_INVALID_ARGUMENT = 1;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_MALFORMED = 2;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_INVALID = 3;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_UNSUPPORTED = 4;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_LIMIT_EXCEEDED = 5;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_NOT_FOUND = 6;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_OUT_OF_MEMORY = 7;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_INTERNAL = 8;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_CANCELLED = 9;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_BUSY = 10;

  /** Of {@code stowage_status}. */
  public static final int STOWAGE_STATUS_END = 11;

  /** Of {@code stowage_phase}. */
  public static final int STOWAGE_PHASE_IDLE = 0;

  /** Of {@code stowage_phase}. */
  public static final int STOWAGE_PHASE_PREPARE = 1;

  /** Of {@code stowage_phase}. */
  public static final int STOWAGE_PHASE_PLAN = 2;

  /** Of {@code stowage_phase}. */
  public static final int STOWAGE_PHASE_IMPROVE = 3;

  /** Of {@code stowage_phase}. */
  public static final int STOWAGE_PHASE_BOUND = 4;

  /** Of {@code stowage_phase}. */
  public static final int STOWAGE_PHASE_VERIFY = 5;

  /** Of {@code stowage_phase}. */
  public static final int STOWAGE_PHASE_DONE = 6;

  /** Of {@code stowage_phase}. */
  public static final int STOWAGE_PHASE_END = 7;

  /** Of {@code stowage_kind}. */
  public static final int STOWAGE_KIND_INSTANCE = 0;

  /** Of {@code stowage_kind}. */
  public static final int STOWAGE_KIND_REQUEST = 1;

  /** Of {@code stowage_kind}. */
  public static final int STOWAGE_KIND_PLAN = 2;

  /** Of {@code stowage_kind}. */
  public static final int STOWAGE_KIND_REPORT = 3;

  /** Of {@code stowage_kind}. */
  public static final int STOWAGE_KIND_CATALOGUE = 4;

  /** Of {@code stowage_kind}. */
  public static final int STOWAGE_KIND_OPERATIONS = 5;

  /** Of {@code stowage_kind}. */
  public static final int STOWAGE_KIND_LEARNING = 6;

  /** Of {@code stowage_kind}. */
  public static final int STOWAGE_KIND_DERIVATION = 7;

  /** Of {@code stowage_kind}. */
  public static final int STOWAGE_KIND_END = 8;

  /** Of {@code stowage_answer_status}. */
  public static final int STOWAGE_ANSWER_FAILED = 0;

  /** Of {@code stowage_answer_status}. */
  public static final int STOWAGE_ANSWER_OPTIMAL = 1;

  /** Of {@code stowage_answer_status}. */
  public static final int STOWAGE_ANSWER_FEASIBLE = 2;

  /** Of {@code stowage_answer_status}. */
  public static final int STOWAGE_ANSWER_UNSOLVED = 3;

  /** Of {@code stowage_answer_status}. */
  public static final int STOWAGE_ANSWER_INFEASIBLE = 4;

  /** Of {@code stowage_answer_status}. */
  public static final int STOWAGE_ANSWER_UNBOUNDED = 5;

  /** Of {@code stowage_answer_status}. */
  public static final int STOWAGE_ANSWER_END = 6;

  /** Of {@code stowage_commit_mode}. */
  public static final int STOWAGE_COMMIT_EXACT = 0;

  /** Of {@code stowage_commit_mode}. */
  public static final int STOWAGE_COMMIT_WHOLE = 1;

  /** Of {@code stowage_commit_mode}. */
  public static final int STOWAGE_COMMIT_FITTING = 2;

  /** Of {@code stowage_commit_mode}. */
  public static final int STOWAGE_COMMIT_END = 3;

  /** Layout of {@code stowage_error}, 644 bytes. */
  public static final StructLayout stowage_error =
      MemoryLayout.structLayout(
          JAVA_INT.withName("status"),
          MemoryLayout.sequenceLayout(512, JAVA_BYTE).withName("message"),
          MemoryLayout.sequenceLayout(128, JAVA_BYTE).withName("path"));

  /** Offset in {@code stowage_error}. */
  public static final long stowage_error_status = 0;

  /** Offset in {@code stowage_error}. */
  public static final long stowage_error_message = 4;

  /** Offset in {@code stowage_error}. */
  public static final long stowage_error_path = 516;

  /** Layout of {@code stowage_buffer}, 16 bytes. */
  public static final StructLayout stowage_buffer =
      MemoryLayout.structLayout(
          ADDRESS.withName("data"),
          JAVA_LONG.withName("size"));

  /** Offset in {@code stowage_buffer}. */
  public static final long stowage_buffer_data = 0;

  /** Offset in {@code stowage_buffer}. */
  public static final long stowage_buffer_size = 8;

  /** Layout of {@code stowage_limits}, 72 bytes. */
  public static final StructLayout stowage_limits =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("struct_size"),
          JAVA_LONG.withName("max_bytes"),
          JAVA_LONG.withName("max_apps"),
          JAVA_LONG.withName("max_replicas"),
          JAVA_LONG.withName("max_limits"),
          JAVA_LONG.withName("max_nodes"),
          JAVA_LONG.withName("max_cells"),
          JAVA_LONG.withName("max_threads"),
          JAVA_LONG.withName("max_memory"));

  /** Offset in {@code stowage_limits}. */
  public static final long stowage_limits_struct_size = 0;

  /** Offset in {@code stowage_limits}. */
  public static final long stowage_limits_max_bytes = 8;

  /** Offset in {@code stowage_limits}. */
  public static final long stowage_limits_max_apps = 16;

  /** Offset in {@code stowage_limits}. */
  public static final long stowage_limits_max_replicas = 24;

  /** Offset in {@code stowage_limits}. */
  public static final long stowage_limits_max_limits = 32;

  /** Offset in {@code stowage_limits}. */
  public static final long stowage_limits_max_nodes = 40;

  /** Offset in {@code stowage_limits}. */
  public static final long stowage_limits_max_cells = 48;

  /** Offset in {@code stowage_limits}. */
  public static final long stowage_limits_max_threads = 56;

  /** Offset in {@code stowage_limits}. */
  public static final long stowage_limits_max_memory = 64;

  /** Layout of {@code stowage_progress}, 120 bytes. */
  public static final StructLayout stowage_progress =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("struct_size"),
          JAVA_INT.withName("phase"),
          JAVA_INT.withName("cancelled"),
          JAVA_LONG.withName("done"),
          JAVA_LONG.withName("total"),
          JAVA_LONG.withName("best"),
          JAVA_LONG.withName("work"),
          MemoryLayout.sequenceLayout(7, JAVA_LONG).withName("nanoseconds"),
          JAVA_DOUBLE.withName("value"),
          JAVA_LONG.withName("left_over"));

  /** Offset in {@code stowage_progress}. */
  public static final long stowage_progress_struct_size = 0;

  /** Offset in {@code stowage_progress}. */
  public static final long stowage_progress_phase = 8;

  /** Offset in {@code stowage_progress}. */
  public static final long stowage_progress_cancelled = 12;

  /** Offset in {@code stowage_progress}. */
  public static final long stowage_progress_done = 16;

  /** Offset in {@code stowage_progress}. */
  public static final long stowage_progress_total = 24;

  /** Offset in {@code stowage_progress}. */
  public static final long stowage_progress_best = 32;

  /** Offset in {@code stowage_progress}. */
  public static final long stowage_progress_work = 40;

  /** Offset in {@code stowage_progress}. */
  public static final long stowage_progress_nanoseconds = 48;

  /** Offset in {@code stowage_progress}. */
  public static final long stowage_progress_value = 104;

  /** Offset in {@code stowage_progress}. */
  public static final long stowage_progress_left_over = 112;

  /** Layout of {@code stowage_program}, 152 bytes. */
  public static final StructLayout stowage_program =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("struct_size"),
          JAVA_LONG.withName("columns"),
          JAVA_LONG.withName("rows"),
          JAVA_LONG.withName("entries"),
          ADDRESS.withName("cost"),
          ADDRESS.withName("lower"),
          ADDRESS.withName("upper"),
          ADDRESS.withName("whole"),
          ADDRESS.withName("row_lower"),
          ADDRESS.withName("row_upper"),
          ADDRESS.withName("row_begin"),
          ADDRESS.withName("entry_column"),
          ADDRESS.withName("entry_value"),
          ADDRESS.withName("start"),
          JAVA_DOUBLE.withName("seconds"),
          JAVA_DOUBLE.withName("gap"),
          JAVA_LONG.withName("max_nodes"),
          JAVA_LONG.withName("seed"),
          JAVA_LONG.withName("threads"));

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_struct_size = 0;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_columns = 8;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_rows = 16;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_entries = 24;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_cost = 32;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_lower = 40;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_upper = 48;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_whole = 56;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_row_lower = 64;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_row_upper = 72;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_row_begin = 80;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_entry_column = 88;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_entry_value = 96;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_start = 104;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_seconds = 112;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_gap = 120;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_max_nodes = 128;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_seed = 136;

  /** Offset in {@code stowage_program}. */
  public static final long stowage_program_threads = 144;

  /** Layout of {@code stowage_answer}, 48 bytes. */
  public static final StructLayout stowage_answer =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("struct_size"),
          JAVA_INT.withName("status"),
          MemoryLayout.paddingLayout(4),
          JAVA_DOUBLE.withName("bound"),
          ADDRESS.withName("values"),
          ADDRESS.withName("duals"),
          JAVA_LONG.withName("nodes"));

  /** Offset in {@code stowage_answer}. */
  public static final long stowage_answer_struct_size = 0;

  /** Offset in {@code stowage_answer}. */
  public static final long stowage_answer_status = 8;

  /** Offset in {@code stowage_answer}. */
  public static final long stowage_answer_bound = 16;

  /** Offset in {@code stowage_answer}. */
  public static final long stowage_answer_values = 24;

  /** Offset in {@code stowage_answer}. */
  public static final long stowage_answer_duals = 32;

  /** Offset in {@code stowage_answer}. */
  public static final long stowage_answer_nodes = 40;

  /** Layout of {@code stowage_solver}, 24 bytes. */
  public static final StructLayout stowage_solver =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("struct_size"),
          ADDRESS.withName("solve"),
          ADDRESS.withName("context"));

  /** Offset in {@code stowage_solver}. */
  public static final long stowage_solver_struct_size = 0;

  /** Offset in {@code stowage_solver}. */
  public static final long stowage_solver_solve = 8;

  /** Offset in {@code stowage_solver}. */
  public static final long stowage_solver_context = 16;

  private static final MethodHandle STOWAGE_BOUND_HANDLE =
      find("stowage_bound", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_bound}. */
  public static int stowage_bound(MemorySegment instance, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_BOUND_HANDLE.invokeExact(instance, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_BOUND_WATCHED_HANDLE =
      find("stowage_bound_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_bound_watched}. */
  public static int stowage_bound_watched(MemorySegment instance, MemorySegment control, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_BOUND_WATCHED_HANDLE.invokeExact(instance, control, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_BUFFER_FREE_HANDLE =
      find("stowage_buffer_free", FunctionDescriptor.ofVoid(ADDRESS));

  /** Calls {@code stowage_buffer_free}. */
  public static void stowage_buffer_free(MemorySegment buffer) {
    try {
      STOWAGE_BUFFER_FREE_HANDLE.invokeExact(buffer);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_CHECK_HANDLE =
      find("stowage_check", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_check}. */
  public static int stowage_check(int kind, MemorySegment bytes, long size, MemorySegment limits, MemorySegment control, MemorySegment error) {
    try {
      return (int) STOWAGE_CHECK_HANDLE.invokeExact(kind, bytes, size, limits, control, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_CONTROL_CANCEL_HANDLE =
      find("stowage_control_cancel", FunctionDescriptor.ofVoid(ADDRESS));

  /** Calls {@code stowage_control_cancel}. */
  public static void stowage_control_cancel(MemorySegment control) {
    try {
      STOWAGE_CONTROL_CANCEL_HANDLE.invokeExact(control);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_CONTROL_FREE_HANDLE =
      find("stowage_control_free", FunctionDescriptor.ofVoid(ADDRESS));

  /** Calls {@code stowage_control_free}. */
  public static void stowage_control_free(MemorySegment control) {
    try {
      STOWAGE_CONTROL_FREE_HANDLE.invokeExact(control);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_CONTROL_NEW_HANDLE =
      find("stowage_control_new", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

  /** Calls {@code stowage_control_new}. */
  public static int stowage_control_new(MemorySegment control, MemorySegment error) {
    try {
      return (int) STOWAGE_CONTROL_NEW_HANDLE.invokeExact(control, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_CONTROL_PROGRESS_HANDLE =
      find("stowage_control_progress", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

  /** Calls {@code stowage_control_progress}. */
  public static int stowage_control_progress(MemorySegment control, MemorySegment progress) {
    try {
      return (int) STOWAGE_CONTROL_PROGRESS_HANDLE.invokeExact(control, progress);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_CONTROL_RESET_HANDLE =
      find("stowage_control_reset", FunctionDescriptor.ofVoid(ADDRESS));

  /** Calls {@code stowage_control_reset}. */
  public static void stowage_control_reset(MemorySegment control) {
    try {
      STOWAGE_CONTROL_RESET_HANDLE.invokeExact(control);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_CONTROL_SET_DEADLINE_HANDLE =
      find("stowage_control_set_deadline", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));

  /** Calls {@code stowage_control_set_deadline}. */
  public static int stowage_control_set_deadline(MemorySegment control, long milliseconds) {
    try {
      return (int) STOWAGE_CONTROL_SET_DEADLINE_HANDLE.invokeExact(control, milliseconds);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_CONTROL_SET_SOLVER_HANDLE =
      find("stowage_control_set_solver", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_control_set_solver}. */
  public static int stowage_control_set_solver(MemorySegment control, MemorySegment solver, MemorySegment error) {
    try {
      return (int) STOWAGE_CONTROL_SET_SOLVER_HANDLE.invokeExact(control, solver, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_EXPLAIN_HANDLE =
      find("stowage_explain", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_explain}. */
  public static int stowage_explain(MemorySegment instance, MemorySegment plan, long size, int app, MemorySegment control, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_EXPLAIN_HANDLE.invokeExact(instance, plan, size, app, control, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_HEADROOM_HANDLE =
      find("stowage_headroom", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

  /** Calls {@code stowage_headroom}. */
  public static int stowage_headroom(MemorySegment instance, MemorySegment plan, long size, int app, int node, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_HEADROOM_HANDLE.invokeExact(instance, plan, size, app, node, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_HEADROOM_OF_APPS_HANDLE =
      find("stowage_headroom_of_apps", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS));

  /** Calls {@code stowage_headroom_of_apps}. */
  public static int stowage_headroom_of_apps(MemorySegment instance, MemorySegment plan, long size, int most, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_HEADROOM_OF_APPS_HANDLE.invokeExact(instance, plan, size, most, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_HEADROOM_OF_APPS_WATCHED_HANDLE =
      find("stowage_headroom_of_apps_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_headroom_of_apps_watched}. */
  public static int stowage_headroom_of_apps_watched(MemorySegment instance, MemorySegment plan, long size, int most, MemorySegment control, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_HEADROOM_OF_APPS_WATCHED_HANDLE.invokeExact(instance, plan, size, most, control, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_HEADROOM_WATCHED_HANDLE =
      find("stowage_headroom_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_headroom_watched}. */
  public static int stowage_headroom_watched(MemorySegment instance, MemorySegment plan, long size, int app, int node, MemorySegment control, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_HEADROOM_WATCHED_HANDLE.invokeExact(instance, plan, size, app, node, control, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_INSTANCE_DERIVE_HANDLE =
      find("stowage_instance_derive", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_instance_derive}. */
  public static int stowage_instance_derive(MemorySegment instance, MemorySegment derivation, long size, MemorySegment limits, MemorySegment derived, MemorySegment error) {
    try {
      return (int) STOWAGE_INSTANCE_DERIVE_HANDLE.invokeExact(instance, derivation, size, limits, derived, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_INSTANCE_DERIVE_WATCHED_HANDLE =
      find("stowage_instance_derive_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_instance_derive_watched}. */
  public static int stowage_instance_derive_watched(MemorySegment instance, MemorySegment derivation, long size, MemorySegment limits, MemorySegment control, MemorySegment derived, MemorySegment error) {
    try {
      return (int) STOWAGE_INSTANCE_DERIVE_WATCHED_HANDLE.invokeExact(instance, derivation, size, limits, control, derived, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_INSTANCE_FINGERPRINT_HANDLE =
      find("stowage_instance_fingerprint", FunctionDescriptor.of(JAVA_LONG, ADDRESS));

  /** Calls {@code stowage_instance_fingerprint}. */
  public static long stowage_instance_fingerprint(MemorySegment instance) {
    try {
      return (long) STOWAGE_INSTANCE_FINGERPRINT_HANDLE.invokeExact(instance);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_INSTANCE_FREE_HANDLE =
      find("stowage_instance_free", FunctionDescriptor.ofVoid(ADDRESS));

  /** Calls {@code stowage_instance_free}. */
  public static void stowage_instance_free(MemorySegment instance) {
    try {
      STOWAGE_INSTANCE_FREE_HANDLE.invokeExact(instance);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_INSTANCE_LOAD_HANDLE =
      find("stowage_instance_load", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_instance_load}. */
  public static int stowage_instance_load(MemorySegment bytes, long size, MemorySegment limits, MemorySegment instance, MemorySegment error) {
    try {
      return (int) STOWAGE_INSTANCE_LOAD_HANDLE.invokeExact(bytes, size, limits, instance, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_INSTANCE_LOAD_WATCHED_HANDLE =
      find("stowage_instance_load_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_instance_load_watched}. */
  public static int stowage_instance_load_watched(MemorySegment bytes, long size, MemorySegment limits, MemorySegment control, MemorySegment instance, MemorySegment error) {
    try {
      return (int) STOWAGE_INSTANCE_LOAD_WATCHED_HANDLE.invokeExact(bytes, size, limits, control, instance, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_INSTANCE_SAVE_HANDLE =
      find("stowage_instance_save", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_instance_save}. */
  public static int stowage_instance_save(MemorySegment instance, MemorySegment bytes, MemorySegment error) {
    try {
      return (int) STOWAGE_INSTANCE_SAVE_HANDLE.invokeExact(instance, bytes, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_INSTANCE_SAVE_WATCHED_HANDLE =
      find("stowage_instance_save_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_instance_save_watched}. */
  public static int stowage_instance_save_watched(MemorySegment instance, MemorySegment control, MemorySegment bytes, MemorySegment error) {
    try {
      return (int) STOWAGE_INSTANCE_SAVE_WATCHED_HANDLE.invokeExact(instance, control, bytes, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_LOSSES_HANDLE =
      find("stowage_losses", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_losses}. */
  public static int stowage_losses(MemorySegment instance, MemorySegment plan, long size, MemorySegment nodes, long nodeCount, MemorySegment label, long labelSize, MemorySegment control, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_LOSSES_HANDLE.invokeExact(instance, plan, size, nodes, nodeCount, label, labelSize, control, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_MODEL_FREE_HANDLE =
      find("stowage_model_free", FunctionDescriptor.ofVoid(ADDRESS));

  /** Calls {@code stowage_model_free}. */
  public static void stowage_model_free(MemorySegment model) {
    try {
      STOWAGE_MODEL_FREE_HANDLE.invokeExact(model);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_MODEL_LEARN_HANDLE =
      find("stowage_model_learn", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_model_learn}. */
  public static int stowage_model_learn(MemorySegment profiles, long size, MemorySegment limits, MemorySegment model, MemorySegment error) {
    try {
      return (int) STOWAGE_MODEL_LEARN_HANDLE.invokeExact(profiles, size, limits, model, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_MODEL_LEARN_WATCHED_HANDLE =
      find("stowage_model_learn_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_model_learn_watched}. */
  public static int stowage_model_learn_watched(MemorySegment profiles, long size, MemorySegment limits, MemorySegment control, MemorySegment model, MemorySegment error) {
    try {
      return (int) STOWAGE_MODEL_LEARN_WATCHED_HANDLE.invokeExact(profiles, size, limits, control, model, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_MODEL_LOAD_HANDLE =
      find("stowage_model_load", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_model_load}. */
  public static int stowage_model_load(MemorySegment bytes, long size, MemorySegment limits, MemorySegment model, MemorySegment error) {
    try {
      return (int) STOWAGE_MODEL_LOAD_HANDLE.invokeExact(bytes, size, limits, model, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_MODEL_LOAD_WATCHED_HANDLE =
      find("stowage_model_load_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_model_load_watched}. */
  public static int stowage_model_load_watched(MemorySegment bytes, long size, MemorySegment limits, MemorySegment control, MemorySegment model, MemorySegment error) {
    try {
      return (int) STOWAGE_MODEL_LOAD_WATCHED_HANDLE.invokeExact(bytes, size, limits, control, model, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_MODEL_RECOMMEND_HANDLE =
      find("stowage_model_recommend", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));

  /** Calls {@code stowage_model_recommend}. */
  public static int stowage_model_recommend(MemorySegment model, MemorySegment question, long size, MemorySegment recommendations, MemorySegment error) {
    try {
      return (int) STOWAGE_MODEL_RECOMMEND_HANDLE.invokeExact(model, question, size, recommendations, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_MODEL_RECOMMEND_WATCHED_HANDLE =
      find("stowage_model_recommend_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_model_recommend_watched}. */
  public static int stowage_model_recommend_watched(MemorySegment model, MemorySegment question, long size, MemorySegment control, MemorySegment recommendations, MemorySegment error) {
    try {
      return (int) STOWAGE_MODEL_RECOMMEND_WATCHED_HANDLE.invokeExact(model, question, size, control, recommendations, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_MODEL_SAVE_HANDLE =
      find("stowage_model_save", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_model_save}. */
  public static int stowage_model_save(MemorySegment model, MemorySegment bytes, MemorySegment error) {
    try {
      return (int) STOWAGE_MODEL_SAVE_HANDLE.invokeExact(model, bytes, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_MODEL_SAVE_WATCHED_HANDLE =
      find("stowage_model_save_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_model_save_watched}. */
  public static int stowage_model_save_watched(MemorySegment model, MemorySegment control, MemorySegment bytes, MemorySegment error) {
    try {
      return (int) STOWAGE_MODEL_SAVE_WATCHED_HANDLE.invokeExact(model, control, bytes, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_ORDER_MOVES_HANDLE =
      find("stowage_order_moves", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_DOUBLE, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_order_moves}. */
  public static int stowage_order_moves(MemorySegment instance, MemorySegment plan, long size, int movesPerNode, double appShare, MemorySegment control, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_ORDER_MOVES_HANDLE.invokeExact(instance, plan, size, movesPerNode, appShare, control, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_PLAN_HANDLE =
      find("stowage_plan", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_plan}. */
  public static int stowage_plan(MemorySegment instance, MemorySegment request, long size, MemorySegment control, MemorySegment plan, MemorySegment error) {
    try {
      return (int) STOWAGE_PLAN_HANDLE.invokeExact(instance, request, size, control, plan, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_PLANNERS_HANDLE =
      find("stowage_planners", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

  /** Calls {@code stowage_planners}. */
  public static int stowage_planners(MemorySegment catalogue, MemorySegment error) {
    try {
      return (int) STOWAGE_PLANNERS_HANDLE.invokeExact(catalogue, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_APPLY_HANDLE =
      find("stowage_session_apply", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));

  /** Calls {@code stowage_session_apply}. */
  public static int stowage_session_apply(MemorySegment session, MemorySegment operations, long size, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_APPLY_HANDLE.invokeExact(session, operations, size, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_APPLY_WATCHED_HANDLE =
      find("stowage_session_apply_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));

  /** Calls {@code stowage_session_apply_watched}. */
  public static int stowage_session_apply_watched(MemorySegment session, MemorySegment operations, long size, MemorySegment control, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_APPLY_WATCHED_HANDLE.invokeExact(session, operations, size, control, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_COMMIT_HANDLE =
      find("stowage_session_commit", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS));

  /** Calls {@code stowage_session_commit}. */
  public static int stowage_session_commit(MemorySegment session, MemorySegment plan, long size, int mode, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_COMMIT_HANDLE.invokeExact(session, plan, size, mode, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_COMMIT_WATCHED_HANDLE =
      find("stowage_session_commit_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_session_commit_watched}. */
  public static int stowage_session_commit_watched(MemorySegment session, MemorySegment plan, long size, int mode, MemorySegment control, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_COMMIT_WATCHED_HANDLE.invokeExact(session, plan, size, mode, control, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_FREE_HANDLE =
      find("stowage_session_free", FunctionDescriptor.ofVoid(ADDRESS));

  /** Calls {@code stowage_session_free}. */
  public static void stowage_session_free(MemorySegment session) {
    try {
      STOWAGE_SESSION_FREE_HANDLE.invokeExact(session);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_INSTANCE_HANDLE =
      find("stowage_session_instance", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_session_instance}. */
  public static int stowage_session_instance(MemorySegment session, MemorySegment instance, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_INSTANCE_HANDLE.invokeExact(session, instance, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_INSTANCE_WATCHED_HANDLE =
      find("stowage_session_instance_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_session_instance_watched}. */
  public static int stowage_session_instance_watched(MemorySegment session, MemorySegment control, MemorySegment instance, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_INSTANCE_WATCHED_HANDLE.invokeExact(session, control, instance, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_OPEN_HANDLE =
      find("stowage_session_open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_session_open}. */
  public static int stowage_session_open(MemorySegment bytes, long size, MemorySegment limits, MemorySegment session, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_OPEN_HANDLE.invokeExact(bytes, size, limits, session, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_OPEN_WATCHED_HANDLE =
      find("stowage_session_open_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_session_open_watched}. */
  public static int stowage_session_open_watched(MemorySegment bytes, long size, MemorySegment limits, MemorySegment control, MemorySegment session, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_OPEN_WATCHED_HANDLE.invokeExact(bytes, size, limits, control, session, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_PLAN_HANDLE =
      find("stowage_session_plan", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_session_plan}. */
  public static int stowage_session_plan(MemorySegment session, MemorySegment request, long size, MemorySegment control, MemorySegment plan, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_PLAN_HANDLE.invokeExact(session, request, size, control, plan, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_REJECT_HANDLE =
      find("stowage_session_reject", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));

  /** Calls {@code stowage_session_reject}. */
  public static int stowage_session_reject(MemorySegment session, MemorySegment plan, long size, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_REJECT_HANDLE.invokeExact(session, plan, size, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_REJECT_WATCHED_HANDLE =
      find("stowage_session_reject_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));

  /** Calls {@code stowage_session_reject_watched}. */
  public static int stowage_session_reject_watched(MemorySegment session, MemorySegment plan, long size, MemorySegment control, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_REJECT_WATCHED_HANDLE.invokeExact(session, plan, size, control, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_SNAPSHOT_HANDLE =
      find("stowage_session_snapshot", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_session_snapshot}. */
  public static int stowage_session_snapshot(MemorySegment session, MemorySegment snapshot, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_SNAPSHOT_HANDLE.invokeExact(session, snapshot, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_SNAPSHOT_WATCHED_HANDLE =
      find("stowage_session_snapshot_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_session_snapshot_watched}. */
  public static int stowage_session_snapshot_watched(MemorySegment session, MemorySegment control, MemorySegment snapshot, MemorySegment error) {
    try {
      return (int) STOWAGE_SESSION_SNAPSHOT_WATCHED_HANDLE.invokeExact(session, control, snapshot, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SESSION_VERSION_HANDLE =
      find("stowage_session_version", FunctionDescriptor.of(JAVA_LONG, ADDRESS));

  /** Calls {@code stowage_session_version}. */
  public static long stowage_session_version(MemorySegment session) {
    try {
      return (long) STOWAGE_SESSION_VERSION_HANDLE.invokeExact(session);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SIZE_HANDLE =
      find("stowage_size", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));

  /** Calls {@code stowage_size}. */
  public static int stowage_size(MemorySegment usage, long size, MemorySegment sizes, MemorySegment error) {
    try {
      return (int) STOWAGE_SIZE_HANDLE.invokeExact(usage, size, sizes, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_SIZE_WATCHED_HANDLE =
      find("stowage_size_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_size_watched}. */
  public static int stowage_size_watched(MemorySegment usage, long size, MemorySegment control, MemorySegment sizes, MemorySegment error) {
    try {
      return (int) STOWAGE_SIZE_WATCHED_HANDLE.invokeExact(usage, size, control, sizes, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_STATUS_TEXT_HANDLE =
      find("stowage_status_text", FunctionDescriptor.of(ADDRESS, JAVA_INT));

  /** Calls {@code stowage_status_text}. */
  public static MemorySegment stowage_status_text(int status) {
    try {
      return (MemorySegment) STOWAGE_STATUS_TEXT_HANDLE.invokeExact(status);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_VERIFY_HANDLE =
      find("stowage_verify", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));

  /** Calls {@code stowage_verify}. */
  public static int stowage_verify(MemorySegment instance, MemorySegment plan, long size, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_VERIFY_HANDLE.invokeExact(instance, plan, size, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_VERIFY_WATCHED_HANDLE =
      find("stowage_verify_watched", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS));

  /** Calls {@code stowage_verify_watched}. */
  public static int stowage_verify_watched(MemorySegment instance, MemorySegment plan, long size, MemorySegment control, MemorySegment report, MemorySegment error) {
    try {
      return (int) STOWAGE_VERIFY_WATCHED_HANDLE.invokeExact(instance, plan, size, control, report, error);
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }

  private static final MethodHandle STOWAGE_VERSION_HANDLE =
      find("stowage_version", FunctionDescriptor.of(ADDRESS));

  /** Calls {@code stowage_version}. */
  public static MemorySegment stowage_version() {
    try {
      return (MemorySegment) STOWAGE_VERSION_HANDLE.invokeExact();
    } catch (Throwable failure) {
      throw NativeLibrary.refused(failure);
    }
  }
}
