package stowage;

import java.util.OptionalInt;

/**
 * What keeps a replica off a node; {@code report.fbs} defines the fields for each kind.
 *
 * @param kind such as {@code "capacity"}
 * @param resource the resource
 * @param period the period
 * @param other the other app
 * @param amount the amount that is missing, in the resource's unit, or the number of replicas that there would be
 * @param limit the number or amount that is allowed
 */
public record Obstacle(
    String kind,
    OptionalInt resource,
    OptionalInt period,
    OptionalInt other,
    double amount,
    double limit) {}
