package stowage;

import java.util.List;

/**
 * How many more replicas of each app a cluster takes, one app growing at a time. One entry per app.
 *
 * @param room sum over the plan's nodes, each copy by itself, of the most replicas that the node takes
 * @param nodes nodes of the plan that take at least one
 * @param most the most that one node of the plan takes
 * @param spareRoom the sum over nodes that exist and that the plan does not use
 * @param coupled whether a hard placement rule counts the app over several nodes, so that room and spareRoom are upper bounds
 */
public record HeadroomOfApps(
    List<Long> room, List<Long> nodes, List<Integer> most, List<Long> spareRoom, List<Boolean> coupled) {}
