package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import stowage.internal.StowageH;

/**
 * The largest instance that the caller accepts; 0 stands for the default that {@code stowage.h} states.
 *
 * @param bytes bytes of the buffer
 * @param apps apps
 * @param replicas replicas, summed over all apps
 * @param limits affinity limits
 * @param nodes listed nodes, and nodes in use in a plan
 * @param cells apps x resources x periods
 * @param threads threads of one run
 * @param memory bytes that loading may take beside the buffer, estimated
 */
public record Limits(
    long bytes, long apps, long replicas, long limits, long nodes, long cells, long threads, long memory) {
  /** All defaults. */
  public static final Limits DEFAULTS = new Limits(0, 0, 0, 0, 0, 0, 0, 0);

  MemorySegment encode(Arena arena) {
    MemorySegment raw = arena.allocate(StowageH.stowage_limits);
    raw.set(ValueLayout.JAVA_LONG, StowageH.stowage_limits_struct_size, StowageH.stowage_limits.byteSize());
    raw.set(ValueLayout.JAVA_LONG, StowageH.stowage_limits_max_bytes, bytes);
    raw.set(ValueLayout.JAVA_LONG, StowageH.stowage_limits_max_apps, apps);
    raw.set(ValueLayout.JAVA_LONG, StowageH.stowage_limits_max_replicas, replicas);
    raw.set(ValueLayout.JAVA_LONG, StowageH.stowage_limits_max_limits, limits);
    raw.set(ValueLayout.JAVA_LONG, StowageH.stowage_limits_max_nodes, nodes);
    raw.set(ValueLayout.JAVA_LONG, StowageH.stowage_limits_max_cells, cells);
    raw.set(ValueLayout.JAVA_LONG, StowageH.stowage_limits_max_threads, threads);
    raw.set(ValueLayout.JAVA_LONG, StowageH.stowage_limits_max_memory, memory);
    return raw;
  }
}
