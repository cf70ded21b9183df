package stowage.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import stowage.Instance;
import stowage.Limits;
import stowage.Plan;
import stowage.Planner;
import stowage.Request;
import stowage.Status;
import stowage.Stowage;
import stowage.StowageException;

/**
 * Plans over HTTP, on the server of the JDK.
 *
 * <ul>
 *   <li>{@code POST /plans?planner=auto&seed=1&deadline-ms=500&node-limit=40}: the body is an instance ({@code .stow}); the
 *       answer is the plan's bytes or, with {@code Accept: application/json}, a summary.
 *   <li>{@code GET /planners}: names of the planners.
 * </ul>
 *
 * A planner runs at most ten seconds. Runs beyond the number of processors are refused with 503 instead of being queued. A
 * wrong instance or request is answered with 4xx and the status, path and message of the failure.
 */
public final class PlannerService implements AutoCloseable {
  private static final int LARGEST_BODY = 64 << 20;
  private static final Duration LONGEST_RUN = Duration.ofSeconds(10);
  private static final Limits LIMITS = new Limits(LARGEST_BODY, 200_000, 10_000_000, 20_000_000, 200_000, 50_000_000, 1, 0);
  private static final String JSON = "application/json";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore runs = new Semaphore(Runtime.getRuntime().availableProcessors());

  /** Starts the service on the loopback address; port 0 takes any free port. */
  public PlannerService(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext("/plans", exchange -> answer(exchange, "POST", this::plan));
    server.createContext("/planners", exchange -> answer(exchange, "GET", this::planners));
    server.start();
  }

  /** The port it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    // Ends the runs.
    threads.shutdownNow();
    threads.close();
  }

  private record Answer(int code, String type, byte[] body) {
    static Answer json(int code, String text) {
      return new Answer(code, JSON, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private interface Handler {
    Answer handle(HttpExchange exchange) throws IOException;
  }

  private static void answer(HttpExchange exchange, String method, Handler handler) throws IOException {
    try (exchange) {
      Answer answer;
      if (!exchange.getRequestMethod().equals(method)) {
        answer = failure(405, "METHOD", "", "only " + method + " is understood here");
      } else {
        answer = handle(exchange, handler);
      }
      exchange.getResponseHeaders().set("Content-Type", answer.type);
      exchange.sendResponseHeaders(answer.code, answer.body.length == 0 ? -1 : answer.body.length);
      exchange.getResponseBody().write(answer.body);
    }
  }

  private static Answer handle(HttpExchange exchange, Handler handler) throws IOException {
    try {
      return handler.handle(exchange);
    } catch (StowageException refused) {
      return failure(codeOf(refused.status()), refused.status().name(), refused.path(), refused.getMessage());
    } catch (NumberFormatException wrong) {
      return failure(400, Status.INVALID.name(), "", wrong.getMessage());
    }
  }

  private static int codeOf(Status status) {
    return switch (status) {
      case MALFORMED, INVALID, INVALID_ARGUMENT, NOT_FOUND -> 400;
      case LIMIT_EXCEEDED -> 413;
      case UNSUPPORTED -> 422;
      case OUT_OF_MEMORY, CANCELLED, BUSY -> 503;
      case INTERNAL -> 500;
    };
  }

  private static Answer failure(int code, String status, String path, String message) {
    return Answer.json(
        code, "{\"status\": %s, \"path\": %s, \"message\": %s}\n".formatted(quoted(status), quoted(path), quoted(message)));
  }

  private Answer planners(HttpExchange exchange) {
    return Answer.json(
        200,
        Stowage.planners().stream().map(Planner::name).map(PlannerService::quoted).collect(Collectors.joining(", ", "[", "]\n")));
  }

  private Answer plan(HttpExchange exchange) throws IOException {
    Map<String, String> query = queryOf(exchange);
    byte[] body;
    try (InputStream stream = exchange.getRequestBody()) {
      body = stream.readNBytes(LARGEST_BODY + 1);
    }
    if (body.length > LARGEST_BODY) {
      return failure(413, Status.LIMIT_EXCEEDED.name(), "", "the instance is larger than " + LARGEST_BODY + " bytes");
    }
    if (!runs.tryAcquire()) {
      return failure(503, "BUSY", "", "as many runs as processors are under way; try again");
    }
    try (Instance instance = Instance.load(ByteBuffer.wrap(body), LIMITS)) {
      Plan plan = instance.plan(requestOf(query));
      if (JSON.equals(exchange.getRequestHeaders().getFirst("Accept"))) {
        return Answer.json(200, summary(plan));
      }
      byte[] bytes = new byte[plan.bytes().remaining()];
      plan.bytes().get(bytes);
      return new Answer(200, "application/octet-stream", bytes);
    } finally {
      runs.release();
    }
  }

  private static Request requestOf(Map<String, String> query) {
    long deadline = Long.parseLong(query.getOrDefault("deadline-ms", "0"));
    long longest = LONGEST_RUN.toMillis();
    return Request.builder(query.getOrDefault("planner", "auto"))
        .seed(Long.parseUnsignedLong(query.getOrDefault("seed", "0")))
        .deadline(Duration.ofMillis(deadline <= 0 ? longest : Math.min(deadline, longest)))
        .nodeLimit(Integer.parseUnsignedInt(query.getOrDefault("node-limit", "0")))
        .build();
  }

  private static Map<String, String> queryOf(HttpExchange exchange) {
    String query = exchange.getRequestURI().getRawQuery();
    return query == null
        ? Map.of()
        : Arrays.stream(query.split("&"))
            .map(pair -> pair.split("=", 2))
            .collect(Collectors.toMap(
                pair -> decoded(pair[0]), pair -> pair.length == 2 ? decoded(pair[1]) : "", (first, second) -> second));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static String summary(Plan plan) {
    String bound = plan.nodeBound().map(one -> Double.toString(one.value())).orElse("null");
    String placements = plan.placements().stream()
        .map(one -> "[%d, %d, %d]".formatted(one.app(), one.node(), one.replicas()))
        .collect(Collectors.joining(", ", "[", "]"));
    return """
        {"planner": %s, "status": "%s", "nodes": %d, "bound": %s, "unplaced": %d, "work": %d,
         "placements": %s}
        """.formatted(
            quoted(plan.planner()), plan.status(), plan.nodesInUse(), bound,
            plan.unplaced().stream().mapToLong(Plan.Unplaced::replicas).sum(), plan.work(), placements);
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    text.chars().forEach(letter -> {
      if (letter == '"' || letter == '\\') {
        out.append('\\').append((char) letter);
      } else if (letter < ' ') {
        out.append("\\u%04x".formatted(letter));
      } else {
        out.append((char) letter);
      }
    });
    return out.append('"').toString();
  }

  /** Usage: PlannerService [PORT]; default 8080. */
  public static void main(String[] arguments) throws IOException {
    PlannerService service = new PlannerService(arguments.length == 0 ? 8080 : Integer.parseInt(arguments[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(service::close));
    System.out.println("planning on port " + service.port());
  }
}
