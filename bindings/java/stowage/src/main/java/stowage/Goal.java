package stowage;

/**
 * What recommended configurations are to reach.
 *
 * @param value a performance to reach, or a latency not to exceed
 * @param confidence probability with which the goal is to be met
 * @param cost of one unit of each resource; null = the largest amount of each costs 1
 * @param keepAsked choose the degree of collocation alone
 */
public record Goal(double value, double confidence, double[] cost, boolean keepAsked) {
  /** The goal at a confidence of 80 %. */
  public Goal(double value) {
    this(value, 0.8, null, false);
  }
}
