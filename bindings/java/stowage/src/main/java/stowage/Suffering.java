// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;
import java.util.OptionalInt;

/**
 * The replica that suffers most from side effects, and one move that would help.
 *
 * @param node index into the plan's nodes
 * @param app the first app of its kind on the node
 * @param cost the cost
 * @param fromKind what the load of each kind on the node adds to the cost. Length: kinds
 * @param moving the move of one replica of {@code moving} to node {@code to} of the plan, which takes it: of those tried, the
 *     one after which the worse of both nodes suffers least. empty: none helps. At most 16 apps and 4,096 nodes are tried
 * @param to the to
 * @param costAfter cost of who then suffers most on {@code node} and on {@code to}
 * @param costThere the cost there
 */
public record Suffering(
    int node,
    int app,
    double cost,
    List<Double> fromKind,
    OptionalInt moving,
    OptionalInt to,
    double costAfter,
    double costThere) {}
