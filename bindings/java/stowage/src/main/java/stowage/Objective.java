// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

/**
 * What a run minimizes. {@code Planner.objectives} lists the objectives that a planner pursues.
 */
public enum Objective {
  /**
   * Fewest nodes in use; where prices are given, least cost.
   */
  NODES,
  /**
   * Least used capacity at confidence (P1, section 4.1). {@code Planner.objectives} lists "ucac" for planners that pursue it.
   */
  UCAC,
  /**
   * Least cost of the replica that suffers most from side effects (P4, section 2), on at most {@code node_limit} nodes. Needs an
   * interference table.
   */
  WORST,
  /**
   * Least sum of what side effects cost all replicas, on at most {@code node_limit} nodes. Needs an interference table.
   */
  TOTAL,
  /**
   * Most applications admitted (P3, section 3.3.1): least weight of the applications that are left out. Each is placed as a
   * whole or not at all, as with {@code all_or_nothing}; it counts the largest weight of its apps.
   */
  ADMITTED,
  /**
   * Least traffic between replicas that do not share a node. Needs an instance with traffic.
   */
  TRAFFIC,
  /** A value that this version does not know; not for requests. */
  UNKNOWN;

  static Objective of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
