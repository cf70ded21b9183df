package stowage;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What the independent checker found on one plan.
 *
 * @param ok no constraint is broken that was not broken at the start
 * @param nodes nodes in use
 * @param placed replicas placed
 * @param unplaced replicas not placed
 * @param cost sum of prices, where there are prices
 * @param violationCount new or worsened; all are counted, the first 1000 are listed
 * @param inheritedCount broken before and no worse
 * @param violations what is broken
 * @param utilization highest of each resource over periods, over the nodes in use, as a fraction of capacity
 * @param ucac used capacity at confidence, as {@link Plan#ucac}, counted anew; empty where no demand is uncertain
 * @param metrics how the plan leaves the cluster
 * @param ruleViolations placement rules that do not hold, hard and soft: the first 1000
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
    List<RuleViolation> ruleViolations) {}
