package stowage;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The answer to a question: an entry per app in each column. Configurations are indices into {@code collocation};
 * {@link #NONE} = none.
 *
 * @param amounts configurations x resources
 * @param savingAsked NaN where nothing was asked or chosen
 * @param savingLargest NaN where nothing was chosen
 * @param curveMean apps x configurations, as are the other curves; empty unless asked for
 */
public record Recommendations(
    List<String> resources, double[] amounts, long[] collocation, List<String> apps, List<RecommendationReason> reason,
    long[] choice, double[] probability, long[] runnerUp, double[] runnerUpProbability, double[] cost,
    double[] savingAsked, double[] savingLargest, long[] nextSample, double[] nextSaving, long[] samples, long[] similar,
    double[] curveMean, double[] curveLow, double[] curveHigh, double[] curveProbability) {
  /** Stands where a recommendation names no configuration. */
  public static final long NONE = 4294967295L;

  static Recommendations decode(ByteBuffer bytes) {
    stowage.wire.Recommendations from =
        (stowage.wire.Recommendations) LearningBytes.body(bytes, new stowage.wire.Recommendations());
    return new Recommendations(
        LearningBytes.texts(from.resourcesLength(), from::resources),
        LearningBytes.doubles(from.amountsLength(), from::amounts),
        LearningBytes.longs(from.collocationLength(), from::collocation),
        LearningBytes.texts(from.appsLength(), from::apps),
        IntStream.range(0, from.reasonLength()).mapToObj(k -> RecommendationReason.values()[from.reason(k)]).toList(),
        LearningBytes.longs(from.choiceLength(), from::choice),
        LearningBytes.doubles(from.probabilityLength(), from::probability),
        LearningBytes.longs(from.runnerUpLength(), from::runnerUp),
        LearningBytes.doubles(from.runnerUpProbabilityLength(), from::runnerUpProbability),
        LearningBytes.doubles(from.costLength(), from::cost),
        LearningBytes.doubles(from.savingAskedLength(), from::savingAsked),
        LearningBytes.doubles(from.savingLargestLength(), from::savingLargest),
        LearningBytes.longs(from.nextSampleLength(), from::nextSample),
        LearningBytes.doubles(from.nextSavingLength(), from::nextSaving),
        LearningBytes.longs(from.samplesLength(), from::samples),
        LearningBytes.longs(from.similarLength(), from::similar),
        LearningBytes.doubles(from.curveMeanLength(), from::curveMean),
        LearningBytes.doubles(from.curveLowLength(), from::curveLow),
        LearningBytes.doubles(from.curveHighLength(), from::curveHigh),
        LearningBytes.doubles(from.curveProbabilityLength(), from::curveProbability));
  }
}
