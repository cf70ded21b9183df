package stowage;

import java.util.OptionalInt;

/**
 * A lower bound on any complete plan.
 *
 * @param name name of the bound
 * @param objective {@code "nodes"}, {@code "cost"}, {@code "ucac"} (used capacity at confidence), or {@code "worst"} or
 *     {@code "total"} (costs of side effects)
 * @param value the bound
 * @param resource the resource from which it follows
 * @param period the period from which it follows
 * @param source paper, section, equation
 */
public record BoundEntry(
    String name,
    String objective,
    double value,
    OptionalInt resource,
    OptionalInt period,
    String source) {}
