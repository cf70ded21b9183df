// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

/**
 * Why a recommendation is as it is.
 */
public enum RecommendationReason {
  /**
   * The cheapest configuration that meets the goal with the confidence.
   */
  MEETS_GOAL,
  /**
   * None does so far, and one may.
   */
  NOT_ENOUGH_EVIDENCE,
  /**
   * The most probable configuration was sampled, and its probability is below 1 - confidence.
   */
  GOAL_OUT_OF_REACH,
  /** A value that this version does not know; not for requests. */
  UNKNOWN;

  static RecommendationReason of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
