package stowage;

/**
 * The quantity that a run minimizes, in the order of {@code request.fbs}. {@link Planner#objectives} lists the objectives that
 * a planner pursues.
 */
public enum Objective {
  /** Fewest nodes; where prices are given, least cost. */
  NODES,
  /** Least used capacity at confidence (P1, section 4.1). */
  UCAC,
  /** Least cost of the replica that suffers most from side effects (P4, section 2). */
  WORST,
  /** Least sum of what side effects cost all replicas. */
  TOTAL,
  /** Least weight of the applications that are left out, each placed as a whole or not at all (P3, section 3.3.1). */
  ADMITTED,
  /** Least traffic between replicas that do not share a node. */
  TRAFFIC,
  /** An objective that this version does not know; not for requests. */
  UNKNOWN;

  static Objective of(int number) {
    return number < UNKNOWN.ordinal() ? values()[number] : UNKNOWN;
  }
}
