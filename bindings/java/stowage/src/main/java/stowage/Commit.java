// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;

/**
 * What a session took of a plan.
 *
 * @param committed true: some or all of the plan was taken
 * @param plannedVersion version of the cluster that the plan was made for, and present version
 * @param version the version
 * @param placed replicas that were pending and run now; replicas that run on another node now; replicas that ran and are pending
 *     now
 * @param moved the moved
 * @param ended the ended
 * @param opened names of the nodes that the plan opened, in the plan's order
 * @param conflicts the conflicts
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
