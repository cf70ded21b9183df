package stowage;

import java.util.List;

/**
 * What became of a plan in a session.
 *
 * @param committed whether something of it was taken
 * @param plannedVersion version of the cluster that it was made for
 * @param version version now
 * @param placed replicas that run now and did not before
 * @param moved replicas that run elsewhere now
 * @param ended replicas that ran and wait now
 * @param opened names given to nodes that the plan opened
 * @param conflicts what was not taken
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
