package stowage;

import java.util.List;
import java.util.Optional;

/**
 * What determines a plan's number of nodes, and why replicas are unplaced.
 *
 * @param nodes nodes in use
 * @param nodeBound lower bound on the nodes of any complete plan
 * @param drivers reasons for the number of nodes
 * @param resources use of each resource
 * @param apps the app asked for, or the apps with the most unplaced replicas, at most 100
 * @param overridden placement rules of applications that contradict a rule of the operator, which prevails
 * @param suffering the replica that suffers most from side effects; empty without kinds or without replicas
 */
public record Explanation(
    long nodes,
    double nodeBound,
    List<Driver> drivers,
    List<ResourceUse> resources,
    List<AppExplanation> apps,
    List<OverriddenRule> overridden,
    Optional<Suffering> suffering) {}
