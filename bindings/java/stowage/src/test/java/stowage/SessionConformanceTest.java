package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The sessions of the conformance set that all bindings share. */
class SessionConformanceTest {
  /** The arguments of a step by name. */
  private record Step(Map<String, String> arguments) {
    String text(String name) {
      return arguments.getOrDefault(name, "");
    }

    int number(String name) {
      return text(name).isEmpty() ? 0 : Integer.parseUnsignedInt(text(name));
    }

    double[] doubles(String name) {
      return parts(text(name), ",").stream().mapToDouble(Double::parseDouble).toArray();
    }

    InstanceBuilder.Rule rule() {
      List<List<InstanceBuilder.Cardinality>> anyOf = parts(text("any-of"), "\\|").stream()
          .map(conjunction -> parts(conjunction, "&").stream().map(Step::condition).toList())
          .toList();
      OptionalDouble weight =
          text("soft").isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text("soft")));
      return new InstanceBuilder.Rule(text("name"), anyOf, weight, text("operator").equals("1"));
    }

    private static InstanceBuilder.Cardinality condition(String text) {
      String[] part = text.split("/");
      String kind = part[0].replace('-', '_').toUpperCase(Locale.ROOT);
      return new InstanceBuilder.Cardinality(
          InstanceBuilder.CardinalityKind.valueOf(kind),
          parts(part[1], "\\+"),
          parts(part[2], "\\+"),
          Integer.parseInt(part[3]),
          part[4].equals("-") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(part[4])),
          part[5],
          part[6].equals("1"));
    }

    Optional<Operation> operation(String call) {
      String app = text("app");
      String node = text("node");
      return Optional.ofNullable(switch (call) {
        case "submit" -> submit();
        case "scale" -> new Operation.Scale(app, number("replicas"));
        case "remove" -> new Operation.Remove(app);
        case "pin" -> new Operation.Pin(app, node, number("replicas"));
        case "add-node" -> addNode();
        case "remove-node" -> new Operation.RemoveNode(node);
        case "cordon" -> new Operation.Cordon(node);
        case "uncordon" -> new Operation.Uncordon(node);
        case "drain" -> new Operation.Drain(node);
        case "fail" -> new Operation.Fail(node);
        case "load" -> new Operation.Load(node, doubles("load"), doubles("load-variance"));
        case "add-rule" -> new Operation.AddRule(rule());
        case "remove-rule" -> new Operation.RemoveRule(text("name"));
        case "traffic" -> new Operation.Traffic(app, text("peer"), doubles("amount")[0]);
        default -> null;
      });
    }

    private Operation submit() {
      Map<String, Integer> limits = new LinkedHashMap<>();
      for (String entry : parts(text("limits"), ",")) {
        limits.put(entry.split(":")[0], Integer.parseUnsignedInt(entry.split(":")[1]));
      }
      Operation.Submit one = Operation.Submit.of(text("app"), number("replicas"), doubles("demand"))
          .withPriority(number("priority"))
          .withVariance(doubles("variance"))
          .withSupport(doubles("support-min"), doubles("support-max"))
          .withTags(parts(text("tags"), ",").toArray(String[]::new))
          .withLimits(limits);
      return arguments.containsKey("kind") ? one.withAppKind(number("kind")) : one;
    }

    private Operation addNode() {
      Operation.AddNode one = Operation.AddNode.of(text("node"), text("class"))
          .withLoad(doubles("load"))
          .withLoadVariance(doubles("load-variance"))
          .withTags(parts(text("tags"), ",").toArray(String[]::new));
      for (String entry : parts(text("sets"), ",")) {
        one = one.withSet(entry.split(":")[0], entry.split(":")[1]);
      }
      return one;
    }
  }

  /** The parts of a text between separators; none for an empty text. */
  private static List<String> parts(String text, String separator) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(separator));
  }

  private static String text(Commit commit) {
    StringBuilder text = new StringBuilder(commit.committed() ? "committed" : "nothing");
    text.append(" planned=%d version=%d placed=%d moved=%d ended=%d".formatted(
        commit.plannedVersion(), commit.version(), commit.placed(), commit.moved(), commit.ended()));
    commit.opened().forEach(name -> text.append(" opened=").append(name));
    commit.conflicts().forEach(one -> text.append(
        " %s:%s:%s:%d:%d".formatted(one.kind(), one.app(), one.node(), one.wanted(), one.available())));
    return text.toString();
  }

  private Session session;
  private final List<Operation> pending = new ArrayList<>();
  private Plan plan;
  private ByteBuffer snapshot;

  private String call(String call, Step step) {
    switch (call) {
      case "open" -> {
        if (session != null) {
          session.close();
        }
        String instance = step.text("instance");
        session = Session.open(instance.isEmpty() ? snapshot : ByteBuffer.wrap(Support.instanceBytes(instance)));
      }
      case "apply" -> {
        Operation[] operations = pending.toArray(Operation[]::new);
        pending.clear();
        session.apply(operations);
      }
      case "instance" -> {
        try (Instance instance = session.instance()) {
          return ConformanceTest.hex(instance.fingerprint());
        }
      }
      case "plan" -> {
        plan = session.plan(Request.builder(step.text("planner"))
            .workLimit(step.number("work"))
            .nodeLimit(step.number("nodes"))
            .moveBudget(step.number("moves"))
            .allOrNothing(step.number("whole") == 1)
            .build());
        return ConformanceTest.hash(Support.bytesOf(plan));
      }
      case "commit" -> {
        return text(session.commit(plan.bytes(), CommitMode.valueOf(step.text("mode").toUpperCase(Locale.ROOT))));
      }
      case "reject" -> session.reject(plan.bytes());
      case "snapshot" -> {
        snapshot = session.snapshot();
        return ConformanceTest.hash(snapshot.array());
      }
      default -> throw new IllegalArgumentException(call);
    }
    return "version " + session.version();
  }

  @Test
  void everyStepOfTheSessions() {
    List<List<String>> found = new ArrayList<>();
    for (List<String> cells : Support.table("session.tsv")) {
      Map<String, String> arguments = new HashMap<>();
      for (String cell : cells.subList(1, cells.size())) {
        String[] halves = cell.split("=", 2);
        arguments.put(halves[0], halves[1]);
      }
      Step step = new Step(arguments);
      String outcome = "-";
      Optional<Operation> operation = step.operation(cells.get(0));
      try {
        if (operation.isPresent()) {
          pending.add(operation.get());
        } else {
          outcome = call(cells.get(0), step);
        }
      } catch (StowageException failure) {
        outcome = failure.status().nativeName() + " " + failure.path();
      }
      found.add(List.of(cells.get(0), outcome));
    }
    session.close();
    assertEquals(Support.table("session-expected.tsv"), found);
  }
}
