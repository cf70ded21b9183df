package stowage;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a run has done so far.
 *
 * @param phase what it is busy with
 * @param cancelled whether it was cancelled
 * @param done replicas handled in this phase, or work units for planners that improve
 * @param total of so many, where it is known
 * @param best nodes of the best complete plan so far
 * @param work work units done in all
 * @param spent wall-clock time in each phase that has ended
 */
public record Progress(
    Phase phase, boolean cancelled, long done, OptionalLong total, OptionalLong best, long work, Map<Phase, Duration> spent) {}
