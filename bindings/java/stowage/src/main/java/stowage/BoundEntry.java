package stowage;

import java.util.OptionalInt;

/**
 * A lower bound on any complete plan.
 *
 * @param name which bound it is
 * @param objective {@code "nodes"}, {@code "cost"} or {@code "ucac"} (used capacity at confidence)
 * @param value the bound
 * @param resource the resource that gives it
 * @param period the period that gives it
 * @param source where it comes from
 */
public record BoundEntry(
    String name,
    String objective,
    double value,
    OptionalInt resource,
    OptionalInt period,
    String source) {}
