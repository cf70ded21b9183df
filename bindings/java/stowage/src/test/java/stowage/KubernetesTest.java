package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Questions about Kubernetes clusters. */
class KubernetesTest {
  private static final Path ROOT = Path.of(System.getProperty("stowage.test.root"));
  private static final Path CLUSTERS = ROOT.resolve("bindings/go/stowage-k8s/testdata");

  private static ByteBuffer cluster(String name) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(CLUSTERS.resolve(name)));
  }

  private static ByteBuffer text(String json) {
    return ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void answersAreThoseOfTheCommand() throws Exception {
    Path command = ROOT.resolve("build/release/capi/cli/stowage");
    assumeTrue(Files.isExecutable(command), "there is no " + command);
    for (String name : List.of("cluster.json", "daemons.json", "operator.json")) {
      for (String question : List.of("all", "nodes", "consolidate", "instance")) {
        List<String> arguments = List.of(question, "-json", "-work", "100000");
        List<String> line = new ArrayList<>(List.of(command.toString(), "k8s"));
        line.addAll(arguments);
        line.add(CLUSTERS.resolve(name).toString());
        Process process = new ProcessBuilder(line).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(new Kubernetes.Answer(process.waitFor(), printed), Kubernetes.answer(arguments, cluster(name)), name);
      }
    }
  }

  @Test
  void aClusterIsAnInstance() throws IOException {
    String json = Kubernetes.answer(List.of("instance"), cluster("operator.json")).text();
    try (Instance instance = Instance.load(Json.instance(json), Limits.DEFAULTS)) {
      assertTrue(instance.verify(instance.plan(Request.builder("ff").build()).bytes()).ok());
    }
  }

  @Test
  void textsOfTheCallerAreFiles() throws IOException {
    String table = "type,cpu,memory,price\n\"x\",4,1Gi,1\n";
    StowageException failure = assertThrows(StowageException.class, () -> Kubernetes.answer(
        List.of("fit", "-types", "a \"b\".csv"), cluster("daemons.json"), Map.of("a \"b\".csv", table + "y,four,1Gi,1\n"), null));
    assertEquals(Status.INVALID, failure.status());
    assertTrue(failure.getMessage().contains("a \"b\".csv: line 3"), failure.getMessage());
  }

  @Test
  void whatIsWrongIsRefused() {
    for (String objects : List.of("{\"kind\"", "[", "")) {
      assertEquals(Status.MALFORMED,
          assertThrows(StowageException.class, () -> Kubernetes.answer(List.of(), text(objects))).status());
    }
    StowageException failure = assertThrows(
        StowageException.class, () -> Kubernetes.answer(List.of(), text("{\"kind\": \"Node\", \"metadata\": 1}")));
    assertEquals("metadata", failure.path());
    assertThrows(StowageException.class, () -> Kubernetes.answer(List.of("more.json"), text("{}")));
    assertThrows(StowageException.class, () -> Kubernetes.answer(List.of("\ud800"), text("{}")));
  }

  @Test
  void aControlEndsACall() throws IOException {
    ByteBuffer objects = cluster("operator.json");
    try (Control control = new Control()) {
      control.cancel();
      assertEquals(Status.CANCELLED, assertThrows(
          StowageException.class, () -> Kubernetes.answer(List.of("fit"), objects, Map.of(), control)).status());
    }
  }
}
