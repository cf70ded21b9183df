package stowage;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A change that a {@link Session} is told. Apps, nodes, classes, groups, sets and rules go by name; {@code docs/sessions.md} says
 * what each does.
 */
public sealed interface Operation {

  /**
   * A new app, whose replicas wait. Amounts are in each resource's unit, one per resource. {@link #of} gives what all apps have,
   * the {@code with} methods add to it.
   *
   * @param app name
   * @param replicas wanted
   * @param demand of one replica; for a profile, resources x periods entries, the periods of a resource side by side
   * @param priority higher places first where not all fit
   * @param variance of one replica's demand, in the square of the unit; null: known exactly
   * @param supportMin the least that a replica can need; null: not given
   * @param supportMax the most that a replica can need; null: not given
   * @param appKind position among the cluster's kinds; empty where it has none
   * @param tags carried by every replica
   * @param limits beside the app, at most so many replicas of the named one, whether it is there yet or not; of itself: per node
   */
  record Submit(
      String app,
      int replicas,
      double[] demand,
      int priority,
      double[] variance,
      double[] supportMin,
      double[] supportMax,
      OptionalInt appKind,
      List<String> tags,
      Map<String, Integer> limits)
      implements Operation {

    /** An app by what all apps have. */
    public static Submit of(String app, int replicas, double... demand) {
      return new Submit(app, replicas, demand, 0, null, null, null, OptionalInt.empty(), List.of(), Map.of());
    }

    /** The same with a priority. */
    public Submit withPriority(int priority) {
      return new Submit(app, replicas, demand, priority, variance, supportMin, supportMax, appKind, tags, limits);
    }

    /** The same with uncertain demand. */
    public Submit withVariance(double... variance) {
      return new Submit(app, replicas, demand, priority, variance, supportMin, supportMax, appKind, tags, limits);
    }

    /** The same with the least and the most that a replica can need. */
    public Submit withSupport(double[] min, double[] max) {
      return new Submit(app, replicas, demand, priority, variance, min, max, appKind, tags, limits);
    }

    /** The same of a kind. */
    public Submit withAppKind(int appKind) {
      return new Submit(
          app, replicas, demand, priority, variance, supportMin, supportMax, OptionalInt.of(appKind), tags, limits);
    }

    /** The same with tags. */
    public Submit withTags(String... tags) {
      return new Submit(app, replicas, demand, priority, variance, supportMin, supportMax, appKind, List.of(tags), limits);
    }

    /** The same with limits. */
    public Submit withLimits(Map<String, Integer> limits) {
      return new Submit(app, replicas, demand, priority, variance, supportMin, supportMax, appKind, tags, limits);
    }
  }

  /**
   * The app wants so many replicas.
   *
   * @param app name
   * @param replicas wanted
   */
  record Scale(String app, int replicas) implements Operation {}

  /**
   * The app ends.
   *
   * @param app name
   */
  record Remove(String app) implements Operation {}

  /**
   * So many replicas of the app must be on the node.
   *
   * @param app name
   * @param node name
   * @param replicas how many; 0: none has to
   */
  record Pin(String app, String node, int replicas) implements Operation {}

  /**
   * A node joins.
   *
   * @param node name
   * @param nodeClass name of its class; may be empty where there is one
   * @param load as the demand of {@link Submit}; null: none
   * @param loadVariance in the square of the unit; null: known exactly
   * @param tags on top of its class's labels
   * @param sets that it joins; one that is new comes into being
   */
  record AddNode(
      String node, String nodeClass, double[] load, double[] loadVariance, List<String> tags, List<Membership> sets)
      implements Operation {

    /**
     * Belonging to a set of nodes.
     *
     * @param group name of the group
     * @param set name of the set
     */
    public record Membership(String group, String set) {}

    /** A node of a class. */
    public static AddNode of(String node, String nodeClass) {
      return new AddNode(node, nodeClass, null, null, List.of(), List.of());
    }

    /** The same with load. */
    public AddNode withLoad(double... load) {
      return new AddNode(node, nodeClass, load, loadVariance, tags, sets);
    }

    /** The same with uncertain load. */
    public AddNode withLoadVariance(double... variance) {
      return new AddNode(node, nodeClass, load, variance, tags, sets);
    }

    /** The same with tags. */
    public AddNode withTags(String... tags) {
      return new AddNode(node, nodeClass, load, loadVariance, List.of(tags), sets);
    }

    /** The same in one more set. */
    public AddNode withSet(String group, String set) {
      List<Membership> all = Stream.concat(sets.stream(), Stream.of(new Membership(group, set))).toList();
      return new AddNode(node, nodeClass, load, loadVariance, tags, all);
    }
  }

  /**
   * The node leaves for good; what ran there waits.
   *
   * @param node name
   */
  record RemoveNode(String node) implements Operation {}

  /**
   * The node keeps what it has and takes nothing new.
   *
   * @param node name
   */
  record Cordon(String node) implements Operation {}

  /**
   * The node takes replicas again, whatever it was.
   *
   * @param node name
   */
  record Uncordon(String node) implements Operation {}

  /**
   * The node is emptied; what ran there waits.
   *
   * @param node name
   */
  record Drain(String node) implements Operation {}

  /**
   * The node is gone until uncordoned, with its load; what ran there waits.
   *
   * @param node name
   */
  record Fail(String node) implements Operation {}

  /**
   * What else the node carries from now on.
   *
   * @param node name
   * @param load as the demand of {@link Submit}; null: none
   * @param loadVariance in the square of the unit; null: known exactly
   */
  record Load(String node, double[] load, double[] loadVariance) implements Operation {
    /** Load that is known exactly. */
    public static Load of(String node, double... load) {
      return new Load(node, load, null);
    }
  }

  /**
   * A new placement rule.
   *
   * @param rule with a name of its own
   */
  record AddRule(InstanceBuilder.Rule rule) implements Operation {}

  /**
   * A placement rule ends.
   *
   * @param name of the rule
   */
  record RemoveRule(String name) implements Operation {}
}
