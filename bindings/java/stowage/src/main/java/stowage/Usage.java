package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import stowage.internal.StowageH;
import stowage.wire.LearningBody;

/**
 * What replicas used over time, in columns.
 *
 * @param replica per sample, or null
 * @param time in seconds
 * @param amount samples x resources; NaN = not measured
 * @param outOfMemory per sample, or null
 * @param rules per resource
 * @param cycle seconds after which periods repeat; 0 = they divide the whole history
 */
public record Usage(
    List<String> apps, List<String> resources, long[] app, long[] replica, double[] time, double[] amount,
    byte[] outOfMemory, List<SizeRule> rules, int periods, double cycle) {
  /**
   * Sizes replicas by their usage.
   *
   * @throws StowageException invalid, a limit exceeded, out of memory
   */
  public Sizes sizes() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment usage = Calls.readable(arena, encode());
      return Sizes.decode(
          Calls.bytes(arena, (sizes, error) -> StowageH.stowage_size(usage, usage.byteSize(), sizes, error)));
    }
  }

  private ByteBuffer encode() {
    FlatBufferBuilder fbb = new FlatBufferBuilder(1024);
    int[] all = this.rules.stream()
        .mapToInt(rule -> stowage.wire.SizeRule.createSizeRule(
            fbb, rule.percentile(), rule.halfLife(), rule.window(), rule.margin(), rule.bump(), rule.floor(),
            rule.ceiling(), rule.uncertain()))
        .toArray();
    int rules = stowage.wire.Usage.createRulesVector(fbb, all);
    int apps = LearningBytes.texts(fbb, this.apps);
    int resources = LearningBytes.texts(fbb, this.resources);
    int app = stowage.wire.Usage.createAppVector(fbb, this.app);
    int replica = this.replica == null ? 0 : stowage.wire.Usage.createReplicaVector(fbb, this.replica);
    int time = stowage.wire.Usage.createTimeVector(fbb, this.time);
    int amount = stowage.wire.Usage.createAmountVector(fbb, this.amount);
    int killed = outOfMemory == null ? 0 : stowage.wire.Usage.createOutOfMemoryVector(fbb, outOfMemory);
    return LearningBytes.finish(
        fbb, LearningBody.Usage,
        stowage.wire.Usage.createUsage(fbb, apps, resources, app, replica, time, amount, killed, rules, periods, cycle));
  }
}
