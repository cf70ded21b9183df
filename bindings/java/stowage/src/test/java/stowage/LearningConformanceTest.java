package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** The learning case of the conformance set that all bindings share. */
class LearningConformanceTest {
  private static final List<String> RESOURCES = List.of("cpu", "memory");
  private static final int CPU = 3;
  private static final int MEMORY = 4;
  private static final int LAST = 5;
  private static final int VALUE = 6;

  /** "-" is not known. */
  private static double amount(String cell) {
    return cell.equals("-") ? Double.NaN : Double.parseDouble(cell);
  }

  /** The apps of a table, whose first column names them, in the order of their first rows. */
  private static List<String> apps(List<List<String>> rows) {
    return rows.stream().map(List::getFirst).distinct().toList();
  }

  private static int[] rowApp(List<List<String>> rows) {
    List<String> apps = apps(rows);
    return rows.stream().mapToInt(cells -> apps.indexOf(cells.getFirst())).toArray();
  }

  private static double[] amounts(List<List<String>> rows) {
    return rows.stream()
        .flatMapToDouble(cells -> DoubleStream.of(amount(cells.get(CPU)), amount(cells.get(MEMORY))))
        .toArray();
  }

  private static double[] numbers(List<List<String>> rows, int column) {
    return rows.stream().mapToDouble(cells -> amount(cells.get(column))).toArray();
  }

  private static int[] counts(List<List<String>> rows, int column) {
    return rows.stream().mapToInt(cells -> Integer.parseInt(cells.get(column))).toArray();
  }

  private static Samples samples(String file) {
    List<List<String>> rows = Support.table("learning/" + file);
    List<List<String>> first = apps(rows).stream()
        .map(app -> rows.stream().filter(cells -> cells.getFirst().equals(app)).findFirst().orElseThrow())
        .toList();
    List<String> families = first.stream().map(cells -> cells.get(1).equals("-") ? "" : cells.get(1)).toList();
    return Samples.of(RESOURCES, apps(rows), rowApp(rows), amounts(rows), numbers(rows, VALUE))
        .withRowCollocation(counts(rows, LAST))
        .withFeatures(new Feature.Words("family", families), new Feature.Numbers("load", numbers(first, 2)));
  }

  /** Compares a row with the expected one: the words exactly, and the numbers after them to 1e-9 of themselves. */
  private static void compare(List<String> expected, List<String> words, double... numbers) {
    assertEquals(expected.subList(0, words.size()), words);
    assertEquals(expected.size(), words.size() + numbers.length);
    for (int k = 0; k < numbers.length; ++k) {
      double wanted = amount(expected.get(words.size() + k));
      assertEquals(wanted, numbers[k], 1e-9 * Math.abs(wanted), words.toString());
    }
  }

  private static String text(Recommendations answer, OptionalInt index) {
    if (index.isEmpty()) {
      return "-";
    }
    Recommendations.Configuration one = answer.configurations().get(index.getAsInt());
    // All amounts of the case are whole numbers.
    return "%d/%d/%d".formatted((long) (double) one.amounts().get(0), (long) (double) one.amounts().get(1), one.collocation());
  }

  @Test
  void whatAModelRecommends() {
    List<List<String>> expected = Support.table("learning/recommended.tsv");
    try (Model model = Model.learn(samples("profiles.tsv"))) {
      Goal goal = Goal.of(0.75).withConfidence(0.8);
      Recommendations answer = model.recommend(Question.of(samples("samples.tsv"), goal));
      assertEquals(expected.size(), answer.apps().size());
      for (int k = 0; k < expected.size(); ++k) {
        Recommendation one = answer.apps().get(k);
        String reason = one.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
        List<String> words = List.of(
            one.app(), reason, text(answer, one.choice()), text(answer, one.nextSample()), Long.toString(one.samples()));
        compare(expected.get(k), words, one.probability(), one.cost());
      }
    }
  }

  @Test
  void sizesByUsage() {
    List<List<String>> rows = Support.table("learning/usage.tsv");
    boolean[] killed = new boolean[rows.size()];
    for (int k = 0; k < killed.length; ++k) {
      killed[k] = rows.get(k).get(LAST).equals("1");
    }
    List<SizeRule> rules = List.of(
        SizeRule.of(0.9).withHalfLife(43_200).withMargin(0.1),
        SizeRule.of(1).withWindow(14_400).withBump(1.25).withBounds(1, 0));
    Sizes sizes = Usage.of(apps(rows), RESOURCES, rowApp(rows), numbers(rows, 2), amounts(rows), rules)
        .withReplica(counts(rows, 1))
        .withOutOfMemory(killed)
        .withPeriods(2, 86_400)
        .sizes();
    List<List<String>> expected = Support.table("learning/sized.tsv");
    assertEquals(expected.size(), sizes.size().size());
    for (int k = 0; k < expected.size(); ++k) {
      List<String> words = new ArrayList<>(List.of(sizes.apps().get(k / 2), sizes.resources().get(k % 2)));
      words.add(Long.toString(sizes.measured().get(k)));
      words.add(Long.toString(sizes.killed().get(k / 2)));
      compare(expected.get(k), words, sizes.size().get(k), sizes.slack().get(k), sizes.exceeded().get(k),
          sizes.demand().get(2 * k), sizes.demand().get(2 * k + 1));
    }
  }
}
