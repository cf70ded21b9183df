package stowage;

import java.util.List;

/**
 * A listed node: something runs there, an app is pinned there, or it belongs to node sets.
 *
 * @param name unique, or empty for all nodes
 * @param nodeClass position of its class
 * @param load load that belongs to no app of the instance, in each resource's unit; length: resources, or resources x periods;
 *     null = none
 * @param loadVariance variance of the load per resource, in the square of its unit; with {@link
 *     InstanceBuilder.ChanceModel#BOUNDED_SUPPORT}, the square of the width of its support; null = none
 * @param closed whether the node accepts no new replicas
 * @param tags tags in addition to the labels of its class
 * @param daemon load that goes with the node, in place of its class's; null = as the class says
 */
public record Node(
    String name,
    int nodeClass,
    double[] load,
    double[] loadVariance,
    boolean closed,
    List<String> tags,
    double[] daemon) {
  /** A node of a class. */
  public static Node of(String name, int nodeClass) {
    return new Node(name, nodeClass, null, null, false, List.of(), null);
  }

  /** The same with load. */
  public Node withLoad(double... load) {
    return new Node(name, nodeClass, load, loadVariance, closed, tags, daemon);
  }

  /** The same with uncertain load. */
  public Node withLoadVariance(double... variance) {
    return new Node(name, nodeClass, load, variance, closed, tags, daemon);
  }

  /** The same node, closed to new replicas. */
  public Node withClosed(boolean closed) {
    return new Node(name, nodeClass, load, loadVariance, closed, tags, daemon);
  }

  /** The same with tags. */
  public Node withTags(String... tags) {
    return new Node(name, nodeClass, load, loadVariance, closed, List.of(tags), daemon);
  }

  /** The same with a daemon load of its own. */
  public Node withDaemon(double... daemon) {
    return new Node(name, nodeClass, load, loadVariance, closed, tags, daemon);
  }
}
