package stowage;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A change of a {@link Session}'s cluster. Apps, nodes, classes, groups, sets and rules are given by name. {@code
 * docs/understand/sessions.md} describes each operation.
 */
public sealed interface Operation {

  /**
   * A new app, whose replicas are pending. Amounts are in each resource's unit, one per resource. {@link #of} sets the
   * properties that every app has, the {@code with} methods set further ones.
   *
   * @param app name
   * @param replicas replicas wanted
   * @param demand demand of one replica; length: resources, or resources x periods with the periods of a resource side by side
   * @param priority where not all replicas fit, apps of higher priority are placed first
   * @param weight what a replica counts within its priority where not all of them fit
   * @param variance variance of one replica's demand per resource, in the square of its unit; null = known exactly
   * @param supportMin smallest possible demand of a replica; null = not given
   * @param supportMax largest possible demand of a replica; null = not given
   * @param appKind index of one of the cluster's kinds; empty where the cluster has no kinds
   * @param tags carried by every replica
   * @param limits affinity limits: beside a replica of this app, the maximum number of replicas of each named app on the same
   *     node; a named app need not exist yet, and the app's own name limits its replicas per node
   * @param only labels or tags that every node of the app carries
   * @param not labels or tags that no node of the app carries
   */
  record Submit(
      String app,
      int replicas,
      double[] demand,
      int priority,
      double weight,
      double[] variance,
      double[] supportMin,
      double[] supportMax,
      OptionalInt appKind,
      List<String> tags,
      Map<String, Integer> limits,
      List<String> only,
      List<String> not)
      implements Operation {

    /** An app with the properties that every app has. */
    public static Submit of(String app, int replicas, double... demand) {
      return new Submit(
          app, replicas, demand, 0, 1, null, null, null, OptionalInt.empty(), List.of(), Map.of(), List.of(), List.of());
    }

    /** The same with a priority. */
    public Submit withPriority(int priority) {
      return new Submit(
          app, replicas, demand, priority, weight, variance, supportMin, supportMax, appKind, tags, limits, only, not);
    }

    /** The same with a weight. */
    public Submit withWeight(double weight) {
      return new Submit(
          app, replicas, demand, priority, weight, variance, supportMin, supportMax, appKind, tags, limits, only, not);
    }

    /** The same app with uncertain demand. */
    public Submit withVariance(double... variance) {
      return new Submit(
          app, replicas, demand, priority, weight, variance, supportMin, supportMax, appKind, tags, limits, only, not);
    }

    /** The same app with the smallest and largest possible demand of a replica. */
    public Submit withSupport(double[] min, double[] max) {
      return new Submit(
          app, replicas, demand, priority, weight, variance, min, max, appKind, tags, limits, only, not);
    }

    /** The same app with a kind. */
    public Submit withAppKind(int appKind) {
      return new Submit(
          app, replicas, demand, priority, weight, variance, supportMin, supportMax, OptionalInt.of(appKind), tags, limits, only, not);
    }

    /** The same with tags. */
    public Submit withTags(String... tags) {
      return new Submit(
          app, replicas, demand, priority, weight, variance, supportMin, supportMax, appKind, List.of(tags), limits, only, not);
    }

    /** The same app, only on nodes that carry all of these labels or tags. */
    public Submit withOnly(String... only) {
      return new Submit(
          app, replicas, demand, priority, weight, variance, supportMin, supportMax, appKind, tags, limits, List.of(only), not);
    }

    /** The same app, on no node that carries one of these labels or tags. */
    public Submit withNot(String... not) {
      return new Submit(
          app, replicas, demand, priority, weight, variance, supportMin, supportMax, appKind, tags, limits, only, List.of(not));
    }

    /** The same with limits. */
    public Submit withLimits(Map<String, Integer> limits) {
      return new Submit(
          app, replicas, demand, priority, weight, variance, supportMin, supportMax, appKind, tags, limits, only, not);
    }
  }

  /**
   * Sets the number of replicas that the app wants.
   *
   * @param app name
   * @param replicas replicas wanted
   */
  record Scale(String app, int replicas) implements Operation {}

  /**
   * Removes the app with all its replicas.
   *
   * @param app name
   */
  record Remove(String app) implements Operation {}

  /**
   * Requires replicas of the app on the node.
   *
   * @param app name
   * @param node name
   * @param replicas number of replicas; 0 removes the pin
   */
  record Pin(String app, String node, int replicas) implements Operation {}

  /**
   * Adds a node.
   *
   * @param node name
   * @param nodeClass name of its class; may be empty where there is one
   * @param load load in each resource's unit, length as the demand of {@link Submit}; null = none
   * @param loadVariance variance of the load per resource, in the square of its unit; null = known exactly
   * @param tags tags in addition to the labels of its class
   * @param sets sets that the node joins; a set that does not exist is created
   * @param daemon load that goes with the node, length as the demand of {@link Submit}; null = as its class says
   */
  record AddNode(
      String node,
      String nodeClass,
      double[] load,
      double[] loadVariance,
      List<String> tags,
      List<Membership> sets,
      double[] daemon)
      implements Operation {

    /**
     * Membership of a node in a set.
     *
     * @param group name of the group
     * @param set name of the set
     */
    public record Membership(String group, String set) {}

    /** A node of a class. */
    public static AddNode of(String node, String nodeClass) {
      return new AddNode(node, nodeClass, null, null, List.of(), List.of(), null);
    }

    /** The same with load. */
    public AddNode withLoad(double... load) {
      return new AddNode(node, nodeClass, load, loadVariance, tags, sets, daemon);
    }

    /** The same with uncertain load. */
    public AddNode withLoadVariance(double... variance) {
      return new AddNode(node, nodeClass, load, variance, tags, sets, daemon);
    }

    /** The same with tags. */
    public AddNode withTags(String... tags) {
      return new AddNode(node, nodeClass, load, loadVariance, List.of(tags), sets, daemon);
    }

    /** The same with a daemon load of its own. */
    public AddNode withDaemon(double... daemon) {
      return new AddNode(node, nodeClass, load, loadVariance, tags, sets, daemon);
    }

    /** The same in one more set. */
    public AddNode withSet(String group, String set) {
      List<Membership> all = Stream.concat(sets.stream(), Stream.of(new Membership(group, set))).toList();
      return new AddNode(node, nodeClass, load, loadVariance, tags, all, daemon);
    }
  }

  /**
   * Removes the node for good. Its replicas are pending again.
   *
   * @param node name
   */
  record RemoveNode(String node) implements Operation {}

  /**
   * The node keeps its replicas and accepts no new ones.
   *
   * @param node name
   */
  record Cordon(String node) implements Operation {}

  /**
   * The node accepts replicas again, whatever its state was.
   *
   * @param node name
   */
  record Uncordon(String node) implements Operation {}

  /**
   * Empties the node, which accepts no replicas. Its replicas are pending again.
   *
   * @param node name
   */
  record Drain(String node) implements Operation {}

  /**
   * The node and its load are absent until it is uncordoned. Its replicas are pending again.
   *
   * @param node name
   */
  record Fail(String node) implements Operation {}

  /**
   * Sets the load of the node.
   *
   * @param node name
   * @param load load in each resource's unit, length as the demand of {@link Submit}; null = none
   * @param loadVariance variance of the load per resource, in the square of its unit; null = known exactly
   */
  record Load(String node, double[] load, double[] loadVariance) implements Operation {
    /** Load that is known exactly. */
    public static Load of(String node, double... load) {
      return new Load(node, load, null);
    }
  }

  /**
   * Adds a placement rule.
   *
   * @param rule the rule, with a unique name
   */
  record AddRule(InstanceBuilder.Rule rule) implements Operation {}

  /**
   * Removes a placement rule.
   *
   * @param name of the rule
   */
  record RemoveRule(String name) implements Operation {}

  /**
   * Sets the traffic between two apps.
   *
   * @param app name
   * @param peer name of the other app
   * @param amount of traffic, in the unit of the instance; 0 = they exchange none
   */
  record Traffic(String app, String peer, double amount) implements Operation {}
}
