package stowage;

/**
 * How far placement rules do not hold: hard ones that were broken before, and soft ones.
 *
 * @param count replicas for which a rule does not hold, once per rule
 * @param replicas different replicas among them
 * @param extent sum of their extents (P2, Eq. 8)
 * @param weight sum of the rules' weights
 * @param cost sum of extent x weight
 */
public record RuleViolations(long count, long replicas, double extent, double weight, double cost) {}
