// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

/**
 * A part of a plan that was not taken, and why. Its replicas stay pending.
 *
 * @param kind the kind
 * @param app empty where the conflict concerns the whole plan; {@code node} also where the node has no name yet
 * @param node the node
 * @param wanted the wanted
 * @param available the available
 */
public record Conflict(
    String kind,
    String app,
    String node,
    long wanted,
    long available) {}
