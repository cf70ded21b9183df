package stowage;

/** How good a plan is, and no more than was proven; in the order of {@code plan.fbs}. */
public enum PlanStatus {
  /** Every replica is placed. */
  COMPLETE,
  /** Every replica is placed, and no plan does better by the objective. */
  OPTIMAL,
  /** Some replicas are not placed. */
  PARTIAL,
  /** Some replicas are not placed, and no plan places all. */
  INFEASIBLE_PROVEN,
  /** The run was cancelled; the best plan it had. */
  CANCELLED,
  /** The deadline or the work limit ended the run; the best plan it had. */
  DEADLINE,
  /** A status that this version does not know. */
  UNKNOWN;

  static PlanStatus of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
