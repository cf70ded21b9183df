package stowage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Shared by the tests: the conformance set, and small instances. */
final class Support {
  private Support() {}

  static final Path CONFORMANCE = Path.of(System.getProperty("stowage.test.root"), "tests", "conformance");

  /** The cells of each line of a file, without comments and without the first line, which names the columns. */
  static List<List<String>> table(String name) {
    try {
      return Files.readAllLines(CONFORMANCE.resolve(name)).stream()
          .filter(line -> !line.startsWith("#"))
          .skip(1)
          .map(line -> Arrays.asList(line.split("\t")))
          .toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static byte[] instanceBytes(String name) {
    try {
      return Files.readAllBytes(CONFORMANCE.resolve("instances").resolve(name + ".stow"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Runs something that another thread ends, and returns the microseconds from then until it came back: of processor time, since
   * others may use the machine.
   *
   * @param until returns when it is to end
   * @param end ends it
   */
  static long microsecondsToEnd(Runnable run, Callable<Void> until, Runnable end) throws Exception {
    ThreadMXBean meter = ManagementFactory.getThreadMXBean();
    long runner = Thread.currentThread().threadId();
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<Long> ended = threads.submit(() -> {
        until.call();
        long begin = meter.getThreadCpuTime(runner);
        end.run();
        return begin;
      });
      run.run();
      long back = meter.getThreadCpuTime(runner);
      return (back - ended.get()) / 1000;
    }
  }

  static byte[] bytesOf(Plan plan) {
    byte[] bytes = new byte[plan.bytes().remaining()];
    plan.bytes().get(bytes);
    return bytes;
  }

  /** Three replicas of web and one of db; at most two web per node, and at most one web beside db. */
  static InstanceBuilder small() {
    InstanceBuilder builder = new InstanceBuilder("small");
    builder.resource("cpu", "cores");
    builder.resource("memory", "GiB");
    builder.nodeClass(NodeClass.of("standard", 8, 16));
    int web = builder.app(App.of("web", 3, 2, 4));
    int db = builder.app(App.of("db", 1, 4, 8));
    builder.limit(web, web, 2);
    builder.limit(db, web, 1);
    return builder;
  }

  private static InstanceBuilder.Cardinality of(
      InstanceBuilder.CardinalityKind kind, String subject, List<String> target, String group, int min, int max) {
    OptionalInt most = max < 0 ? OptionalInt.empty() : OptionalInt.of(max);
    return new InstanceBuilder.Cardinality(kind, List.of(subject), target, min, most, group, false);
  }

  private static InstanceBuilder.Cardinality count(String subject, String target, String group, int min, int max) {
    return of(InstanceBuilder.CardinalityKind.REPLICAS, subject, List.of(target), group, min, max);
  }

  /** Nine replicas, four of which fill a node. */
  static InstanceBuilder alike() {
    InstanceBuilder b = new InstanceBuilder("alike");
    b.resource("cpu", "cores");
    b.nodeClass(NodeClass.of("standard", 8).withPrice(1.5));
    b.app(App.of("web", 9, 2));
    return b;
  }

  /** Six nodes in three racks, with rules of all kinds: tests/data/racks_instance.json. */
  static InstanceBuilder racks() {
    InstanceBuilder b = new InstanceBuilder("six nodes in three racks");
    b.resource("cpu", "cores");
    b.resource("memory", "GiB");
    int machine = b.nodeClass(NodeClass.of("machine", 8, 32).withCount(8).withLabels("zone=a"));
    int large = b.nodeClass(NodeClass.of("large", 16, 64).withCount(2).withLabels("zone=b", "ssd"));
    int web = b.app(App.of("web", 6, 2, 2).withTags("web", "appID:shop"));
    int cache = b.app(App.of("cache", 3, 1, 8).withTags("cache", "appID:shop"));
    int db = b.app(App.of("db", 2, 4, 16).withPriority(5).withTags("db"));
    int batch = b.app(App.of("batch", 4, 3, 4).withTags("batch"));
    b.limit(cache, cache, 1);
    int n1 = b.node(Node.of("n1", machine));
    int n2 = b.node(Node.of("n2", machine).withLoad(1, 0));
    int n3 = b.node(Node.of("n3", machine).withTags("gpu"));
    int n4 = b.node(Node.of("n4", machine));
    int n5 = b.node(Node.of("n5", large));
    int n6 = b.node(Node.of("n6", large));
    b.running(batch, n1, 1);
    b.running(web, n2, 1);
    b.running(db, n5, 1);
    Map<String, int[]> sets = new LinkedHashMap<>();
    sets.put("r1", new int[] {n1, n2});
    sets.put("r2", new int[] {n3, n4});
    sets.put("r3", new int[] {n5, n6});
    b.nodeGroup(new InstanceBuilder.NodeGroup("rack", sets, ""));
    b.nodeGroup(new InstanceBuilder.NodeGroup("zone", Map.of(), "zone"));

    OptionalDouble hard = OptionalDouble.empty();
    InstanceBuilder.Cardinality skew =
        of(InstanceBuilder.CardinalityKind.SKEW, "web", List.of(), "rack", 0, 2);
    b.rule(new InstanceBuilder.Rule("spread", List.of(List.of(skew)), hard, false));
    b.rule(new InstanceBuilder.Rule("apart", List.of(List.of(count("db", "batch", "node", 0, 0))), hard, false));
    b.rule(new InstanceBuilder.Rule(
        "near",
        List.of(
            List.of(count("web", "cache", "", 1, -1)),
            List.of(count("web", "cache", "rack", 1, -1), count("web", "batch", "node", 0, 0))),
        OptionalDouble.of(3),
        false));
    b.rule(new InstanceBuilder.Rule(
        "wide",
        List.of(List.of(
            of(InstanceBuilder.CardinalityKind.NODE_SETS, "web", List.of(), "zone", 2, 3),
            new InstanceBuilder.Cardinality(
                InstanceBuilder.CardinalityKind.REPLICAS,
                List.of("batch"),
                List.of("cache", "appID:shop"),
                1,
                OptionalInt.empty(),
                "rack",
                true))),
        OptionalDouble.of(0.5),
        false));
    b.rule(new InstanceBuilder.Rule(
        "few", List.of(List.of(count("batch", "batch", "", 0, 1))), OptionalDouble.of(1), true));
    return b;
  }

  /**
   * Three replicas with means 2, 2 and 3 cores and variances 0.5, 1 and 1.5 at 99 % (P1, section 4.1), and one with certain
   * demand.
   */
  static InstanceBuilder uncertain() {
    InstanceBuilder builder = new InstanceBuilder("uncertain");
    builder.resource("cpu", "cores");
    builder.nodeClass(NodeClass.of("machine", 12));
    builder.app(App.of("", 1, 2).withVariance(0.5));
    builder.app(App.of("", 1, 2).withVariance(1));
    builder.app(App.of("", 1, 3).withVariance(1.5));
    builder.app(App.of("", 1, 4));
    builder.uncertainty(InstanceBuilder.ChanceModel.GAUSSIAN, 0.99, 0);
    return builder;
  }

  /**
   * Many apps of different sizes with limits between them, the same in every run. The more limits there are, the further plans
   * stay above the bound, so that planners that improve a plan do not end by themselves.
   */
  static InstanceBuilder workload(int apps, int limits) {
    Random random = new Random(1);
    InstanceBuilder builder = new InstanceBuilder("workload");
    builder.resource("cpu", "cores");
    builder.resource("memory", "GiB");
    builder.nodeClass(NodeClass.of("", 64, 128));
    for (int app = 0; app < apps; ++app) {
      builder.app(App.of("", 1 + random.nextInt(12), 1 + random.nextInt(8), 1 + random.nextInt(16)));
    }
    for (int app = 0; app < apps; ++app) {
      for (int other : random.ints(0, apps).distinct().limit(limits).toArray()) {
        if (other != app) {
          builder.limit(app, other, Math.max(0, random.nextInt(6) - 3));
        }
      }
    }
    return builder;
  }
}
