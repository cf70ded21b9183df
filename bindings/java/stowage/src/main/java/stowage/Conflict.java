package stowage;

/**
 * A part of a plan that was not taken, and why. Its replicas stay pending.
 *
 * @param kind the reason, such as {@code "no-room"}; {@code report.fbs} defines the numbers for each kind
 * @param app the app; empty where the conflict concerns the whole plan
 * @param node the node; empty where the conflict concerns the whole plan, or a node that has no name yet
 * @param wanted see {@code report.fbs}
 * @param available see {@code report.fbs}
 */
public record Conflict(String kind, String app, String node, long wanted, long available) {}
