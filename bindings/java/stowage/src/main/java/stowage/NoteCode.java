package stowage;

/** What a note of a plan is about, in the order of {@code plan.fbs}. */
public enum NoteCode {
  /** The plan was not searched for improvements. */
  SEARCH_OFF,
  /** A part of the search was switched off. */
  NEIGHBOURHOOD_OFF,
  /** The run ended before its limit. */
  ENDED_EARLY,
  /** Replicas that fit on no node were left out. */
  LEFT_OUT,
  /** A placement rule names a tag that nothing carries, or sets no bound. */
  IDLE_RULE,
  /** There is not all the room that was to be kept, or some loss is not survived. */
  PROMISE,
  /** The planner failed, and the plan is that of the start. */
  START_PLAN,
  /** A code that this version does not know. */
  UNKNOWN;

  static NoteCode of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
