// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;
import java.util.OptionalInt;

/**
 * What becomes of the replicas of nodes that are lost together, all others staying where they are. Nodes are numbered as for
 * Move: the instance's listed nodes by their index, then the plan's anonymous nodes in its order, each copy by itself.
 *
 * @param name the value of the label; empty where nodes were asked for by number
 * @param nodes the lost nodes, ascending
 * @param replicas replicas on them, and how many of these find no place
 * @param left the left
 * @param moves where the replicas go
 * @param shortResource what remains has {@code shortAmount} too little of this resource free in {@code shortPeriod}, in the
 *     resource's unit, so that no way to place all of them exists. empty: no resource is short in all
 * @param shortPeriod the short period
 * @param shortAmount the short amount
 */
public record Loss(
    String name,
    List<Integer> nodes,
    long replicas,
    long left,
    List<Move> moves,
    OptionalInt shortResource,
    OptionalInt shortPeriod,
    double shortAmount) {

  /**
   * Where replicas of an app on lost nodes go.
   *
   * @param app the app
   * @param to the node; empty: nowhere
   * @param replicas how many
   */
  public record Move(int app, OptionalInt to, int replicas) {}
}
