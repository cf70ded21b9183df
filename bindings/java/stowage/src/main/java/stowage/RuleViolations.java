package stowage;

/**
 * Violations of placement rules: of soft rules, and of hard rules that were broken at the start. A violation is one replica and
 * one rule that does not hold for it.
 *
 * @param count number of violations
 * @param replicas number of different replicas among the violations
 * @param extent sum of the violations' extents (P2, Eq. 8)
 * @param weight sum of the rules' weights over the violations
 * @param cost sum of extent x weight over the violations
 */
public record RuleViolations(long count, long replicas, double extent, double weight, double cost) {}
