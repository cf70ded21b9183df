// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.OptionalInt;

/**
 * A broken constraint. Its kind says what the other fields are; an index that does not apply is -1.
 *
 * @param kind the kind
 * @param inherited true: the constraint was broken before planning, and the plan makes it no worse
 * @param node the node
 * @param app the app
 * @param other the other
 * @param resource the resource
 * @param period the period
 * @param amount the amount
 * @param limit the limit
 * @param what the figure, feature or rule that the kind refers to, such as "cost" for kind Figures
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
