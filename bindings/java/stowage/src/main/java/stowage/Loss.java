package stowage;

import java.util.List;
import java.util.OptionalInt;

/**
 * What becomes of the replicas of nodes that are lost together, all others staying where they are.
 *
 * @param name the value of the label; empty where nodes were asked for by number
 * @param nodes the lost nodes: the instance's listed nodes by their index, then the plan's anonymous nodes, each copy by itself
 * @param replicas replicas on them
 * @param left replicas without a place
 * @param moves where the replicas go
 * @param shortResource a resource of which what remains has too little free, so that no way to place all exists
 * @param shortPeriod the period in which it is
 * @param shortAmount how much is missing, in the resource's unit
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
