package stowage;

import java.util.OptionalInt;

/**
 * A reason for a plan's number of nodes; {@code report.fbs} defines the fields for each kind.
 *
 * @param kind such as {@code "capacity"}
 * @param resource the resource
 * @param period the period
 * @param app the app
 * @param nodes number of nodes
 */
public record Driver(
    String kind,
    OptionalInt resource,
    OptionalInt period,
    OptionalInt app,
    double nodes) {}
