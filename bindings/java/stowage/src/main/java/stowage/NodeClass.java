// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Capacity, price and labels that the nodes of a class share. Immutable: {@link #of} sets the properties that every one has, the
 * {@code with} methods set further ones.
 *
 * @param name the name
 * @param capacity capacity per resource. Length: resources
 * @param count number of nodes of this class, listed ones included; 0 = as many as needed
 * @param price cost of one node in use, in any currency; empty = not given. Either all classes have a price or none has
 * @param labels static labels as "key=value" (or a bare word). A label is also a static tag of every node of the class
 * @param daemon load that goes with each node of the class, in the resource's unit: it takes capacity and does not keep the node
 *     in use. At most the capacity. Length: resources, or resources x periods; null = none
 */
public record NodeClass(
    String name,
    double[] capacity,
    int count,
    OptionalDouble price,
    List<String> labels,
    double[] daemon) {
  /** One with the properties that every one has. */
  public static NodeClass of(String name, double... capacity) {
    return new NodeClass(name, capacity, 0, OptionalDouble.empty(), List.of(), null);
  }

  /** The same with the given {@code count}. */
  public NodeClass withCount(int count) {
    return new NodeClass(name, capacity, count, price, labels, daemon);
  }

  /** The same with the given {@code price}. */
  public NodeClass withPrice(double price) {
    return new NodeClass(name, capacity, count, OptionalDouble.of(price), labels, daemon);
  }

  /** The same with the given {@code labels}. */
  public NodeClass withLabels(String... labels) {
    return new NodeClass(name, capacity, count, price, List.of(labels), daemon);
  }

  /** The same with the given {@code daemon}. */
  public NodeClass withDaemon(double... daemon) {
    return new NodeClass(name, capacity, count, price, labels, daemon);
  }
}
