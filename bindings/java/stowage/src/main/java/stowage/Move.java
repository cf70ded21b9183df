// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.OptionalInt;

/**
 * One replica that changes its node. Nodes: the instance's listed nodes by their index, then the plan's anonymous nodes in its
 * order, each copy by itself.
 *
 * @param app the app
 * @param from empty: the replica starts
 * @param to empty: the replica ends
 * @param detour true: to a node where the plan does not have it; a later wave takes it on
 */
public record Move(
    int app,
    OptionalInt from,
    OptionalInt to,
    boolean detour) {}
