// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.OptionalInt;

/**
 * A change of the instance that makes room for one more replica.
 *
 * @param kind the kind
 * @param node the node
 * @param nodeClass the node class
 * @param beside the app that imposes the limit to raise, and the app that it limits
 * @param app the app
 * @param resource the resource
 * @param amount the amount
 * @param rule index into the instance's rules
 * @param condition index of the condition in the rule's only conjunction
 * @param tag index into the instance's tags
 * @param sufferingKind index into the instance's kinds
 * @param listed as {@code CloseNode.listed}: the listed node that the plan does not use and on which this was seen; empty = none
 */
public record Relaxation(
    String kind,
    OptionalInt node,
    OptionalInt nodeClass,
    OptionalInt beside,
    OptionalInt app,
    OptionalInt resource,
    double amount,
    OptionalInt rule,
    OptionalInt condition,
    OptionalInt tag,
    OptionalInt sufferingKind,
    OptionalInt listed) {}
