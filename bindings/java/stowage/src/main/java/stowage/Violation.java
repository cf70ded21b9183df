package stowage;

import java.util.OptionalInt;

/**
 * A broken constraint; {@code report.fbs} defines the fields for each kind.
 *
 * @param kind such as {@code "affinity-limit"}
 * @param inherited whether the constraint was broken before planning and the plan makes it no worse
 * @param node the node of the plan, if the kind concerns one
 * @param app the app
 * @param other the other app, or a class
 * @param resource the resource
 * @param period the period
 * @param amount the amount or number found
 * @param limit the number or amount that is allowed
 * @param what the figure, feature or rule that the kind refers to
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
