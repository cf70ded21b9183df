package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import stowage.wire.LearningBody;

/**
 * Asks a model for a recommendation per app of the samples.
 *
 * @param curves also answer what is known of every configuration
 */
public record Question(Samples samples, Goal goal, boolean curves) {
  ByteBuffer encode() {
    FlatBufferBuilder fbb = new FlatBufferBuilder(1024);
    int samples = this.samples.encode(fbb);
    int cost = goal.cost() == null ? 0 : stowage.wire.Goal.createCostVector(fbb, goal.cost());
    int wanted = stowage.wire.Goal.createGoal(fbb, goal.value(), goal.confidence(), cost, goal.keepAsked());
    return LearningBytes.finish(
        fbb, LearningBody.Question, stowage.wire.Question.createQuestion(fbb, samples, wanted, curves));
  }
}
