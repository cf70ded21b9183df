package stowage;

import java.util.List;
import java.util.OptionalInt;

/**
 * The replica that suffers most from side effects, and one move that would help.
 *
 * @param node index of the plan's node
 * @param app the first app of the replica's kind on the node
 * @param cost what side effects cost it
 * @param fromKind what the load of each kind on the node adds to the cost
 * @param moving the app of which one replica should move; empty where no move helps of those tried
 * @param to the node of the plan that takes it
 * @param costAfter cost of who then suffers most on {@code node}
 * @param costThere cost of who then suffers most on {@code to}
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
