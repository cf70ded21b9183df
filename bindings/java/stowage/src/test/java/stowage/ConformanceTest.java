package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The conformance set that all bindings share. */
class ConformanceTest {
  private static final int SEED = 2;
  private static final int OPTION = 8;
  private static final int ALL_OR_NOTHING = 9;
  private static final int COMPACT = 10;
  private static final int SOFT = 11;
  private static final int SOFT_PRICE = 12;
  private static final int FILL = 13;
  private static final int OBJECTIVE = 14;
  private static final int KEEP = 15;
  private static final int SURVIVE = 16;
  private static final int LEAVE_FREE = 17;
  private static final int GOALS = 18;

  static String hex(long number) {
    return "%016x".formatted(number);
  }

  /** FNV-1a of 64 bits. */
  static String hash(byte[] bytes) {
    long hash = 0xcbf29ce484222325L;
    for (byte one : bytes) {
      hash = (hash ^ (one & 0xff)) * 0x100000001b3L;
    }
    return hex(hash);
  }

  /** Word, resource, beside, weight, tolerance. */
  private static PlanGoal goal(String[] parts) {
    return new PlanGoal(
        GoalKind.valueOf(parts[0].toUpperCase(Locale.ROOT).replace('-', '_')),
        parts[1].equals("-") ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(parts[1])),
        parts[2].equals("1"),
        Double.parseDouble(parts[3]),
        Double.parseDouble(parts[4]),
        "");
  }

  private static Request request(List<String> cells) {
    Request.Builder request = Request.builder(cells.get(1))
        .seed(Long.parseUnsignedLong(cells.get(SEED)))
        .workLimit(Long.parseLong(cells.get(3)))
        .threads(Integer.parseInt(cells.get(4)))
        .nodeLimit(Integer.parseInt(cells.get(5)))
        .ignoreRunning(cells.get(6).equals("1"))
        .moveBudget(Integer.parseInt(cells.get(7)))
        .allOrNothing(cells.get(ALL_OR_NOTHING).equals("1"))
        .compact(cells.get(COMPACT).equals("1"))
        .fill(cells.get(FILL).equals("1"))
        .objective(Objective.valueOf(cells.get(OBJECTIVE).toUpperCase(Locale.ROOT)))
        .soft(SoftPolicy.valueOf(cells.get(SOFT).toUpperCase(Locale.ROOT)));
    if (cells.get(SOFT).equals("price")) {
      request.softPrice(Double.parseDouble(cells.get(SOFT_PRICE)));
    }
    if (!cells.get(KEEP).equals("-")) {
      for (String pair : cells.get(KEEP).split(",")) {
        String[] kept = pair.split(":");
        request.keep(Integer.parseUnsignedInt(kept[0]), Integer.parseUnsignedInt(kept[1]));
      }
    }
    if (!cells.get(SURVIVE).equals("-")) {
      request.survive(cells.get(SURVIVE));
    }
    if (!cells.get(LEAVE_FREE).equals("-")) {
      request.leaveFree(cells.get(LEAVE_FREE));
    }
    if (!cells.get(GOALS).equals("-")) {
      for (String one : cells.get(GOALS).split(",")) {
        request.goal(goal(one.split(":")));
      }
    }
    String[] option = cells.get(OPTION).split("=");
    if (option.length == 2) {
      request.option(option[0], Double.parseDouble(option[1]));
    }
    return request.build();
  }

  private static String outcome(Instance instance, Request request) {
    try {
      return hash(Support.bytesOf(instance.plan(request)));
    } catch (StowageException failure) {
      return failure.status().nativeName() + " " + failure.path();
    }
  }

  @Test
  void everyRequestOnEveryInstance() {
    Map<String, Map<String, String>> expected = new TreeMap<>();
    for (List<String> row : Support.table("expected.tsv")) {
      expected.computeIfAbsent(row.get(0), name -> new TreeMap<>()).put(row.get(1), row.get(2));
    }
    assertTrue(expected.size() >= 7);
    expected.forEach((name, outcomes) -> {
      try (Instance instance = Instance.load(Support.instanceBytes(name))) {
        Map<String, String> found = new TreeMap<>(Map.of("fingerprint", hex(instance.fingerprint())));
        for (List<String> cells : Support.table("requests.tsv")) {
          found.put(cells.get(0), outcome(instance, request(cells)));
        }
        assertEquals(outcomes, found, name);
      }
    });
    try (Instance small = Support.small().build(); Instance racks = Support.racks().build()) {
      assertEquals(expected.get("small").get("fingerprint"), hex(small.fingerprint()));
      assertEquals(expected.get("racks").get("fingerprint"), hex(racks.fingerprint()));
    }
  }
}
