package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import com.google.flatbuffers.Table;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.function.ToIntBiFunction;
import java.util.stream.IntStream;
import stowage.wire.LearningBody;

/** The records of {@code learning.fbs} as bytes, and answers as records. */
final class Learning {
  private Learning() {}

  static ByteBuffer encode(Samples profiles) {
    return encoded(LearningBody.Samples, profiles, Writers::samples);
  }

  static ByteBuffer encode(Question question) {
    return encoded(LearningBody.Question, question, Writers::question);
  }

  static ByteBuffer encode(Usage usage) {
    return encoded(LearningBody.Usage, usage, Writers::usage);
  }

  private static <T> ByteBuffer encoded(byte kind, T from, ToIntBiFunction<FlatBufferBuilder, T> write) {
    FlatBufferBuilder fbb = new FlatBufferBuilder(1024);
    int body = write.applyAsInt(fbb, from);
    stowage.wire.Learning.finishLearningBuffer(fbb, stowage.wire.Learning.createLearning(fbb, 1, kind, body));
    return fbb.dataBuffer();
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

  static int feature(FlatBufferBuilder fbb, Feature feature) {
    return switch (feature) {
      case Feature.Numbers(String name, double[] numbers) -> stowage.wire.Feature.createFeature(
          fbb, Text.add(fbb, name), stowage.wire.Feature.createNumbersVector(fbb, numbers), 0);
      case Feature.Words(String name, List<String> words) ->
          stowage.wire.Feature.createFeature(fbb, Text.add(fbb, name), 0, Writers.texts(fbb, words));
    };
  }

  private static Table body(ByteBuffer bytes, byte kind, Table body) {
    stowage.wire.Learning learning = stowage.wire.Learning.getRootAsLearning(bytes);
    if (learning.bodyType() != kind) {
      throw new StowageException(Status.INTERNAL, "the library returned another answer than asked for", "");
    }
    return learning.body(body);
  }

  private static OptionalDouble number(double number) {
    return Double.isNaN(number) ? OptionalDouble.empty() : OptionalDouble.of(number);
  }

  private static <T> List<T> all(int count, IntFunction<T> at) {
    return IntStream.range(0, count).mapToObj(at).toList();
  }
}
