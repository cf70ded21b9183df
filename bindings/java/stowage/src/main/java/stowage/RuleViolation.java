package stowage;

import java.util.OptionalInt;

/**
 * A placement rule and replicas for which it does not hold.
 *
 * @param rule index of the rule in the instance
 * @param hard whether the rule is hard
 * @param inherited whether the rule is hard, was broken before planning, and the plan makes it no worse
 * @param node index of the plan's node; empty for conditions on the number of sets or on skew, which are about all subjects
 *     together
 * @param app the app; empty where the node is
 * @param replicas replicas of the app on the node; 1 where there is no node
 * @param extent extent of the violation for one replica: by how much counts miss their bounds, as a share of the bounds (P2,
 *     Eq. 8)
 * @param amount the count that misses its bound by most
 * @param limit the bound of that count
 * @param weight of the rule
 */
public record RuleViolation(
    int rule,
    boolean hard,
    boolean inherited,
    OptionalInt node,
    OptionalInt app,
    int replicas,
    double extent,
    double amount,
    double limit,
    double weight) {}
