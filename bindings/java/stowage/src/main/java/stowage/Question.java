package stowage;

/**
 * Asks a model for a recommendation for each app of the samples.
 *
 * @param samples what was measured of these apps
 * @param goal what the recommended configurations are to reach
 * @param curves whether the answer has what is known of every configuration for every app
 */
public record Question(Samples samples, Goal goal, boolean curves) {

  /** A question without curves. */
  public static Question of(Samples samples, Goal goal) {
    return new Question(samples, goal, false);
  }

  /** The same with curves. */
  public Question withCurves() {
    return new Question(samples, goal, true);
  }
}
