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
 * @param honours features of the model that the planner honours; it refuses an instance that uses any other feature
 * @param defaultDeadlineMs milliseconds after which a run ends where the request has neither a deadline nor a work limit
 * @param objectives objectives that the planner pursues: {@code "nodes"}, {@code "ucac"}, {@code "worst"}, {@code "total"}, {@code "admitted"}, {@code "traffic"}; and
 *     {@code "soft-rules"} where it also reduces violations of soft placement rules
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
