package stowage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** What the tests share: the conformance set, small instances. */
final class Support {
  private Support() {}

  static final Path CONFORMANCE = Path.of(System.getProperty("stowage.test.root"), "tests", "conformance");

  /** Cells of the lines of a file, less its comments and its first line, which names the columns. */
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

  static byte[] bytesOf(Plan plan) {
    byte[] bytes = new byte[plan.bytes().remaining()];
    plan.bytes().get(bytes);
    return bytes;
  }

  /** Three replicas of web and one of db, at most two web on a node, beside db at most one. */
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

  /** A replica each with mean 2, 2 and 3 cores and variance 0.5, 1 and 1.5 at 99 % (P1, section 4.1), and one known exactly. */
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
   * Many apps of different sizes with limits between them, the same every time. The more limits there are, the further a plan
   * stays from the bound, so that planners that improve do not end by themselves.
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
