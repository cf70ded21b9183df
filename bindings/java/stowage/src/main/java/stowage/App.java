package stowage;

import java.util.List;

/**
 * An application with identical replicas. Amounts are in each resource's unit, one per resource. Immutable: {@link #of} gives what
 * all apps have, the {@code with} methods add to it.
 *
 * @param name unique, or empty for all apps
 * @param replicas wanted in all, running ones included
 * @param demand of one replica (the mean where a variance is given); for a profile, resources x periods entries, the periods of a
 *     resource side by side
 * @param priority higher places first where not all fit
 * @param variance of one replica's demand, in the square of the unit; null: known exactly; replicas vary independently
 * @param supportMin the least that a replica can need, for {@link InstanceBuilder.ChanceModel#BOUNDED_SUPPORT}; null: not given
 * @param supportMax the most that a replica can need; null: not given
 * @param kind one of the kinds given to {@link InstanceBuilder#interference}; empty is the first
 * @param tags carried by every replica
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
    List<String> tags) {

  /** An app by what all apps have. */
  public static App of(String name, int replicas, double... demand) {
    return new App(name, replicas, demand, 0, null, null, null, "", List.of());
  }

  /** The same with a priority. */
  public App withPriority(int priority) {
    return new App(name, replicas, demand, priority, variance, supportMin, supportMax, kind, tags);
  }

  /** The same with uncertain demand. */
  public App withVariance(double... variance) {
    return new App(name, replicas, demand, priority, variance, supportMin, supportMax, kind, tags);
  }

  /** The same with the least and the most that a replica can need. */
  public App withSupport(double[] min, double[] max) {
    return new App(name, replicas, demand, priority, variance, min, max, kind, tags);
  }

  /** The same of a kind. */
  public App withKind(String kind) {
    return new App(name, replicas, demand, priority, variance, supportMin, supportMax, kind, tags);
  }

  /** The same with tags. */
  public App withTags(String... tags) {
    return new App(name, replicas, demand, priority, variance, supportMin, supportMax, kind, List.of(tags));
  }
}
