// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;

/**
 * How many more replicas of each app a cluster takes, where one app grows at a time. Length of each vector: apps.
 *
 * @param room sum over the plan's nodes, each copy by itself, of the most replicas that the node takes
 * @param nodes nodes of the plan, each copy by itself, that take at least one, and the most that one of them takes
 * @param most the most
 * @param spareRoom the sum over nodes that exist and that the plan does not use. Of a class without a count, none exists
 * @param coupled true: a hard placement rule counts the app over several nodes, or asks for something near it, so that what one
 *     node takes changes what others take: {@code room} and {@code spareRoom} are upper bounds. false: they are exact
 */
public record HeadroomOfApps(
    List<Long> room,
    List<Long> nodes,
    List<Integer> most,
    List<Long> spareRoom,
    List<Boolean> coupled) {}
