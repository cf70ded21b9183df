package stowage;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * What replicas should ask for. Columns are apps x resources unless they say otherwise.
 *
 * @param size NaN = never measured, as in {@code demand}
 * @param demand apps x resources x periods
 * @param variance empty where no rule is uncertain
 * @param first per app, in seconds, as {@code last}
 * @param killed per app
 */
public record Sizes(
    List<String> apps, List<String> resources, int periods, double[] size, double[] slack, double[] exceeded,
    double[] demand, double[] variance, double[] demandSlack, double[] demandExceeded, long[] measured, double[] first,
    double[] last, long[] killed) {
  static Sizes decode(ByteBuffer bytes) {
    stowage.wire.Sizes from = (stowage.wire.Sizes) LearningBytes.body(bytes, new stowage.wire.Sizes());
    return new Sizes(
        LearningBytes.texts(from.appsLength(), from::apps),
        LearningBytes.texts(from.resourcesLength(), from::resources),
        (int) from.periods(),
        LearningBytes.doubles(from.sizeLength(), from::size),
        LearningBytes.doubles(from.slackLength(), from::slack),
        LearningBytes.doubles(from.exceededLength(), from::exceeded),
        LearningBytes.doubles(from.demandLength(), from::demand),
        LearningBytes.doubles(from.varianceLength(), from::variance),
        LearningBytes.doubles(from.demandSlackLength(), from::demandSlack),
        LearningBytes.doubles(from.demandExceededLength(), from::demandExceeded),
        LearningBytes.longs(from.measuredLength(), from::measured),
        LearningBytes.doubles(from.firstLength(), from::first),
        LearningBytes.doubles(from.lastLength(), from::last),
        LearningBytes.longs(from.killedLength(), from::killed));
  }
}
