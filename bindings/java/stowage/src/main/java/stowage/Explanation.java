package stowage;

import java.util.List;

/**
 * What determines a plan's number of nodes, and why replicas are unplaced.
 *
 * @param nodes nodes in use
 * @param nodeBound lower bound on the nodes of any complete plan
 * @param drivers reasons for the number of nodes
 * @param resources use of each resource
 * @param apps the app asked for, or the apps with the most unplaced replicas, at most 100
 * @param overridden placement rules of applications that contradict a rule of the operator, which prevails
 */
public record Explanation(
    long nodes,
    double nodeBound,
    List<Driver> drivers,
    List<ResourceUse> resources,
    List<AppExplanation> apps,
    List<OverriddenRule> overridden) {}
