// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;

/**
 * A listed node: something runs there, an app is pinned there, or it belongs to node sets. Immutable: {@link #of} sets the
 * properties that every one has, the {@code with} methods set further ones.
 *
 * @param name unique, or empty for all nodes
 * @param nodeClass position of its class
 * @param load load of each node that belongs to no app of the instance and that no plan changes, in the resource's unit. Length:
 *     resources, or resources x periods, row-major; null = none
 * @param loadVariance variance of that load, in the square of the resource's unit; with {@code ChanceModel.BOUNDED_SUPPORT}, the
 *     square of the width of its support. Length: resources; 0 where there is no load; null = none
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
  /** One with the properties that every one has. */
  public static Node of(String name, int nodeClass) {
    return new Node(name, nodeClass, null, null, false, List.of(), null);
  }

  /** The same with the given {@code load}. */
  public Node withLoad(double... load) {
    return new Node(name, nodeClass, load, loadVariance, closed, tags, daemon);
  }

  /** The same with the given {@code loadVariance}. */
  public Node withLoadVariance(double... loadVariance) {
    return new Node(name, nodeClass, load, loadVariance, closed, tags, daemon);
  }

  /** The same with the given {@code closed}. */
  public Node withClosed(boolean closed) {
    return new Node(name, nodeClass, load, loadVariance, closed, tags, daemon);
  }

  /** The same with the given {@code tags}. */
  public Node withTags(String... tags) {
    return new Node(name, nodeClass, load, loadVariance, closed, List.of(tags), daemon);
  }

  /** The same with the given {@code daemon}. */
  public Node withDaemon(double... daemon) {
    return new Node(name, nodeClass, load, loadVariance, closed, tags, daemon);
  }
}
