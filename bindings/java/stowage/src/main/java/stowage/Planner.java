package stowage;

import java.util.List;
import java.util.OptionalLong;

/**
 * An entry of the catalogue.
 *
 * @param name for requests
 * @param summary what it does
 * @param source paper, section, equation
 * @param complexity of a run
 * @param options its options
 * @param honours features of the model; an instance that uses another is refused
 * @param defaultDeadlineMs milliseconds after which a planner that would go on ends, where the request has no limit
 * @param objectives what it pursues: {@code "nodes"}, {@code "ucac"}, and {@code "soft-rules"} where it looks at soft
 *     placement rules
 */
public record Planner(
    String name,
    String summary,
    String source,
    String complexity,
    List<PlannerOption> options,
    List<String> honours,
    OptionalLong defaultDeadlineMs,
    List<String> objectives) {}
