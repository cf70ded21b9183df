package stowage.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import stowage.Instance;
import stowage.Plan;

class PlannerServiceTest {
  private static final Path SHOP =
      Path.of(System.getProperty("stowage.test.root"), "tests", "conformance", "instances", "shop.stow");

  private static HttpRequest.Builder to(PlannerService service, String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + service.port() + path));
  }

  @Test
  void plansAndRefuses() throws Exception {
    byte[] bytes = Files.readAllBytes(SHOP);
    HttpRequest.BodyPublisher shop = HttpRequest.BodyPublishers.ofByteArray(bytes);
    try (PlannerService service = new PlannerService(0);
        HttpClient client = HttpClient.newHttpClient();
        Instance instance = Instance.load(bytes)) {
      var planned = client.send(to(service, "/plans?planner=ff&seed=3").POST(shop).build(), BodyHandlers.ofByteArray());
      assertEquals(200, planned.statusCode());
      Plan plan = Plan.read(planned.body());
      assertEquals(3, plan.seed());
      assertTrue(instance.verify(plan.bytes()).ok());

      var summary = client.send(
          to(service, "/plans?planner=ff&node-limit=3").header("Accept", "application/json").POST(shop).build(),
          BodyHandlers.ofString());
      assertEquals(200, summary.statusCode());
      assertTrue(summary.body().contains("\"planner\": \"ff\"") && summary.body().contains("\"nodes\": 3"), summary.body());

      var unknown = client.send(to(service, "/plans?planner=best").POST(shop).build(), BodyHandlers.ofString());
      assertEquals(400, unknown.statusCode());
      assertEquals(
          "{\"status\": \"NOT_FOUND\", \"path\": \"planner\", \"message\": \"planner: there is no planner \\\"best\\\"\"}\n",
          unknown.body());
      byte[] nonsense = "nonsense".getBytes(StandardCharsets.UTF_8);
      var malformed = client.send(
          to(service, "/plans").POST(HttpRequest.BodyPublishers.ofByteArray(nonsense)).build(), BodyHandlers.ofString());
      assertEquals(400, malformed.statusCode());
      var number = client.send(to(service, "/plans?seed=x").POST(shop).build(), BodyHandlers.ofString());
      assertEquals(400, number.statusCode());
      assertEquals(405, client.send(to(service, "/plans").GET().build(), BodyHandlers.ofString()).statusCode());

      var planners = client.send(to(service, "/planners").GET().build(), BodyHandlers.ofString());
      assertTrue(planners.body().contains("\"auto\""), planners.body());
    }
  }
}
