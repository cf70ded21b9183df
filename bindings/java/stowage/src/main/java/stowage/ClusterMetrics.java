package stowage;

import java.util.List;

/**
 * The state of the cluster under a plan.
 *
 * @param applications applications that want replicas; apps that share a tag that begins with "appID:" are one application
 * @param applicationsPlaced applications that are placed in full
 * @param nodes nodes that exist; of a class without a count, only nodes in use
 * @param nodesUsed nodes in use
 * @param fragmentedNodes nodes where less of some resource is free than the smallest demand for it, and some resource is not
 *     full (P2, section 7.4)
 * @param imbalance coefficient of variation of the nodes' peak utilization over periods, per resource
 * @param ruleViolations as {@link Plan#ruleViolations}, recounted by the checker
 */
public record ClusterMetrics(
    long applications,
    long applicationsPlaced,
    long nodes,
    long nodesUsed,
    long fragmentedNodes,
    List<Double> imbalance,
    RuleViolations ruleViolations) {}
