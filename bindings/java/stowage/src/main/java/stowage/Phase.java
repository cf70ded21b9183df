package stowage;

/** What a run is busy with, in the order of {@code stowage_phase}. */
public enum Phase {
  /** Not started. */
  IDLE,
  /** Reading the request. */
  PREPARE,
  /** Making a plan. */
  PLAN,
  /** Making it better. */
  IMPROVE,
  /** Computing lower bounds. */
  BOUND,
  /** Being checked. */
  VERIFY,
  /** Ended. */
  DONE,
  /** A phase that this version does not know. */
  UNKNOWN;

  static Phase of(int number) {
    return number >= 0 && number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
