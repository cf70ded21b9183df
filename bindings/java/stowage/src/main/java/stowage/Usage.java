package stowage;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import stowage.internal.StowageH;

/**
 * What replicas used over time, in columns, and how sizes follow from it. Samples are in any order; a sample is one replica at one
 * time. Immutable: {@link #of} sets the properties that every history has, the {@code with} methods set further ones.
 *
 * @param apps unique names
 * @param resources unique names
 * @param app app of each sample, an index into {@code apps}
 * @param replica number of the replica within its app; length: samples; null = not known
 * @param time seconds since any origin; may be negative; length: samples
 * @param amount in the resource's unit; NaN = not measured; length: samples x resources
 * @param outOfMemory whether the replica was killed for lack of memory; length: samples; null = none was
 * @param rules one per resource
 * @param periods number of periods of the demand
 * @param cycle seconds after which periods repeat, counted from time 0; 0 = they divide the whole history
 */
public record Usage(
    List<String> apps,
    List<String> resources,
    int[] app,
    int[] replica,
    double[] time,
    double[] amount,
    boolean[] outOfMemory,
    List<SizeRule> rules,
    int periods,
    double cycle) {

  /** A history of one period, by the day. */
  public static Usage of(
      List<String> apps, List<String> resources, int[] app, double[] time, double[] amount, List<SizeRule> rules) {
    return new Usage(apps, resources, app, null, time, amount, null, rules, 1, 86_400);
  }

  /** The same with the replica of each sample. */
  public Usage withReplica(int... replica) {
    return new Usage(apps, resources, app, replica, time, amount, outOfMemory, rules, periods, cycle);
  }

  /** The same with what was out of memory. */
  public Usage withOutOfMemory(boolean... outOfMemory) {
    return new Usage(apps, resources, app, replica, time, amount, outOfMemory, rules, periods, cycle);
  }

  /** The same with periods that repeat after {@code cycle} seconds; 0 = they divide the whole history. */
  public Usage withPeriods(int periods, double cycle) {
    return new Usage(apps, resources, app, replica, time, amount, outOfMemory, rules, periods, cycle);
  }

  /**
   * What replicas should ask for, by what they used.
   *
   * @throws StowageException invalid, a limit exceeded, out of memory, cancelled (by an interrupt, as in {@link Model})
   */
  public Sizes sizes() {
    return sizes(null);
  }

  /**
   * The same with a control.
   *
   * @param control null = none
   * @throws StowageException as {@link #sizes()}
   * @throws IllegalStateException another call uses the control, or it is closed
   */
  public Sizes sizes(Control control) {
    ByteBuffer encoded = Learning.encode(this);
    return Learning.sizes(Watched.whole(control, raw -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment usage = Calls.readable(arena, encoded);
        return Calls.bytes(arena, (sizes, error) ->
            StowageH.stowage_size_watched(usage, usage.byteSize(), raw, sizes, error));
      }
    }));
  }
}
