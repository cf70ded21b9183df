package stowage;

import java.util.List;

/**
 * What makes a plan as it is.
 *
 * @param nodes nodes in use
 * @param nodeBound fewest nodes of any complete plan
 * @param drivers what drives the number of nodes
 * @param resources by resource
 * @param apps the app asked for, or the (at most 100) with the most unplaced replicas
 * @param overridden placement rules of applications that give way to an operator's
 */
public record Explanation(
    long nodes,
    double nodeBound,
    List<Driver> drivers,
    List<ResourceUse> resources,
    List<AppExplanation> apps,
    List<OverriddenRule> overridden) {}
