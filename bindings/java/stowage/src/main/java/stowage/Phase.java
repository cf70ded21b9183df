package stowage;

/** The phases of a run, in the order of {@code stowage_phase}. */
public enum Phase {
  /** Not started. */
  IDLE,
  /** Reading the request. */
  PREPARE,
  /** Making a plan. */
  PLAN,
  /** Improving the plan. */
  IMPROVE,
  /** Computing lower bounds. */
  BOUND,
  /** Checking the plan. */
  VERIFY,
  /** Ended. */
  DONE,
  /** A phase that this version does not know. */
  UNKNOWN;

  static Phase of(int number) {
    return number >= 0 && number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
