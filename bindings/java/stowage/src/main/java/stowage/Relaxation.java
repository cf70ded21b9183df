package stowage;

import java.util.OptionalInt;

/**
 * A change that makes room for one more replica; {@code report.fbs} defines the fields for each kind.
 *
 * @param kind such as {@code "add-node"}
 * @param node the node
 * @param nodeClass the class
 * @param beside the app that imposes the limit to raise
 * @param app the app that is limited
 * @param resource the resource
 * @param amount the additional amount in the resource's unit, or the new limit or bound
 * @param rule index of the placement rule in the instance
 * @param condition index of the condition in the rule's only conjunction
 * @param tag index of a tag of the instance
 * @param sufferingKind index of a kind given to {@link InstanceBuilder#interference}
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
    OptionalInt sufferingKind) {}
