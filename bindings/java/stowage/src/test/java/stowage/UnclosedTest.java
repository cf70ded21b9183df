package stowage;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What nobody closes does not fill the memory. Measured in a process of its own, whose heap is small. */
@Timeout(600)
class UnclosedTest {
  private static final long MOST = 500L << 20;

  @BeforeAll
  static void thereIsProc() {
    Assumptions.assumeTrue(Files.exists(Path.of("/proc/self/status")));
  }

  /** What the process has in memory. */
  private static long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElseThrow();
  }

  private static InstanceBuilder megabyte() {
    InstanceBuilder builder = new InstanceBuilder("large");
    builder.resource("cpu", "cores");
    builder.nodeClass(NodeClass.of("standard", 64));
    for (int k = 0; k < 32_000; ++k) {
      builder.app(App.of("app-" + k, 1, 1 + k % 7));
    }
    return builder;
  }

  private interface Making {
    Object make();
  }

  /** Makes so many objects of each kind, and prints by how many bytes the process has grown most. */
  public static void main(String[] arguments) throws IOException {
    InstanceBuilder builder = megabyte();
    ByteBuffer bytes = builder.bytes();
    if (bytes.remaining() < 1_000_000) {
      throw new AssertionError(bytes.remaining() + " bytes");
    }
    Instance instance = Instance.load(bytes, Limits.DEFAULTS);
    Map<String, Making> all = new LinkedHashMap<>();
    all.put("load", () -> Instance.load(bytes, Limits.DEFAULTS));
    all.put("build", builder::build);
    all.put("bytes", builder::bytes);
    all.put("derive", () -> instance.derive(new Derivation().demand(0.5)));
    all.put("session", () -> Session.open(bytes));
    Making making = all.get(arguments[0]);
    long before = resident();
    long most = 0;
    for (int k = 0; k < Integer.parseInt(arguments[1]); ++k) {
      making.make();
      most = Math.max(most, resident() - before);
    }
    System.out.println(most);
  }

  private static long growth(String kind, int count, Path folder) throws Exception {
    Path printed = Files.createTempFile(folder, kind, ".txt");
    Process process = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--enable-native-access=ALL-UNNAMED", "-Xmx256m",
        "-Djava.library.path=" + System.getProperty("java.library.path"), "-cp", System.getProperty("java.class.path"),
        "stowage.UnclosedTest", kind, Integer.toString(count))
        .redirectErrorStream(true)
        .redirectOutput(printed.toFile())
        .start();
    assertTrue(process.waitFor(9, TimeUnit.MINUTES), kind);
    List<String> lines = Files.readAllLines(printed);
    assertTrue(process.exitValue() == 0, kind + ": " + lines);
    return Long.parseLong(lines.getLast());
  }

  @Test
  void aThousandInstancesThatNobodyClosed(@TempDir Path folder) throws Exception {
    // Of each, so many that they would take more than the bound. A session takes 12 times as much as an instance.
    Map<String, Integer> counts = Map.of("load", 1000, "build", 300, "bytes", 600, "derive", 400, "session", 50);
    Map<String, Long> megabytes = new TreeMap<>();
    for (Map.Entry<String, Integer> one : counts.entrySet()) {
      megabytes.put(one.getKey(), growth(one.getKey(), one.getValue(), folder) >> 20);
    }
    System.out.println("growth in megabytes by what nobody closed: " + megabytes);
    megabytes.forEach((kind, most) -> assertTrue(most << 20 < MOST, kind + ": " + most + " MB"));
  }
}
