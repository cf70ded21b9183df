// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;

/**
 * An application with identical replicas. Amounts are in each resource's unit, one per resource. Immutable: {@link #of} sets the
 * properties that every one has, the {@code with} methods set further ones.
 *
 * @param name unique, or empty for all apps
 * @param replicas replicas wanted in total, running ones included
 * @param demand demand of one replica in the resource's unit; the mean where {@code variance} is given. Length: resources (the
 *     same in every period) or resources x periods, row-major in that order
 * @param priority where not all replicas fit, apps of higher priority are placed first. May be negative
 * @param weight what one replica counts where not all of the same priority fit: the sum over those left over is made small.
 *     Above 0
 * @param variance variance of one replica's demand in every period, in the square of the resource's unit. Replicas vary
 *     independently. Length: resources; 0 = known exactly; null = none
 * @param supportMin smallest possible demand of a replica, for {@link InstanceBuilder.ChanceModel#BOUNDED_SUPPORT}; null = none
 * @param supportMax largest possible demand of a replica; null = none
 * @param kind one of the kinds given to {@link InstanceBuilder#interference}; empty is the first
 * @param tags carried by every replica
 * @param only labels or tags that every node of the app carries
 * @param not labels or tags that no node of the app carries
 */
public record App(
    String name,
    int replicas,
    double[] demand,
    int priority,
    double weight,
    double[] variance,
    double[] supportMin,
    double[] supportMax,
    String kind,
    List<String> tags,
    List<String> only,
    List<String> not) {
  /** One with the properties that every one has. */
  public static App of(String name, int replicas, double... demand) {
    return new App(name, replicas, demand, 0, 1, null, null, null, "", List.of(), List.of(), List.of());
  }

  /** The same with the given {@code priority}. */
  public App withPriority(int priority) {
    return new App(name, replicas, demand, priority, weight, variance, supportMin, supportMax, kind, tags, only, not);
  }

  /** The same with the given {@code weight}. */
  public App withWeight(double weight) {
    return new App(name, replicas, demand, priority, weight, variance, supportMin, supportMax, kind, tags, only, not);
  }

  /** The same with the given {@code variance}. */
  public App withVariance(double... variance) {
    return new App(name, replicas, demand, priority, weight, variance, supportMin, supportMax, kind, tags, only, not);
  }

  /** The same with the given {@code support}. */
  public App withSupport(double[] supportMin, double[] supportMax) {
    return new App(name, replicas, demand, priority, weight, variance, supportMin, supportMax, kind, tags, only, not);
  }

  /** The same with the given {@code kind}. */
  public App withKind(String kind) {
    return new App(name, replicas, demand, priority, weight, variance, supportMin, supportMax, kind, tags, only, not);
  }

  /** The same with the given {@code tags}. */
  public App withTags(String... tags) {
    return new App(name, replicas, demand, priority, weight, variance, supportMin, supportMax, kind, List.of(tags), only, not);
  }

  /** The same with the given {@code only}. */
  public App withOnly(String... only) {
    return new App(name, replicas, demand, priority, weight, variance, supportMin, supportMax, kind, tags, List.of(only), not);
  }

  /** The same with the given {@code not}. */
  public App withNot(String... not) {
    return new App(name, replicas, demand, priority, weight, variance, supportMin, supportMax, kind, tags, only, List.of(not));
  }
}
