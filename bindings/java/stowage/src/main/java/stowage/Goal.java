package stowage;

/**
 * What recommended configurations are to reach.
 *
 * @param value a performance to reach at least, in (0, 1], or a latency in milliseconds to reach at most
 * @param confidence probability with which the goal is to be met, in (0, 1)
 * @param cost cost of one unit of each resource, not all 0; null = the largest amount that any configuration has of a resource
 *     costs 1
 * @param keepAsked whether sizes stay as the apps ask for them, so that only the degree of collocation is chosen
 */
public record Goal(double value, double confidence, double[] cost, boolean keepAsked) {

  /** The goal with a confidence of 80 %. */
  public static Goal of(double value) {
    return new Goal(value, 0.8, null, false);
  }

  /** The same with another confidence. */
  public Goal withConfidence(double confidence) {
    return new Goal(value, confidence, cost, keepAsked);
  }

  /** The same with the cost of one unit of each resource. */
  public Goal withCost(double... cost) {
    return new Goal(value, confidence, cost, keepAsked);
  }

  /** The same goal, at the sizes that the apps ask for. */
  public Goal withKeepAsked() {
    return new Goal(value, confidence, cost, true);
  }
}
