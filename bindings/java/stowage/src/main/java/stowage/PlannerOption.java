// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

/**
 * An option of a planner.
 *
 * @param name the name
 * @param summary the summary
 * @param defaultNumber the default number
 * @param min the min
 * @param max the max
 */
public record PlannerOption(
    String name,
    String summary,
    double defaultNumber,
    double min,
    double max) {}
