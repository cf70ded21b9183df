package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** JSON that people write, and explanations in words. */
class JsonTest {
  private static final String HEAD =
      "{\"stowage\": 1, \"resources\": {\"cpu\": \"cores\"}, \"classes\": [{\"capacity\": {\"cpu\": 4}}], \"apps\": ";

  private static ByteBuffer shop() throws IOException {
    return Json.instance(Files.readString(Path.of("../../../capi/cli/example.json")));
  }

  private static StowageException failure(Status status, Executable call) {
    StowageException failure = assertThrows(StowageException.class, call);
    assertEquals(status, failure.status(), failure.getMessage());
    return failure;
  }

  @Test
  void thereAndBack() throws IOException {
    ByteBuffer content = shop();
    // The conformance set has the same instance, as the command converts it.
    assertEquals(
        ByteBuffer.wrap(Files.readAllBytes(Path.of("../../../tests/conformance/instances/shop.stow"))), content);
    assertEquals(content, Json.instance(Json.of(content)));
    try (Instance instance = Instance.load(content, Limits.DEFAULTS)) {
      Plan plan = instance.plan(Request.builder("ff").nodeLimit(5).build());
      String json = Json.of(content, plan);
      assertTrue(json.contains("{\"name\": \"old-1\", \"class\": \"medium\""), json);
      Plan again = Json.plan(content, json);
      assertEquals(plan.instance(), again.instance());
      assertEquals(plan.placements(), again.placements());
      String words = Json.explanation(content, plan);
      assertTrue(words.startsWith("5 nodes in use; no complete plan uses fewer than 6\n"), words);
      assertTrue(words.contains("what would help: add "), words);
    }
  }

  @Test
  void whatIsWrongIsRefusedByItsPlace() throws IOException {
    assertTrue(failure(Status.MALFORMED, () -> Json.instance(HEAD + "[}")).getMessage().contains("line 1, column"));
    failure(Status.MALFORMED, () -> Json.instance(""));
    assertEquals(
        "apps[0].demand.cpu",
        failure(Status.INVALID, () -> Json.instance(HEAD + "[{\"demand\": {\"cpu\": -1}}]}")).path());
    assertEquals(
        "apps.demand",
        failure(
            Status.LIMIT_EXCEEDED,
            () -> Json.instance(HEAD + "[{\"demand\": {\"cpu\": 1}}], \"periods\": 4294967295}")).path());
    failure(Status.MALFORMED, () -> Json.of(ByteBuffer.allocate(0)));
    ByteBuffer content = shop();
    String plan = "{\"planner\": \"\", \"nodes\": [{\"class\": \"huge\"}]}";
    assertEquals("nodes[0].class", failure(Status.INVALID, () -> Json.plan(content, plan)).path());
    try (Instance instance = Instance.load(content, Limits.DEFAULTS)) {
      Plan foreign = instance.plan(Request.of("ff"));
      failure(Status.INVALID, () -> Json.of(Support.small().bytes(), foreign));
    }
  }
}
