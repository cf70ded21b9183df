// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;

/**
 * The way from what runs to a plan. Every hard constraint holds at every step.
 *
 * @param waves the moves of a wave run at the same time, in any order; replicas that begin to run come last
 * @param stuck moves that cannot be ordered: those of a circle on full nodes, for example, need a third place that does not
 *     exist
 * @param moved replicas that change their node, each counted once, and further moves over third places
 * @param detours the detours
 * @param leastWaves no order has fewer waves: by the limits on what happens at the same time
 */
public record MoveOrder(
    List<List<Move>> waves,
    List<Move> stuck,
    int moved,
    int detours,
    int leastWaves) {}
