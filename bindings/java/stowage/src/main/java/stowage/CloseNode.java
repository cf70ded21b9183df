// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;
import java.util.OptionalInt;

/**
 * A node that comes close to accepting one more replica of the app, with all obstacles there.
 *
 * @param node index into the plan's nodes; empty = a new, empty node of {@code nodeClass}
 * @param nodeClass the node class
 * @param obstacles the obstacles
 * @param distance sum of the shortfalls as shares of capacity, plus 1 per failing limit. A smaller distance is closer
 * @param listed index of the listed node that is meant, where the plan does not use it; empty = a node of the plan or a new one
 */
public record CloseNode(
    OptionalInt node,
    int nodeClass,
    List<Obstacle> obstacles,
    double distance,
    OptionalInt listed) {}
