package stowage;

import java.util.List;

/**
 * What a session took of a plan.
 *
 * @param committed whether some or all of the plan was taken
 * @param plannedVersion version of the cluster that the plan was made for
 * @param version present version of the cluster
 * @param placed replicas that were pending and run now
 * @param moved replicas that run on another node now
 * @param ended replicas that ran and are pending now
 * @param opened names of the nodes that the plan opened, in the plan's order
 * @param conflicts the parts that were not taken
 */
public record Commit(
    boolean committed,
    long plannedVersion,
    long version,
    long placed,
    long moved,
    long ended,
    List<String> opened,
    List<Conflict> conflicts) {}
