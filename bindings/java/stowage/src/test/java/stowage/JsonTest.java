package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
    return Json.instance(Files.readString(Path.of("../../../capi/cli/examples/shop.json")));
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
      String told = Json.words(content, plan, 2);
      assertTrue(told.startsWith("Buy ") && told.contains("more node"), told);
      assertThrows(IllegalArgumentException.class, () -> Json.words(content, plan, -1));
      String page = Json.html(content, plan);
      assertTrue(page.startsWith("<!doctype html>") && page.contains("<h1>Buy "), page);
      assertTrue(Json.svg(content, plan).startsWith("<svg "));
      String words = Json.explanation(content, plan);
      assertTrue(words.startsWith("5 nodes in use, cost 6.1; no complete plan costs less than 7.7\n"), words);
      assertTrue(words.contains("to place one more: add "), words);
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
            () -> Json.instance(
                HEAD + "[{\"demand\": {\"cpu\": [1, 2]}}], \"periods\": 2}", new Limits(0, 0, 0, 0, 0, 0, 0, 8))).path());
    // What is equal in all periods is stated once.
    assertTrue(Json.instance(HEAD + "[{\"demand\": {\"cpu\": 1}}], \"periods\": 4294967295}").remaining() < 1000);
    failure(Status.MALFORMED, () -> Json.of(ByteBuffer.allocate(0)));
    ByteBuffer content = shop();
    String plan = "{\"planner\": \"\", \"nodes\": [{\"class\": \"huge\"}]}";
    assertEquals("nodes[0].class", failure(Status.INVALID, () -> Json.plan(content, plan)).path());
    try (Instance instance = Instance.load(content, Limits.DEFAULTS)) {
      Plan foreign = instance.plan(Request.of("ff"));
      failure(Status.INVALID, () -> Json.of(Support.small().bytes(), foreign));
    }
  }

  @Test
  void operationsChangeASession() throws IOException {
    ByteBuffer content = shop();
    try (Session session = Session.open(content)) {
      session.applyBytes(Json.operations(content, """
          [{"op": "submit", "app": "mail", "replicas": 2, "demand": {"cpu": ["500m", 1, 1, 1], "memory": "2Gi"}},
           {"op": "add-node", "node": "new-1", "class": "large"}, {"op": "cordon", "node": "new-1"}]"""));
      ByteBuffer snapshot = session.snapshot();
      session.applyBytes(Json.operations(snapshot, "{\"op\": \"scale\", \"app\": \"mail\", \"replicas\": 7}"));
      session.applyBytes(
          Json.operations(snapshot, "{\"op\": \"batch\", \"operations\": [{\"op\": \"remove\", \"app\": \"cache\"}]}"));
      assertEquals(5, session.version());
      String json = Json.of(session.snapshot());
      assertTrue(
          json.contains("\"name\": \"mail\", \"replicas\": 7, \"demand\": {\"cpu\": [0.5, 1, 1, 1], \"memory\": 2}"), json);
      assertTrue(json.contains("\"name\": \"new-1\", \"class\": \"large\", \"closed\": true"), json);
      assertFalse(json.contains("\"name\": \"cache\""), json);
    }
  }

  @Test
  void wrongOperationsAreRefusedByTheirPlace() throws IOException {
    ByteBuffer content = shop();
    failure(Status.MALFORMED, () -> Json.operations(content, ""));
    String open = "[{\"op\": \"cordon\", \"node\": \"old-1\"}";
    assertTrue(failure(Status.MALFORMED, () -> Json.operations(content, open)).getMessage().contains("line 1, column"));
    String text = open + ", {\"op\": \"scale\", \"app\": \"cache\", \"replicas\": \"5\"}]";
    assertEquals("[1].replicas", failure(Status.INVALID, () -> Json.operations(content, text)).path());
    StowageException misspelt =
        failure(Status.INVALID, () -> Json.operations(content, "[{\"op\": \"scale\", \"app\": \"cache\", \"replica\": 5}]"));
    assertEquals("[0].replica", misspelt.path());
    assertTrue(misspelt.getMessage().contains("did you mean"), misspelt.getMessage());
    assertEquals("op", failure(Status.INVALID, () -> Json.operations(content, "{\"op\": \"plan\"}")).path());
    failure(Status.MALFORMED, () -> Json.operations(ByteBuffer.allocate(0), "[]"));
    failure(Status.LIMIT_EXCEEDED, () -> Json.operations(content, "[]", new Limits(0, 1, 0, 0, 0, 0, 0, 0)));
  }
}
