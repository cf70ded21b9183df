package stowage;

import java.util.List;

/**
 * A node that is known by itself: something runs there, is pinned there, or it belongs to sets of nodes.
 *
 * @param name unique, or empty for all nodes
 * @param nodeClass position of its class
 * @param load that belongs to no app of the instance, per resource, or resources x periods, in the resource's unit; null: none
 * @param loadVariance per resource, in the square of its unit (with {@link InstanceBuilder.ChanceModel#BOUNDED_SUPPORT}: the square
 *     of the width of its support); null: none
 * @param closed whether it accepts nothing new
 * @param tags on top of its class's labels
 */
public record Node(
    String name, int nodeClass, double[] load, double[] loadVariance, boolean closed, List<String> tags) {
  /** A node of a class. */
  public static Node of(String name, int nodeClass) {
    return new Node(name, nodeClass, null, null, false, List.of());
  }

  /** The same with load. */
  public Node withLoad(double... load) {
    return new Node(name, nodeClass, load, loadVariance, closed, tags);
  }

  /** The same with uncertain load. */
  public Node withLoadVariance(double... variance) {
    return new Node(name, nodeClass, load, variance, closed, tags);
  }

  /** The same, accepting nothing new. */
  public Node withClosed(boolean closed) {
    return new Node(name, nodeClass, load, loadVariance, closed, tags);
  }

  /** The same with tags. */
  public Node withTags(String... tags) {
    return new Node(name, nodeClass, load, loadVariance, closed, List.of(tags));
  }
}
