package stowage;

import java.util.OptionalInt;

/**
 * A change that would let one more replica in; {@code report.fbs} says what its parts mean for each kind.
 *
 * @param kind such as {@code "add-node"}
 * @param node the node
 * @param nodeClass the class
 * @param beside the app that imposes the limit to raise
 * @param app the app that is limited
 * @param resource the resource
 * @param amount how much more, in the resource's unit, or the limit or bound to change to
 * @param rule the placement rule, an index into the instance's rules
 * @param condition its position in the rule's only conjunction
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
    OptionalInt condition) {}
