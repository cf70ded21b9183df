// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.List;
import java.util.OptionalLong;

/**
 * An entry of the catalogue.
 *
 * @param name the name
 * @param summary the summary
 * @param source paper, section, equation
 * @param complexity the complexity
 * @param options the options
 * @param honours features of the model that the planner honours. It refuses an instance that uses any other feature
 * @param defaultDeadlineMs milliseconds after which a run ends where the request has neither a deadline nor a work limit; 0 =
 *     the planner ends by itself
 * @param objectives objectives that the planner pursues: "nodes", "ucac", "worst" and "total" as in {@code Request.objective}.
 *     "soft-rules" says that it also reduces violations of soft placement rules, whatever the request's objective; a planner
 *     without it ignores soft rules
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
