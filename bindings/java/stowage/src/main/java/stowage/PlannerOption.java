package stowage;

/**
 * An option of a planner.
 *
 * @param name its name
 * @param summary what it does
 * @param defaultNumber default value
 * @param min smallest value
 * @param max largest value
 */
public record PlannerOption(
    String name,
    String summary,
    double defaultNumber,
    double min,
    double max) {}
