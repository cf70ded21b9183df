package stowage;

/** How good a plan is, in the order of {@code plan.fbs}. A status claims no more than is proven. */
public enum PlanStatus {
  /** Every replica is placed, and what the request asks to keep is kept. */
  COMPLETE,
  /** Complete, and it is proven that no plan is better by the objective. */
  OPTIMAL,
  /** Some replicas are unplaced, or not all is kept. */
  PARTIAL,
  /** Some replicas are unplaced, and it is proven that no plan places all. */
  INFEASIBLE_PROVEN,
  /** The run was cancelled; this is its best plan. */
  CANCELLED,
  /** The deadline or the work limit ended the run; this is its best plan. */
  DEADLINE,
  /** A status that this version does not know. */
  UNKNOWN;

  static PlanStatus of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
