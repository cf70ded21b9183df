package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.util.List;

/**
 * Measurements of apps with some configurations, in columns.
 *
 * @param asked what apps ask for today, apps x resources; NaN = not known; null = nothing is known
 * @param rowApp app of each row, an index into {@code apps}
 * @param rowAmounts rows x resources
 * @param rowCollocation containers of the app that share a node; null = all 1
 */
public record Samples(
    Measure measure, List<String> resources, List<String> apps, List<Feature> features, double[] asked, long[] rowApp,
    double[] rowAmounts, long[] rowCollocation, double[] rowValue) {
  int encode(FlatBufferBuilder fbb) {
    int[] all = features.stream().mapToInt(feature -> {
      int name = fbb.createString(feature.name());
      int numbers =
          feature.numbers() == null ? 0 : stowage.wire.Feature.createNumbersVector(fbb, feature.numbers());
      int words = feature.words() == null ? 0 : LearningBytes.texts(fbb, feature.words());
      return stowage.wire.Feature.createFeature(fbb, name, numbers, words);
    }).toArray();
    int features = stowage.wire.Samples.createFeaturesVector(fbb, all);
    int resources = LearningBytes.texts(fbb, this.resources);
    int apps = LearningBytes.texts(fbb, this.apps);
    int asked = this.asked == null ? 0 : stowage.wire.Samples.createAskedVector(fbb, this.asked);
    int app = stowage.wire.Samples.createRowAppVector(fbb, rowApp);
    int amounts = stowage.wire.Samples.createRowAmountsVector(fbb, rowAmounts);
    int collocation =
        rowCollocation == null ? 0 : stowage.wire.Samples.createRowCollocationVector(fbb, rowCollocation);
    int value = stowage.wire.Samples.createRowValueVector(fbb, rowValue);
    return stowage.wire.Samples.createSamples(
        fbb, measure.ordinal(), resources, apps, features, asked, app, amounts, collocation, value);
  }
}
