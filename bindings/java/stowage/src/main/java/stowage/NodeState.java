// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

/**
 * The state of a listed node.
 */
public enum NodeState {
  /**
   * Accepts replicas.
   */
  OPEN,
  /**
   * Keeps its replicas, accepts no new ones.
   */
  CORDONED,
  /**
   * Emptied; accepts no replicas.
   */
  DRAINED,
  /**
   * Empty until it is uncordoned; empty and without load.
   */
  FAILED,
  /** A value that this version does not know; not for requests. */
  UNKNOWN;

  static NodeState of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
