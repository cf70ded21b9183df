package stowage;

import java.util.OptionalInt;

/**
 * A reason why a plan needs so many nodes; {@code report.fbs} says what its parts mean for each kind.
 *
 * @param kind such as {@code "capacity"}
 * @param resource the resource
 * @param period the period
 * @param app the app
 * @param nodes so many nodes
 */
public record Driver(
    String kind,
    OptionalInt resource,
    OptionalInt period,
    OptionalInt app,
    double nodes) {}
