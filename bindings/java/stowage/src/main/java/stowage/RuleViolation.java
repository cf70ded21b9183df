// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.OptionalInt;

/**
 * A placement rule and replicas for which it does not hold.
 *
 * @param rule index into the instance's rules
 * @param hard the hard
 * @param inherited true: the rule is hard, was broken before planning, and the plan makes it no worse
 * @param node the rule does not hold for {@code replicas} replicas of {@code app} on the plan's node {@code node} and on each of
 *     its copies. For conditions on the number of sets or on skew, node and app are empty and {@code replicas} is 1
 * @param app the app
 * @param replicas the replicas
 * @param extent extent of the violation for one replica: by how much counts miss their bounds, as a share of the bounds (P2, Eq.
 *     8)
 * @param amount the count that misses its bound by most, and that bound
 * @param limit the limit
 * @param weight the weight
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
