package stowage;

/**
 * Something of a plan that was not taken; what it concerns stays pending.
 *
 * @param kind why, a word such as {@code "no-room"}; {@code report.fbs} says what the numbers mean for it
 * @param app the app; empty where it concerns all
 * @param node the node; empty where it concerns all, or a node without a name yet
 * @param wanted as {@code report.fbs} says
 * @param available as {@code report.fbs} says
 */
public record Conflict(String kind, String app, String node, long wanted, long available) {}
