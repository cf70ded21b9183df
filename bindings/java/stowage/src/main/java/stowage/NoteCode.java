// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

/**
 * What a note is about.
 */
public enum NoteCode {
  /**
   * As NotImproved, in plans of earlier versions.
   */
  SEARCH_OFF,
  /**
   * A part of the search did not run, because of a feature that the text names. Not in plans that are proven optimal.
   */
  NOT_IMPROVED,
  /**
   * The run ended before its limit.
   */
  ENDED_EARLY,
  /**
   * Replicas that fit on no node were left out; the others were planned without them.
   */
  LEFT_OUT,
  /**
   * A placement rule names a tag that nothing carries, or sets no bound.
   */
  IDLE_RULE,
  /**
   * There is not all the room that was to be kept, or some loss is not survived.
   */
  PROMISE,
  /**
   * The planner failed: the checker refused what it made. The plan is that of the start: what runs and is pinned stays where it
   * is, everything else is unplaced. A defect; please report it.
   */
  START_PLAN,
  /** A value that this version does not know; not for requests. */
  UNKNOWN;

  static NoteCode of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
