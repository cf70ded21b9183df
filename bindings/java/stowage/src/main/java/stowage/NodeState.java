package stowage;

/** The state of a listed node, in the order of {@code instance.fbs}. */
public enum NodeState {
  /** Accepts replicas. */
  OPEN,
  /** Keeps its replicas, accepts no new ones. */
  CORDONED,
  /** Emptied; accepts no replicas. */
  DRAINED,
  /** Absent until it is uncordoned; empty and without load. */
  FAILED,
  /** A state that this version does not know. */
  UNKNOWN;

  static NodeState of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
