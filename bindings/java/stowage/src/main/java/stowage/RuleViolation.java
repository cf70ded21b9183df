package stowage;

import java.util.OptionalInt;

/**
 * Replicas for which a placement rule does not hold.
 *
 * @param rule position among the instance's rules
 * @param hard whether the rule is hard
 * @param inherited hard, broken before planning and no worse now
 * @param node of the plan; empty for conditions on the number of sets or on skew, which are about all subjects together
 * @param app the app; empty where the node is
 * @param replicas of the app on the node; 1 where there is none
 * @param extent for one replica: how far counts are outside of their bounds, as a share of these (P2, Eq. 8)
 * @param amount the count that is furthest out
 * @param limit the bound that it misses
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
