package stowage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import stowage.internal.StowageH;

/**
 * Measures the overhead of this package over the C function for a plan by {@code ff}, for scripts/bench-bindings.sh. It
 * alternates between both calls, so that other load on the machine affects both, and prints the median in microseconds of each
 * and of the differences. The class is in the package so that both calls can use the same handle: the memory location of an
 * instance makes more of a difference than a binding.
 *
 * <p>Arguments: the file of the instance, and the duration of the measurement in seconds.
 */
public final class Overhead {
  private Overhead() {}

  /** Number of calls after which all code has been compiled. */
  private static final int WARM = 20_000;

  /** The last result. It is volatile, so that the compiler does not eliminate calls whose result is unused. */
  private static volatile Object last;

  private record Times(List<Double> bare, List<Double> call, List<Double> above) {}

  /** Runs the measurement. */
  public static void main(String[] arguments) throws IOException {
    long nanoseconds = (long) (1e9 * Double.parseDouble(arguments[1]));
    InstanceBuilder small = new InstanceBuilder("small");
    small.resource("cpu", "cores");
    small.nodeClass(NodeClass.of("standard", 8));
    small.app(App.of("web", 10, 2));
    try (Instance warm = small.build();
        Instance instance = Instance.load(Files.readAllBytes(Path.of(arguments[0])));
        Control control = new Control();
        Arena arena = Arena.ofConfined()) {
      Request request = Request.of("ff");
      Bare bare = new Bare(Calls.readable(arena, request.encode()), arena.allocate(StowageH.stowage_buffer));
      Call plan = on -> last = on.plan(request);
      Call planUnderControl = on -> last = on.plan(request, control);
      Call planAndRead =
          on -> last = on.plan(request).placements().stream().mapToInt(Plan.Placement::replicas).sum();
      for (Call call : List.of(plan, planUnderControl, planAndRead)) {
        for (int k = 0; k < WARM; ++k) {
          add(warm, bare, call, new Times(new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
        }
      }
      print("plan", nanoseconds, instance, bare, plan);
      print("planUnderControl", nanoseconds, instance, bare, planUnderControl);
      print("planAndRead", nanoseconds, instance, bare, planAndRead);
    }
  }

  private interface Call {
    void on(Instance instance);
  }

  /** The C function alone. */
  private record Bare(MemorySegment request, MemorySegment plan) implements Call {
    @Override
    public void on(Instance instance) {
      instance.handle.use(handle -> {
        MemorySegment none = MemorySegment.NULL;
        int status = StowageH.stowage_plan(handle, request, request.byteSize(), none, plan, none);
        if (status != StowageH.STOWAGE_OK) {
          throw new StowageException(Status.of(status), "no plan", "");
        }
        StowageH.stowage_buffer_free(plan);
        return null;
      });
    }
  }

  private static void add(Instance instance, Call bare, Call call, Times times) {
    double first = microseconds(instance, bare);
    double second = microseconds(instance, call);
    times.bare.add(first);
    times.call.add(second);
    times.above.add(second - first);
  }

  private static double microseconds(Instance instance, Call call) {
    long start = System.nanoTime();
    call.on(instance);
    return (System.nanoTime() - start) / 1e3;
  }

  private static void print(String name, long nanoseconds, Instance instance, Call bare, Call call) {
    Times times = new Times(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (long start = System.nanoTime(); System.nanoTime() - start < nanoseconds; ) {
      add(instance, bare, call, times);
    }
    System.out.printf(
        "%s %.2f us/bare %.2f us/plan %.2f us/above%n", name, median(times.bare), median(times.call), median(times.above));
  }

  private static double median(List<Double> of) {
    of.sort(null);
    return of.get(of.size() / 2);
  }
}
