package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Models that learn and recommend, sizes by usage, and what both refuse. */
@Timeout(120)
class ModelTest {
  private static final List<String> CPU = List.of("cpu");

  /** Four apps measured with two configurations: tests/data/profiles.json. */
  private static Samples profiles() {
    return Samples.of(
        CPU,
        List.of("a", "b", "c", "d"),
        new int[] {0, 0, 1, 1, 2, 2, 3, 3},
        new double[] {1, 2, 1, 2, 1, 2, 1, 2},
        new double[] {0.4, 0.9, 0.5, 0.9, 0.45, 0.95, 0.5, 0.92});
  }

  /** An app of which one configuration is measured. */
  private static Samples fresh() {
    return Samples.of(CPU, List.of("new"), new int[] {0}, new double[] {1}, new double[] {0.45});
  }

  private static Question question() {
    return Question.of(fresh(), Goal.of(0.8)).withCurves();
  }

  private static Usage history(double... amount) {
    return Usage.of(
        List.of("web"), CPU, new int[4], new double[] {0, 60, 120, 180}, amount, List.of(SizeRule.of(0.75)));
  }

  private static void refused(Status status, String path, Executable call) {
    StowageException failure = assertThrows(StowageException.class, call);
    assertEquals(status, failure.status(), failure.getMessage());
    assertEquals(path, failure.path(), failure.getMessage());
    assertFalse(failure.getMessage().isEmpty());
  }

  @Test
  void recommendsTheCheapestThatMeetsTheGoal() {
    try (Model model = Model.learn(profiles())) {
      Recommendations answer = model.recommend(question());
      assertEquals(CPU, answer.resources());
      assertEquals(
          List.of(List.of(1.0), List.of(2.0)),
          answer.configurations().stream().map(Recommendations.Configuration::amounts).toList());
      assertEquals(1, answer.apps().size());
      Recommendation one = answer.apps().getFirst();
      assertEquals("new", one.app());
      assertEquals(RecommendationReason.MEETS_GOAL, one.reason());
      assertEquals(1, one.choice().orElseThrow());
      assertEquals(0, one.runnerUp().orElseThrow());
      assertTrue(one.probability() >= 0.8 && one.runnerUpProbability() < 0.8, one.toString());
      assertEquals(OptionalDouble.empty(), one.savingAsked());
      assertEquals(0, one.savingLargest().orElseThrow());
      assertEquals(1, one.samples());
      assertEquals(2, one.curve().size());
      assertEquals(one.probability(), one.curve().get(1).curveProbability());
      for (Recommendation.Point point : one.curve()) {
        assertTrue(point.curveLow() <= point.curveMean() && point.curveMean() <= point.curveHigh(), one.toString());
      }
    }
  }

  @Test
  void everyPropertyOfAQuestionReachesTheLibrary() {
    Samples families = profiles()
        .withFeatures(new Feature.Words("family", "x", "x", "y", ""), new Feature.Numbers("load", 1, 2, Double.NaN, 4));
    Samples latencies = Samples.of(CPU, List.of("a", "b"), new int[] {0, 0, 1, 1}, new double[] {1, 2, 1, 2},
        new double[] {90, 30, 80, 40}).withMeasure(Measure.LATENCY).withRowCollocation(1, 2, 1, 2);
    try (Model model = Model.learn(families); Model latency = Model.learn(latencies)) {
      Recommendation asked = model.recommend(Question.of(fresh().withAsked(2), Goal.of(0.8))).apps().getFirst();
      assertEquals(0, asked.savingAsked().orElseThrow());
      assertTrue(asked.curve().isEmpty());
      double cost = model.recommend(Question.of(fresh(), Goal.of(0.8).withCost(3))).apps().getFirst().cost();
      assertEquals(6, cost);
      Recommendation out = model.recommend(Question.of(fresh(), Goal.of(1).withConfidence(0.99))).apps().getFirst();
      assertNotEquals(RecommendationReason.MEETS_GOAL, out.reason());
      assertTrue(out.choice().isEmpty() && out.cost() == 0 && out.savingLargest().isEmpty(), out.toString());
      assertEquals(List.of(1L, 2L), latency.recommend(Question.of(
          Samples.of(CPU, List.of("new"), new int[] {0}, new double[] {1}, new double[] {85}).withMeasure(Measure.LATENCY),
          Goal.of(50))).configurations().stream().map(Recommendations.Configuration::collocation).toList());
      refused(Status.INVALID, "asked[0]", () -> model.recommend(Question.of(fresh(), Goal.of(0.8).withKeepAsked())));
    }
  }

  @Test
  void aLoadedModelAnswersTheSame() {
    try (Model model = Model.learn(profiles())) {
      ByteBuffer bytes = model.save();
      try (Model again = Model.load(bytes)) {
        assertEquals(model.recommend(question()), again.recommend(question()));
        assertEquals(bytes, again.save());
      }
      ByteBuffer truncated = bytes.slice(0, bytes.capacity() - 1);
      assertEquals(Status.MALFORMED, assertThrows(StowageException.class, () -> Model.load(truncated)).status());
      Limits oneApp = new Limits(0, 1, 0, 0, 0, 0, 0, 0);
      refused(Status.LIMIT_EXCEEDED, "apps", () -> Model.load(bytes, oneApp));
      refused(Status.LIMIT_EXCEEDED, "apps", () -> Model.learn(profiles(), oneApp));
    }
  }

  @Test
  void badSamplesAndGoalsAreRefused() {
    Samples negative = profiles();
    negative.rowAmounts()[3] = -1;
    refused(Status.INVALID, "rows[3].amounts[0]", () -> Model.learn(negative));
    Samples dangling = profiles();
    dangling.rowApp()[7] = -1;
    refused(Status.INVALID, "rows[7].app", () -> Model.learn(dangling));
    Model model = Model.learn(profiles());
    refused(Status.INVALID, "goal", () -> model.recommend(Question.of(fresh(), Goal.of(Double.NaN))));
    model.close();
    model.close();
    assertThrows(IllegalStateException.class, model::save);
    assertThrows(IllegalStateException.class, () -> model.recommend(question()));
  }

  @Test
  void sizesFollowFromUsage() {
    Sizes sizes = history(1, 2, 3, 4).withPeriods(2, 0).sizes();
    assertEquals(List.of("web"), sizes.apps());
    assertEquals(CPU, sizes.resources());
    assertEquals(2, sizes.periods());
    assertEquals(List.of(3.0), sizes.size());
    assertEquals(List.of(0.25), sizes.exceeded());
    assertEquals(List.of(2.0, 4.0), sizes.demand());
    assertEquals(List.of(4L), sizes.measured());
    assertEquals(List.of(0.0), sizes.first());
    assertEquals(List.of(180.0), sizes.last());
    assertEquals(List.of(0L), sizes.killed());
    assertTrue(sizes.variance().isEmpty());
    refused(Status.INVALID, "amount[2]", () -> history(1, 2, -3, 4).sizes());
  }

  @Test
  void rulesAndKilledReplicasCount() {
    assertEquals(List.of(1L), sized(SizeRule.of(1)).killed());
    refused(Status.INVALID, "replica", () -> history(1, 2, 3, 4).withReplica(0, 1, 0).sizes());
    SizeRule largest = SizeRule.of(1);
    assertEquals(List.of(6.0), sized(largest.withMargin(0.5)).size());
    assertEquals(List.of(3.5), sized(largest.withBounds(0, 3.5)).size());
    assertEquals(List.of(5.0), sized(largest.withBounds(5, 0)).size());
    assertEquals(List.of(1.25), sized(largest.withUncertain()).variance(), "1.25 = variance of 1, 2, 3, 4");
    SizeRule median = SizeRule.of(0.5);
    assertEquals(List.of(2.0), sized(median).size());
    assertEquals(List.of(3.0), sized(median.withWindow(3600)).size());
    assertEquals(List.of(4.0), sized(median.withHalfLife(60)).size());
    assertEquals(List.of(8.0), sized(largest.withBump(2)).size());
    refused(Status.INVALID, "rules[0].bump", () -> sized(largest.withBump(0.5)));
  }

  private static Sizes sized(SizeRule rule) {
    Usage usage = history(1, 2, 3, 4);
    return Usage.of(usage.apps(), usage.resources(), usage.app(), usage.time(), usage.amount(), List.of(rule))
        .withReplica(0, 1, 0, 1)
        .withOutOfMemory(false, false, false, true)
        .sizes();
  }

  private static void round() {
    try (Model model = Model.learn(profiles()); Model again = Model.load(model.save())) {
      assertEquals(1, again.recommend(question()).apps().size());
      assertThrows(StowageException.class, () -> again.recommend(Question.of(fresh(), Goal.of(2))));
      assertThrows(StowageException.class, () -> history(1, 2, 3, -4).sizes());
      assertEquals(1, history(1, 2, 3, 4).sizes().size().size());
    }
  }

  @Test
  void aThousandModelsLeaveNothingBehind() {
    // As in InstanceTest: the virtual machine allocates too, less and less as it warms up.
    long least = Long.MAX_VALUE;
    for (int attempt = 0; attempt < 6 && least > 256 << 10; ++attempt) {
      long before = NativeHeap.inUse();
      for (int k = 0; k < 1000; ++k) {
        round();
      }
      least = Math.min(least, NativeHeap.inUse() - before);
    }
    assertTrue(least <= 256 << 10, least + " bytes more after a thousand models, every time");
  }
}
