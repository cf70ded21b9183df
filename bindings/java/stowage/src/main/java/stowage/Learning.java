package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import com.google.flatbuffers.Table;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import stowage.wire.LearningBody;

/** The records of {@code learning.fbs} as bytes, and answers as records. */
final class Learning {
  private Learning() {}

  static ByteBuffer encode(Samples profiles) {
    FlatBufferBuilder fbb = new FlatBufferBuilder(1024);
    return finish(fbb, LearningBody.Samples, samples(fbb, profiles));
  }

  static ByteBuffer encode(Question question) {
    FlatBufferBuilder fbb = new FlatBufferBuilder(1024);
    int samples = samples(fbb, question.samples());
    Goal goal = question.goal();
    int cost = goal.cost() == null ? 0 : stowage.wire.Goal.createCostVector(fbb, goal.cost());
    int wanted = stowage.wire.Goal.createGoal(fbb, goal.value(), goal.confidence(), cost, goal.keepAsked());
    return finish(
        fbb, LearningBody.Question, stowage.wire.Question.createQuestion(fbb, samples, wanted, question.curves()));
  }

  static ByteBuffer encode(Usage usage) {
    FlatBufferBuilder fbb = new FlatBufferBuilder(1024);
    int[] each = usage.rules().stream().mapToInt(rule -> stowage.wire.SizeRule.createSizeRule(
        fbb,
        rule.percentile(),
        rule.halfLife(),
        rule.window(),
        rule.margin(),
        rule.bump(),
        rule.floor(),
        rule.ceiling(),
        rule.uncertain())).toArray();
    int rules = stowage.wire.Usage.createRulesVector(fbb, each);
    int apps = texts(fbb, usage.apps());
    int resources = texts(fbb, usage.resources());
    int app = stowage.wire.Usage.createAppVector(fbb, unsigned(usage.app()));
    int replica =
        usage.replica() == null ? 0 : stowage.wire.Usage.createReplicaVector(fbb, unsigned(usage.replica()));
    int time = stowage.wire.Usage.createTimeVector(fbb, usage.time());
    int amount = stowage.wire.Usage.createAmountVector(fbb, usage.amount());
    int outOfMemory = usage.outOfMemory() == null
        ? 0
        : stowage.wire.Usage.createOutOfMemoryVector(fbb, flags(usage.outOfMemory()));
    return finish(
        fbb,
        LearningBody.Usage,
        stowage.wire.Usage.createUsage(
            fbb, apps, resources, app, replica, time, amount, outOfMemory, rules, usage.periods(), usage.cycle()));
  }

  static Recommendations recommendations(ByteBuffer bytes) {
    var from = (stowage.wire.Recommendations)
        body(bytes, LearningBody.Recommendations, new stowage.wire.Recommendations());
    int resources = from.resourcesLength();
    return new Recommendations(
        all(resources, from::resources),
        all(from.collocationLength(), k -> new Recommendations.Configuration(
            all(resources, r -> from.amounts(k * resources + r)), from.collocation(k))),
        all(from.appsLength(), app -> recommendation(from, app)));
  }

  private static Recommendation recommendation(stowage.wire.Recommendations from, int app) {
    int points = from.curveMeanLength() / from.appsLength();
    return new Recommendation(
        from.apps(app),
        RecommendationReason.of(from.reason(app)),
        Reports.known(from.choice(app)),
        from.probability(app),
        Reports.known(from.runnerUp(app)),
        from.runnerUpProbability(app),
        from.cost(app),
        number(from.savingAsked(app)),
        number(from.savingLargest(app)),
        Reports.known(from.nextSample(app)),
        from.nextSaving(app),
        from.samples(app),
        from.similar(app),
        all(points, k -> {
          int at = app * points + k;
          return new Recommendation.Point(
              from.curveMean(at), from.curveLow(at), from.curveHigh(at), from.curveProbability(at));
        }));
  }

  static Sizes sizes(ByteBuffer bytes) {
    return Records.sizes((stowage.wire.Sizes) body(bytes, LearningBody.Sizes, new stowage.wire.Sizes()));
  }

  private static int samples(FlatBufferBuilder fbb, Samples from) {
    int[] each = from.features().stream().mapToInt(one -> feature(fbb, one)).toArray();
    int features = stowage.wire.Samples.createFeaturesVector(fbb, each);
    int resources = texts(fbb, from.resources());
    int apps = texts(fbb, from.apps());
    int asked = from.asked() == null ? 0 : stowage.wire.Samples.createAskedVector(fbb, from.asked());
    int rowApp = stowage.wire.Samples.createRowAppVector(fbb, unsigned(from.rowApp()));
    int rowAmounts = stowage.wire.Samples.createRowAmountsVector(fbb, from.rowAmounts());
    int rowCollocation = from.rowCollocation() == null
        ? 0
        : stowage.wire.Samples.createRowCollocationVector(fbb, unsigned(from.rowCollocation()));
    int rowValue = stowage.wire.Samples.createRowValueVector(fbb, from.rowValue());
    return stowage.wire.Samples.createSamples(
        fbb,
        from.measure().ordinal(),
        resources,
        apps,
        features,
        asked,
        rowApp,
        rowAmounts,
        rowCollocation,
        rowValue);
  }

  private static int feature(FlatBufferBuilder fbb, Feature feature) {
    return switch (feature) {
      case Feature.Numbers(String name, double[] numbers) -> stowage.wire.Feature.createFeature(
          fbb, Text.add(fbb, name), stowage.wire.Feature.createNumbersVector(fbb, numbers), 0);
      case Feature.Words(String name, List<String> words) ->
          stowage.wire.Feature.createFeature(fbb, Text.add(fbb, name), 0, texts(fbb, words));
    };
  }

  private static ByteBuffer finish(FlatBufferBuilder fbb, byte kind, int body) {
    stowage.wire.Learning.finishLearningBuffer(fbb, stowage.wire.Learning.createLearning(fbb, 1, kind, body));
    return fbb.dataBuffer();
  }

  private static Table body(ByteBuffer bytes, byte kind, Table body) {
    stowage.wire.Learning learning = stowage.wire.Learning.getRootAsLearning(bytes);
    if (learning.bodyType() != kind) {
      throw new StowageException(Status.INTERNAL, "the library returned another answer than asked for", "");
    }
    return learning.body(body);
  }

  private static int texts(FlatBufferBuilder fbb, List<String> texts) {
    return fbb.createVectorOfTables(texts.stream().mapToInt(text -> Text.add(fbb, text)).toArray());
  }

  private static long[] unsigned(int[] numbers) {
    return Arrays.stream(numbers).asLongStream().toArray();
  }

  private static byte[] flags(boolean[] flags) {
    byte[] bytes = new byte[flags.length];
    for (int k = 0; k < flags.length; ++k) {
      bytes[k] = (byte) (flags[k] ? 1 : 0);
    }
    return bytes;
  }

  private static OptionalDouble number(double number) {
    return Double.isNaN(number) ? OptionalDouble.empty() : OptionalDouble.of(number);
  }

  private static <T> List<T> all(int count, IntFunction<T> at) {
    return IntStream.range(0, count).mapToObj(at).toList();
  }
}
