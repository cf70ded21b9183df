package stowage;

import java.util.OptionalInt;

/**
 * What keeps a replica off a node; {@code report.fbs} says what its parts mean for each kind.
 *
 * @param kind such as {@code "capacity"}
 * @param resource the resource
 * @param period the period
 * @param other the other app
 * @param amount how much more would be needed, in the resource's unit, or how many there would be
 * @param limit what is allowed
 */
public record Obstacle(
    String kind,
    OptionalInt resource,
    OptionalInt period,
    OptionalInt other,
    double amount,
    double limit) {}
