// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

/**
 * How good a plan is. It claims no more than is proven.
 */
public enum PlanStatus {
  /**
   * Every replica is placed, and all that {@code Request.keep} and {@code Request.survive} ask for is kept.
   */
  COMPLETE,
  /**
   * Complete, and it is proven that no plan has a better value of {@code Plan.objective}. With {@code SoftPolicy.FIRST}, the
   * plan violates no soft rule either; with {@code SoftPolicy.PRICE}, the cost of its violations is part of the value.
   */
  OPTIMAL,
  /**
   * Some replicas are unplaced, or not all is kept; the plan makes no statement on whether another plan does better.
   */
  PARTIAL,
  /**
   * Some replicas are unplaced, and it is proven that no plan places all of them.
   */
  INFEASIBLE_PROVEN,
  /**
   * The run was cancelled; this is its best plan.
   */
  CANCELLED,
  /**
   * The deadline or the work limit ended the run; this is its best plan.
   */
  DEADLINE,
  /** A value that this version does not know; not for requests. */
  UNKNOWN;

  static PlanStatus of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
