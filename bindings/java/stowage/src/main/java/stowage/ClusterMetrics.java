package stowage;

import java.util.List;

/**
 * How a plan leaves the cluster.
 *
 * @param applications those that want replicas; apps that share a tag that begins with "appID:" are one application
 * @param applicationsPlaced those of which nothing is left over
 * @param nodes nodes that exist (of classes without a count: that are used)
 * @param nodesUsed those in use
 * @param fragmentedNodes nodes with less left of some resource than any app needs of it that are not full in all (P2, section 7.4)
 * @param imbalance of each resource: coefficient of variation of the nodes' utilization at their peaks
 * @param ruleViolations as {@link Plan#ruleViolations}, counted anew
 */
public record ClusterMetrics(
    long applications,
    long applicationsPlaced,
    long nodes,
    long nodesUsed,
    long fragmentedNodes,
    List<Double> imbalance,
    RuleViolations ruleViolations) {}
