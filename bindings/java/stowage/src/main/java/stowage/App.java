package stowage;

import java.util.List;

/**
 * An application with identical replicas. Amounts are in each resource's unit, one per resource. Immutable: {@link #of} sets
 * the properties that every app has, the {@code with} methods set further ones.
 *
 * @param name unique, or empty for all apps
 * @param replicas replicas wanted in total, running ones included
 * @param demand demand of one replica, the mean where a variance is given; length: resources, or resources x periods with the
 *     periods of a resource side by side
 * @param priority where not all replicas fit, apps of higher priority are placed first
 * @param variance variance of one replica's demand per resource, in the square of its unit; null = known exactly; replicas vary
 *     independently
 * @param supportMin smallest possible demand of a replica, for {@link InstanceBuilder.ChanceModel#BOUNDED_SUPPORT}; null = not
 *     given
 * @param supportMax largest possible demand of a replica; null = not given
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
    double[] variance,
    double[] supportMin,
    double[] supportMax,
    String kind,
    List<String> tags,
    List<String> only,
    List<String> not) {

  /** An app with the properties that every app has. */
  public static App of(String name, int replicas, double... demand) {
    return new App(name, replicas, demand, 0, null, null, null, "", List.of(), List.of(), List.of());
  }

  /** The same with a priority. */
  public App withPriority(int priority) {
    return new App(name, replicas, demand, priority, variance, supportMin, supportMax, kind, tags, only, not);
  }

  /** The same app with uncertain demand. */
  public App withVariance(double... variance) {
    return new App(name, replicas, demand, priority, variance, supportMin, supportMax, kind, tags, only, not);
  }

  /** The same app with the smallest and largest possible demand of a replica. */
  public App withSupport(double[] min, double[] max) {
    return new App(name, replicas, demand, priority, variance, min, max, kind, tags, only, not);
  }

  /** The same app with a kind. */
  public App withKind(String kind) {
    return new App(name, replicas, demand, priority, variance, supportMin, supportMax, kind, tags, only, not);
  }

  /** The same with tags. */
  public App withTags(String... tags) {
    return new App(name, replicas, demand, priority, variance, supportMin, supportMax, kind, List.of(tags), only, not);
  }

  /** The same app, only on nodes that carry all of these labels or tags. */
  public App withOnly(String... only) {
    return new App(
        name, replicas, demand, priority, variance, supportMin, supportMax, kind, tags, List.of(only), not);
  }

  /** The same app, on no node that carries one of these labels or tags. */
  public App withNot(String... not) {
    return new App(
        name, replicas, demand, priority, variance, supportMin, supportMax, kind, tags, only, List.of(not));
  }
}
