package stowage;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Progress of a run.
 *
 * @param phase phase of the run
 * @param cancelled whether the run was cancelled
 * @param done replicas handled in this phase; for planners that improve a plan, work units
 * @param total value of {@code done} at the end of the phase, where it is known
 * @param best nodes in use in the best complete plan so far
 * @param work work units done in all phases
 * @param spent wall-clock time of each phase that has ended
 */
public record Progress(
    Phase phase, boolean cancelled, long done, OptionalLong total, OptionalLong best, long work, Map<Phase, Duration> spent) {}
