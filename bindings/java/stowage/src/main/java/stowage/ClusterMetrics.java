// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;

/**
 * The state of the cluster under a plan.
 *
 * @param applications applications that want replicas, and applications that are placed in full. Apps that share a tag that
 *     begins with "appID:" are one application
 * @param applicationsPlaced the applications placed
 * @param nodes nodes that exist, and nodes in use. Of a class without a count, only nodes in use exist
 * @param nodesUsed the nodes used
 * @param fragmentedNodes fragmented nodes (P2, section 7.4): less of some resource is free than the smallest demand for it, and
 *     some resource is not full
 * @param imbalance coefficient of variation of the nodes' peak utilization over periods. Length: resources
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
