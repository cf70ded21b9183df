// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The independent checker's findings on one plan.
 *
 * @param ok the ok
 * @param nodes the nodes
 * @param placed the placed
 * @param unplaced the unplaced
 * @param cost the cost
 * @param violationCount violations that are new or worse than at the start. All are counted, on each copy of a node. {@code
 *     violations} lists the first 1000, where a node and its copies are one entry
 * @param inheritedCount the inherited count
 * @param violations the violations
 * @param utilization highest utilization of each resource over the periods: (load + daemon load + demand) / capacity, both
 *     summed over the nodes in use. Length: resources
 * @param ucac used capacity at confidence as {@code Plan.ucac}, recomputed by the checker; empty where no demand is uncertain
 * @param metrics the metrics
 * @param ruleViolations violations of placement rules, hard and soft: the first 1000
 * @param maxCost as {@code Plan.maxCost}, {@code Plan.totalCost} and {@code Plan.nodeMaxCost}, recomputed by the checker
 * @param totalCost the total cost
 * @param nodeMaxCost the node max cost
 */
public record Verification(
    boolean ok,
    long nodes,
    long placed,
    long unplaced,
    OptionalDouble cost,
    long violationCount,
    long inheritedCount,
    List<Violation> violations,
    List<Double> utilization,
    OptionalDouble ucac,
    ClusterMetrics metrics,
    List<RuleViolation> ruleViolations,
    OptionalDouble maxCost,
    OptionalDouble totalCost,
    List<Double> nodeMaxCost) {}
