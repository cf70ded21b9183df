package stowage;

/** Why a recommendation is as it is, in the order of {@code learning.fbs}. */
public enum RecommendationReason {
  /** The cheapest configuration that meets the goal with the confidence. */
  MEETS_GOAL,
  /** None does so far, and one may. */
  NOT_ENOUGH_EVIDENCE,
  /** The most probable configuration was sampled, and its probability is below 1 - confidence. */
  GOAL_OUT_OF_REACH,
  /** A reason that this version does not know. */
  UNKNOWN;

  static RecommendationReason of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
