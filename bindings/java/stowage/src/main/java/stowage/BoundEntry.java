// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.OptionalInt;

/**
 * A lower bound on any complete plan.
 *
 * @param name the name
 * @param objective the quantity that it bounds: "nodes", "cost", "ucac", "worst" or "total"
 * @param value the value
 * @param resource the resource
 * @param period the period
 * @param source source: paper, section, equation
 */
public record BoundEntry(
    String name,
    String objective,
    double value,
    OptionalInt resource,
    OptionalInt period,
    String source) {}
