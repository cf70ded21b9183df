// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

/**
 * What a goal counts. A plan makes it small.
 */
public enum GoalKind {
  /**
   * Sum of the prices of the nodes in use; without prices, their number.
   */
  COST,
  /**
   * Nodes in use.
   */
  NODES,
  /**
   * Running replicas that go to another node.
   */
  MOVES,
  /**
   * Largest use: the largest share of a resource's capacity that load and mean demand take on any node, in any period. Of {@code
   * PlanGoal.resource} or, without one, of any resource.
   */
  BALANCE,
  /**
   * Uneven use: standard deviation of that share between the nodes in use.
   */
  EVENNESS,
  /**
   * What violated soft rules cost, {@code Plan.violationCost}.
   */
  SOFT_RULES,
  /**
   * Used capacity at confidence, {@code Plan.ucac}.
   */
  UCAC,
  /**
   * Side effects on the replica that suffers most, {@code Plan.maxCost}.
   */
  WORST,
  /**
   * Side effects on all replicas, {@code Plan.totalCost}.
   */
  TOTAL,
  /**
   * Weight of the applications that are left out, {@code Plan.leftOut}.
   */
  ADMITTED,
  /**
   * Traffic between replicas that do not share a node, {@code Plan.remoteTraffic}.
   */
  TRAFFIC,
  /** A value that this version does not know; not for requests. */
  UNKNOWN;

  static GoalKind of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
