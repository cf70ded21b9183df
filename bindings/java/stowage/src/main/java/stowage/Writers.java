// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import com.google.flatbuffers.FlatBufferBuilder;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.ToIntBiFunction;
import stowage.wire.NamedRule;
import stowage.wire.OperationKind;
import stowage.wire.Origin;

/** Writes what programs give as tables of the schemas. */
final class Writers {
  private Writers() {}

  static int planGoal(FlatBufferBuilder fbb, PlanGoal from) {
    int words = text(fbb, from.words());
    return stowage.wire.PlanGoal.createPlanGoal(
        fbb, from.what().ordinal(), Integer.toUnsignedLong(from.resource().orElse(-1)), from.beside(), from.weight(), from.tolerance(), words);
  }

  static int sizeRule(FlatBufferBuilder fbb, SizeRule from) {
    return stowage.wire.SizeRule.createSizeRule(
        fbb, from.percentile(), from.halfLife(), from.window(), from.margin(), from.bump(), from.floor(), from.ceiling(), from.uncertain());
  }

  static int usage(FlatBufferBuilder fbb, Usage from) {
    int apps = texts(fbb, from.apps());
    int resources = texts(fbb, from.resources());
    int app = words(fbb, from.app());
    int replica = words(fbb, some(from.replica()));
    int time = numbers(fbb, from.time());
    int amount = numbers(fbb, from.amount());
    int outOfMemory = flags(fbb, from.outOfMemory());
    int rules = tables(fbb, from.rules(), Writers::sizeRule);
    return stowage.wire.Usage.createUsage(
        fbb, apps, resources, app, replica, time, amount, outOfMemory, rules, Integer.toUnsignedLong(from.periods()), from.cycle());
  }

  static int goal(FlatBufferBuilder fbb, Goal from) {
    int cost = numbers(fbb, some(from.cost()));
    return stowage.wire.Goal.createGoal(
        fbb, from.value(), from.confidence(), cost, from.keepAsked());
  }

  static int samples(FlatBufferBuilder fbb, Samples from) {
    int resources = texts(fbb, from.resources());
    int apps = texts(fbb, from.apps());
    int features = tables(fbb, from.features(), Learning::feature);
    int asked = numbers(fbb, some(from.asked()));
    int rowApp = words(fbb, from.rowApp());
    int rowAmounts = numbers(fbb, from.rowAmounts());
    int rowCollocation = words(fbb, some(from.rowCollocation()));
    int rowValue = numbers(fbb, from.rowValue());
    return stowage.wire.Samples.createSamples(
        fbb, from.measure().ordinal(), resources, apps, features, asked, rowApp, rowAmounts, rowCollocation, rowValue);
  }

  static int question(FlatBufferBuilder fbb, Question from) {
    int samples = samples(fbb, from.samples());
    int goal = goal(fbb, from.goal());
    return stowage.wire.Question.createQuestion(
        fbb, samples, goal, from.curves());
  }

  static int resourceFactors(FlatBufferBuilder fbb, Derivation.Change<Derivation.OfResource> from) {
    int name = text(fbb, from.name());
    return stowage.wire.ResourceFactors.createResourceFactors(
        fbb, name, Integer.toUnsignedLong(from.index()), from.of().demand(), from.of().capacity(), from.of().load());
  }

  static int appChange(FlatBufferBuilder fbb, Derivation.Change<Derivation.OfApp> from) {
    int name = text(fbb, from.name());
    int demand = numbers(fbb, some(from.of().demand));
    return stowage.wire.AppChange.createAppChange(
        fbb, name, Integer.toUnsignedLong(from.index()), Integer.toUnsignedLong(from.of().replicas), from.of().replicaFactor, demand, from.of().demandFactor);
  }

  static int classChange(FlatBufferBuilder fbb, Derivation.Change<Derivation.OfClass> from) {
    int name = text(fbb, from.name());
    int capacity = numbers(fbb, some(from.of().capacity));
    return stowage.wire.ClassChange.createClassChange(
        fbb, name, Integer.toUnsignedLong(from.index()), Integer.toUnsignedLong(from.of().count), capacity, from.of().capacityFactor, from.of().price);
  }

  static int namedCardinality(FlatBufferBuilder fbb, InstanceBuilder.Cardinality from) {
    int subject = texts(fbb, from.subject());
    int target = texts(fbb, some(from.target()));
    int group = text(fbb, from.group());
    return stowage.wire.NamedCardinality.createNamedCardinality(
        fbb, from.kind().ordinal(), subject, target, Integer.toUnsignedLong(from.min()), Integer.toUnsignedLong(from.max().orElse(-1)), group, from.negated());
  }

  static int namedConjunction(FlatBufferBuilder fbb, List<InstanceBuilder.Cardinality> from) {
    int allOf = tables(fbb, from, Writers::namedCardinality);
    return stowage.wire.NamedConjunction.createNamedConjunction(
        fbb, allOf);
  }

  static int namedRule(FlatBufferBuilder fbb, InstanceBuilder.Rule from) {
    int name = Text.add(fbb, from.name());
    int anyOf = tables(fbb, from.anyOf(), Writers::namedConjunction);
    return stowage.wire.NamedRule.createNamedRule(
        fbb, name, anyOf, from.weight().isEmpty(), from.weight().orElse(1), from.operator() ? Origin.Operator : Origin.Application);
  }

  static int derivation(FlatBufferBuilder fbb, Derivation from) {
    int name = text(fbb, from.name);
    int byResource = tables(fbb, from.resources, Writers::resourceFactors);
    int byApp = tables(fbb, from.apps, Writers::appChange);
    int byClass = tables(fbb, from.classes, Writers::classChange);
    return stowage.wire.Derivation.createDerivation(
        fbb, 1, name, from.demand, from.replicas, from.capacity, from.load, from.price, from.limits, byResource, byApp, byClass);
  }

  static int operation(FlatBufferBuilder fbb, Operation operation) {
    return switch (operation) {
      case Operation.Submit one -> operation(fbb, one);
      case Operation.Scale one -> operation(fbb, one);
      case Operation.Remove one -> operation(fbb, one);
      case Operation.Pin one -> operation(fbb, one);
      case Operation.AddNode one -> operation(fbb, one);
      case Operation.RemoveNode one -> operation(fbb, one);
      case Operation.Cordon one -> operation(fbb, one);
      case Operation.Uncordon one -> operation(fbb, one);
      case Operation.Drain one -> operation(fbb, one);
      case Operation.Fail one -> operation(fbb, one);
      case Operation.Load one -> operation(fbb, one);
      case Operation.AddRule one -> operation(fbb, one);
      case Operation.RemoveRule one -> operation(fbb, one);
      case Operation.Traffic one -> operation(fbb, one);
    };
  }

  private static int operation(FlatBufferBuilder fbb, Operation.Submit from) {
    int app = text(fbb, from.app());
    int demand = numbers(fbb, some(from.demand()));
    int variance = numbers(fbb, some(from.variance()));
    int supportMin = numbers(fbb, some(from.supportMin()));
    int supportMax = numbers(fbb, some(from.supportMax()));
    int tags = texts(fbb, some(from.tags()));
    int limitApp = texts(fbb, some(from.limits().keySet()));
    int limitAtMost = words(fbb, some(from.limits().values().stream().mapToInt(Integer::intValue).toArray()));
    int only = texts(fbb, some(from.only()));
    int not = texts(fbb, some(from.not()));
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.Submit, app, 0, Integer.toUnsignedLong(from.replicas()), demand, from.priority(), variance, supportMin, supportMax, Integer.toUnsignedLong(from.appKind().orElse(-1)), tags, limitApp, limitAtMost, 0, 0, 0, 0, 0, 0, from.weight(), only, not, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.Scale from) {
    int app = text(fbb, from.app());
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.Scale, app, 0, Integer.toUnsignedLong(from.replicas()), 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.Remove from) {
    int app = text(fbb, from.app());
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.Remove, app, 0, 0, 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.Pin from) {
    int app = text(fbb, from.app());
    int node = text(fbb, from.node());
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.Pin, app, node, Integer.toUnsignedLong(from.replicas()), 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.AddNode from) {
    int node = text(fbb, from.node());
    int tags = texts(fbb, some(from.tags()));
    int nodeClass = text(fbb, from.nodeClass());
    int load = numbers(fbb, some(from.load()));
    int loadVariance = numbers(fbb, some(from.loadVariance()));
    int groups = texts(fbb, some(from.sets().stream().map(Operation.AddNode.Membership::group).toList()));
    int sets = texts(fbb, some(from.sets().stream().map(Operation.AddNode.Membership::set).toList()));
    int daemon = numbers(fbb, some(from.daemon()));
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.AddNode, 0, node, 0, 0, 0, 0, 0, 0, 4294967295L, tags, 0, 0, nodeClass, load, loadVariance, groups, sets, 0, 1, 0, 0, daemon, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.RemoveNode from) {
    int node = text(fbb, from.node());
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.RemoveNode, 0, node, 0, 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.Cordon from) {
    int node = text(fbb, from.node());
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.Cordon, 0, node, 0, 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.Uncordon from) {
    int node = text(fbb, from.node());
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.Uncordon, 0, node, 0, 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.Drain from) {
    int node = text(fbb, from.node());
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.Drain, 0, node, 0, 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.Fail from) {
    int node = text(fbb, from.node());
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.Fail, 0, node, 0, 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.Load from) {
    int node = text(fbb, from.node());
    int load = numbers(fbb, some(from.load()));
    int loadVariance = numbers(fbb, some(from.loadVariance()));
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.Load, 0, node, 0, 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, load, loadVariance, 0, 0, 0, 1, 0, 0, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.AddRule from) {
    int rule = namedRule(fbb, from.rule());
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.AddRule, 0, 0, 0, 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, rule, 1, 0, 0, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.RemoveRule from) {
    int rule = NamedRule.createNamedRule(fbb, Text.add(fbb, from.name()), 0, true, 1, 0);
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.RemoveRule, 0, 0, 0, 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, rule, 1, 0, 0, 0, 0, 0);
  }

  private static int operation(FlatBufferBuilder fbb, Operation.Traffic from) {
    int app = text(fbb, from.app());
    int peer = text(fbb, from.peer());
    return stowage.wire.Operation.createOperation(
        fbb, OperationKind.Traffic, app, 0, 0, 0, 0, 0, 0, 0, 4294967295L, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, peer, from.amount());
  }

  // What is empty is left out, where it is not required.
  private static <T> Collection<T> some(Collection<T> given) {
    return given.isEmpty() ? null : given;
  }

  private static double[] some(double[] given) {
    return given == null || given.length == 0 ? null : given;
  }

  private static int[] some(int[] given) {
    return given == null || given.length == 0 ? null : given;
  }

  private static int text(FlatBufferBuilder fbb, String text) {
    return text.isEmpty() ? 0 : Text.add(fbb, text);
  }

  static int texts(FlatBufferBuilder fbb, Collection<String> texts) {
    return texts == null ? 0 : fbb.createVectorOfTables(texts.stream().mapToInt(text -> Text.add(fbb, text)).toArray());
  }

  static <T> int tables(FlatBufferBuilder fbb, Collection<T> from, ToIntBiFunction<FlatBufferBuilder, T> write) {
    return fbb.createVectorOfTables(from.stream().mapToInt(one -> write.applyAsInt(fbb, one)).toArray());
  }

  private static int numbers(FlatBufferBuilder fbb, double[] numbers) {
    return numbers == null ? 0 : stowage.wire.Operation.createDemandVector(fbb, numbers);
  }

  private static int words(FlatBufferBuilder fbb, int[] words) {
    return words == null ? 0 : stowage.wire.Usage.createAppVector(fbb, Arrays.stream(words).asLongStream().toArray());
  }

  private static int flags(FlatBufferBuilder fbb, boolean[] flags) {
    if (flags == null) {
      return 0;
    }
    byte[] bytes = new byte[flags.length];
    for (int k = 0; k < flags.length; ++k) {
      bytes[k] = (byte) (flags[k] ? 1 : 0);
    }
    return fbb.createByteVector(bytes);
  }
}
