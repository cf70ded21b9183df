// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;

/**
 * How many more replicas of an app the nodes of a plan take, one node at a time. Of a node with copies, one copy is meant.
 *
 * @param room most replicas that each node takes, up to the number that the app wants, or up to 1 if it wants none. Length:
 *     nodes of the plan, as of the next two
 * @param lacksCapacity true: the node lacks capacity for one more. true: limits, rules, side effects, tags or its being closed
 *     refuse one more there
 * @param forbidden the forbidden
 * @param obstacles what keeps one more off the node that was asked for; empty if it takes one or none was asked for
 */
public record Headroom(
    List<Integer> room,
    List<Boolean> lacksCapacity,
    List<Boolean> forbidden,
    List<Obstacle> obstacles) {}
