package stowage;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Progress of a run.
 *
 * @param phase phase of the run
 * @param cancelled whether the run was cancelled
 * @param done how far the phase has come: replicas or nodes handled; while a plan is improved, work units of the work limit, else
 *     milliseconds of the deadline
 * @param total value of {@code done} at the end of the phase, where it is known
 * @param best nodes in use in the best plan so far
 * @param value what the objective minimizes, in the best plan so far, where it is known
 * @param leftOver replicas that the best plan so far leaves over
 * @param work work units done in all phases
 * @param spent wall-clock time of each phase that has ended
 */
public record Progress(
    Phase phase,
    boolean cancelled,
    long done,
    OptionalLong total,
    OptionalLong best,
    OptionalDouble value,
    long leftOver,
    long work,
    Map<Phase, Duration> spent) {}
