package stowage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelTest {
  private static Samples samples(List<String> apps, long[] app, double[] amounts, double[] values) {
    return new Samples(Measure.PERFORMANCE, List.of("cpu"), apps, List.of(), null, app, amounts, null, values);
  }

  @Test
  void recommendsAndSurvivesItsBytes() {
    Samples profiles = samples(
        List.of("a", "b", "c", "d"), new long[] {0, 0, 1, 1, 2, 2, 3, 3}, new double[] {1, 2, 1, 2, 1, 2, 1, 2},
        new double[] {0.4, 0.9, 0.5, 0.9, 0.45, 0.95, 0.5, 0.92});
    Question question = new Question(
        samples(List.of("new"), new long[] {0}, new double[] {1}, new double[] {0.45}), new Goal(0.8), true);
    try (Model model = Model.learn(profiles)) {
      Recommendations answer = model.recommend(question);
      assertEquals(List.of(RecommendationReason.MEETS_GOAL), answer.reason());
      assertEquals(2, answer.amounts()[(int) answer.choice()[0]]);
      assertEquals(2, answer.curveMean().length);
      ByteBuffer bytes = model.save();
      try (Model again = Model.load(bytes)) {
        assertArrayEquals(answer.probability(), again.recommend(question).probability());
      }
      ByteBuffer damaged = bytes.slice(1, bytes.capacity() - 1);
      assertEquals(Status.MALFORMED, assertThrows(StowageException.class, () -> Model.load(damaged)).status());
    }
  }

  @Test
  void sizesByUsage() {
    Usage usage = new Usage(
        List.of("web"), List.of("cpu"), new long[4], null, new double[] {0, 60, 120, 180}, new double[] {1, 2, 3, 4},
        null, List.of(new SizeRule(0.75)), 2, 0);
    Sizes sizes = usage.sizes();
    assertArrayEquals(new double[] {3}, sizes.size());
    assertArrayEquals(new double[] {2, 4}, sizes.demand());
  }
}
