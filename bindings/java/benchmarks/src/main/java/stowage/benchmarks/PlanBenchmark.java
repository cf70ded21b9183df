package stowage.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import stowage.Control;
import stowage.Instance;
import stowage.Plan;
import stowage.Request;

/**
 * Measures the time of a plan by {@code ff}. {@link stowage.Overhead} measures this package's share of it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PlanBenchmark {
  /** The file of the instance. */
  @Param("") public String file;

  private Instance instance;
  private Control control;
  private final Request request = Request.of("ff");

  /** Loads the instance. */
  @Setup
  public void load() throws IOException {
    instance = Instance.load(Files.readAllBytes(Path.of(file)));
    control = new Control();
  }

  /** Frees it. */
  @TearDown
  public void close() {
    control.close();
    instance.close();
  }

  /** Plans. */
  @Benchmark
  public Plan plan() {
    return instance.plan(request);
  }

  /** Plans under a control. */
  @Benchmark
  public Plan planUnderControl() {
    return instance.plan(request, control);
  }

  /** Plans and reads every placement. */
  @Benchmark
  public void planAndRead(Blackhole hole) {
    instance.plan(request).placements().forEach(hole::consume);
  }
}
