// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.OptionalInt;

/**
 * What keeps a replica off a node. Its kind says what the other fields are; an index that does not apply is -1.
 *
 * @param kind the kind
 * @param resource the resource
 * @param period the period
 * @param other the other
 * @param amount the amount
 * @param limit the limit
 */
public record Obstacle(
    String kind,
    OptionalInt resource,
    OptionalInt period,
    OptionalInt other,
    double amount,
    double limit) {}
