package stowage;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Capacity, price and labels that the nodes of a class share.
 *
 * @param name of the class
 * @param capacity per resource, in its unit
 * @param count number of nodes, listed ones included; 0 = as many as needed
 * @param price price of one node in use, in any currency; either all classes have a price or none has
 * @param labels {@code "key=value"}, or a bare word
 * @param daemon load that goes with each node of the class: it takes capacity and does not keep the node in use; length:
 *     resources, or resources x periods; null = none
 */
public record NodeClass(
    String name, double[] capacity, int count, OptionalDouble price, List<String> labels, double[] daemon) {
  /** A class of as many nodes as needed. */
  public static NodeClass of(String name, double... capacity) {
    return new NodeClass(name, capacity, 0, OptionalDouble.empty(), List.of(), null);
  }

  /** The same class with a number of nodes. */
  public NodeClass withCount(int count) {
    return new NodeClass(name, capacity, count, price, labels, daemon);
  }

  /** The same with a price. */
  public NodeClass withPrice(double price) {
    return new NodeClass(name, capacity, count, OptionalDouble.of(price), labels, daemon);
  }

  /** The same with labels. */
  public NodeClass withLabels(String... labels) {
    return new NodeClass(name, capacity, count, price, List.of(labels), daemon);
  }

  /** The same with daemon load. */
  public NodeClass withDaemon(double... daemon) {
    return new NodeClass(name, capacity, count, price, labels, daemon);
  }
}
