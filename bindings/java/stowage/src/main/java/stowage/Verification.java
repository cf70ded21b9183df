package stowage;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The independent checker's findings on one plan.
 *
 * @param ok whether the plan breaks no constraint that was not already broken at the start
 * @param nodes nodes in use
 * @param placed replicas placed
 * @param unplaced replicas not placed
 * @param cost sum of the prices of the nodes in use, where there are prices
 * @param violationCount number of violations that are new or worse than at the start; {@code violations} lists the first 1000
 * @param inheritedCount number of violations that were there at the start and are no worse
 * @param violations the violations
 * @param utilization of each resource: demand / capacity, both summed over the nodes in use, in the period where it is highest
 * @param ucac used capacity at confidence as {@link Plan#ucac}, recomputed by the checker; empty where no demand is uncertain
 * @param metrics state of the cluster under the plan
 * @param ruleViolations violations of placement rules, hard and soft: the first 1000
 * @param maxCost as {@link Plan#maxCost}, recomputed by the checker
 * @param totalCost as {@link Plan#totalCost}, recomputed by the checker
 * @param nodeMaxCost as {@link Plan#nodeMaxCost}, recomputed by the checker
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
