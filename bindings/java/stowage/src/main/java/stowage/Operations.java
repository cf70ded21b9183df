package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import stowage.wire.NamedCardinality;
import stowage.wire.NamedConjunction;
import stowage.wire.NamedRule;
import stowage.wire.OperationKind;
import stowage.wire.Origin;

/** Operations as bytes ({@code session.fbs}). */
final class Operations {
  private static final int NONE = -1;

  private final FlatBufferBuilder fbb = new FlatBufferBuilder(1024);

  private Operations() {}

  static ByteBuffer encode(Operation... operations) {
    return new Operations().encodeAll(operations);
  }

  private ByteBuffer encodeAll(Operation[] operations) {
    int[] all = new int[operations.length];
    for (int k = 0; k < all.length; ++k) {
      all[k] = operation(operations[k]);
    }
    int list = stowage.wire.Operations.createOperationsVector(fbb, all);
    stowage.wire.Operations.startOperations(fbb);
    stowage.wire.Operations.addOperations(fbb, list);
    stowage.wire.Operations.finishOperationsBuffer(fbb, stowage.wire.Operations.endOperations(fbb));
    return fbb.dataBuffer();
  }

  private int operation(Operation operation) {
    return switch (operation) {
      case Operation.Submit one -> submit(one);
      case Operation.Scale(String app, int replicas) -> about(OperationKind.Scale, app, "", replicas);
      case Operation.Remove(String app) -> about(OperationKind.Remove, app, "", 0);
      case Operation.Pin(String app, String node, int replicas) -> about(OperationKind.Pin, app, node, replicas);
      case Operation.AddNode one -> addNode(one);
      case Operation.RemoveNode(String node) -> about(OperationKind.RemoveNode, "", node, 0);
      case Operation.Cordon(String node) -> about(OperationKind.Cordon, "", node, 0);
      case Operation.Uncordon(String node) -> about(OperationKind.Uncordon, "", node, 0);
      case Operation.Drain(String node) -> about(OperationKind.Drain, "", node, 0);
      case Operation.Fail(String node) -> about(OperationKind.Fail, "", node, 0);
      case Operation.Load one -> load(one);
      case Operation.AddRule(InstanceBuilder.Rule rule) -> aboutRule(OperationKind.AddRule, rule(rule));
      case Operation.RemoveRule(String name) ->
          aboutRule(OperationKind.RemoveRule, NamedRule.createNamedRule(fbb, Text.add(fbb, name), 0, true, 1, 0));
      case Operation.Traffic one -> traffic(one);
    };
  }

  private int submit(Operation.Submit one) {
    int app = text(one.app());
    int demand = doubles(one.demand());
    int variance = doubles(one.variance());
    int supportMin = doubles(one.supportMin());
    int supportMax = doubles(one.supportMax());
    int tags = texts(one.tags());
    int only = texts(one.only());
    int not = texts(one.not());
    // The order does not matter, but both lists must use the same one.
    List<String> limited = List.copyOf(one.limits().keySet());
    int limitApp = texts(limited);
    int limitAtMost = limited.isEmpty()
        ? 0
        : stowage.wire.Operation.createLimitAtMostVector(
            fbb, limited.stream().mapToLong(name -> Integer.toUnsignedLong(one.limits().get(name))).toArray());
    stowage.wire.Operation.startOperation(fbb);
    stowage.wire.Operation.addKind(fbb, OperationKind.Submit);
    stowage.wire.Operation.addApp(fbb, app);
    stowage.wire.Operation.addReplicas(fbb, Integer.toUnsignedLong(one.replicas()));
    stowage.wire.Operation.addDemand(fbb, demand);
    stowage.wire.Operation.addPriority(fbb, one.priority());
    stowage.wire.Operation.addWeight(fbb, one.weight());
    stowage.wire.Operation.addVariance(fbb, variance);
    stowage.wire.Operation.addSupportMin(fbb, supportMin);
    stowage.wire.Operation.addSupportMax(fbb, supportMax);
    stowage.wire.Operation.addAppKind(fbb, Integer.toUnsignedLong(one.appKind().orElse(NONE)));
    stowage.wire.Operation.addTags(fbb, tags);
    stowage.wire.Operation.addLimitApp(fbb, limitApp);
    stowage.wire.Operation.addLimitAtMost(fbb, limitAtMost);
    stowage.wire.Operation.addOnly(fbb, only);
    stowage.wire.Operation.addNot(fbb, not);
    return stowage.wire.Operation.endOperation(fbb);
  }

  private int about(int kind, String app, String node, int replicas) {
    int wireApp = text(app);
    int wireNode = text(node);
    stowage.wire.Operation.startOperation(fbb);
    stowage.wire.Operation.addKind(fbb, kind);
    stowage.wire.Operation.addApp(fbb, wireApp);
    stowage.wire.Operation.addNode(fbb, wireNode);
    stowage.wire.Operation.addReplicas(fbb, Integer.toUnsignedLong(replicas));
    return stowage.wire.Operation.endOperation(fbb);
  }

  private int traffic(Operation.Traffic one) {
    int app = text(one.app());
    int peer = text(one.peer());
    stowage.wire.Operation.startOperation(fbb);
    stowage.wire.Operation.addKind(fbb, OperationKind.Traffic);
    stowage.wire.Operation.addApp(fbb, app);
    stowage.wire.Operation.addPeer(fbb, peer);
    stowage.wire.Operation.addAmount(fbb, one.amount());
    return stowage.wire.Operation.endOperation(fbb);
  }

  private int addNode(Operation.AddNode one) {
    int node = text(one.node());
    int nodeClass = text(one.nodeClass());
    int load = doubles(one.load());
    int loadVariance = doubles(one.loadVariance());
    int daemon = doubles(one.daemon());
    int tags = texts(one.tags());
    int groups = texts(one.sets().stream().map(Operation.AddNode.Membership::group).toList());
    int sets = texts(one.sets().stream().map(Operation.AddNode.Membership::set).toList());
    stowage.wire.Operation.startOperation(fbb);
    stowage.wire.Operation.addKind(fbb, OperationKind.AddNode);
    stowage.wire.Operation.addNode(fbb, node);
    stowage.wire.Operation.addNodeClass(fbb, nodeClass);
    stowage.wire.Operation.addLoad(fbb, load);
    stowage.wire.Operation.addLoadVariance(fbb, loadVariance);
    stowage.wire.Operation.addTags(fbb, tags);
    stowage.wire.Operation.addGroups(fbb, groups);
    stowage.wire.Operation.addSets(fbb, sets);
    stowage.wire.Operation.addDaemon(fbb, daemon);
    return stowage.wire.Operation.endOperation(fbb);
  }

  private int load(Operation.Load one) {
    int node = text(one.node());
    int load = doubles(one.load());
    int loadVariance = doubles(one.loadVariance());
    stowage.wire.Operation.startOperation(fbb);
    stowage.wire.Operation.addKind(fbb, OperationKind.Load);
    stowage.wire.Operation.addNode(fbb, node);
    stowage.wire.Operation.addLoad(fbb, load);
    stowage.wire.Operation.addLoadVariance(fbb, loadVariance);
    return stowage.wire.Operation.endOperation(fbb);
  }

  private int aboutRule(int kind, int rule) {
    stowage.wire.Operation.startOperation(fbb);
    stowage.wire.Operation.addKind(fbb, kind);
    stowage.wire.Operation.addRule(fbb, rule);
    return stowage.wire.Operation.endOperation(fbb);
  }

  private int rule(InstanceBuilder.Rule rule) {
    int[] anyOf = rule.anyOf().stream().mapToInt(conjunction -> {
      int[] allOf = conjunction.stream().mapToInt(this::cardinality).toArray();
      return NamedConjunction.createNamedConjunction(fbb, fbb.createVectorOfTables(allOf));
    }).toArray();
    return NamedRule.createNamedRule(
        fbb,
        Text.add(fbb, rule.name()),
        fbb.createVectorOfTables(anyOf),
        rule.weight().isEmpty(),
        rule.weight().orElse(1),
        rule.operator() ? Origin.Operator : Origin.Application);
  }

  private int cardinality(InstanceBuilder.Cardinality one) {
    int[] subject = one.subject().stream().mapToInt(text -> Text.add(fbb, text)).toArray();
    return NamedCardinality.createNamedCardinality(
        fbb,
        one.kind().ordinal(),
        fbb.createVectorOfTables(subject),
        texts(one.target()),
        Integer.toUnsignedLong(one.min()),
        Integer.toUnsignedLong(one.max().orElse(NONE)),
        text(one.group()),
        one.negated());
  }

  private int text(String value) {
    return value.isEmpty() ? 0 : Text.add(fbb, value);
  }

  private int texts(Collection<String> values) {
    return values.isEmpty() ? 0 : fbb.createVectorOfTables(values.stream().mapToInt(text -> Text.add(fbb, text)).toArray());
  }

  private int doubles(double[] values) {
    return values == null || values.length == 0 ? 0 : stowage.wire.Operation.createDemandVector(fbb, values);
  }
}
