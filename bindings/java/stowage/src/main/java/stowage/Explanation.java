// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;
import java.util.Optional;

/**
 * What determines a plan's number of nodes, and why replicas are unplaced.
 *
 * @param nodes the nodes
 * @param nodeBound the largest bound of the plan and of those that need no search; 0 where none is known
 * @param drivers the drivers
 * @param resources the resources
 * @param apps the app asked for, or the apps with the most unplaced replicas: at most 100, in descending order
 * @param overridden placement rules of applications that contradict a rule of the operator, which prevails
 * @param suffering empty without an interference table or without replicas
 * @param costBound the same of the cost; 0 without prices, too
 */
public record Explanation(
    long nodes,
    double nodeBound,
    List<Driver> drivers,
    List<ResourceUse> resources,
    List<AppExplanation> apps,
    List<OverriddenRule> overridden,
    Optional<Suffering> suffering,
    double costBound) {}
