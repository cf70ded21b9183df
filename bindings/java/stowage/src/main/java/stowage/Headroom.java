package stowage;

import java.util.List;

/**
 * How many more replicas of an app the nodes of a plan take, one node at a time. Of a node with copies, one copy is meant.
 *
 * @param room most replicas that each node takes, up to the number that the app wants, or up to 1 if it wants none
 * @param lacksCapacity whether each node lacks capacity for one more
 * @param forbidden whether limits, rules, side effects, tags or the node's being closed refuse one more
 * @param obstacles what keeps one more off the node that was asked for
 */
public record Headroom(List<Integer> room, List<Boolean> lacksCapacity, List<Boolean> forbidden, List<Obstacle> obstacles) {}
