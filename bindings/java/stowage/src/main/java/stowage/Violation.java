package stowage;

import java.util.OptionalInt;

/**
 * A broken constraint; {@code report.fbs} says what its parts mean for each kind.
 *
 * @param kind such as {@code "affinity-limit"}
 * @param inherited broken before planning and no worse now
 * @param node the node of the plan, where it matters
 * @param app the app
 * @param other the other app, or a class
 * @param resource the resource
 * @param period the period
 * @param amount what is there
 * @param limit what is allowed
 * @param what which figure, for kind {@code "figures"}
 */
public record Violation(
    String kind,
    boolean inherited,
    OptionalInt node,
    OptionalInt app,
    OptionalInt other,
    OptionalInt resource,
    OptionalInt period,
    double amount,
    double limit,
    String what) {}
