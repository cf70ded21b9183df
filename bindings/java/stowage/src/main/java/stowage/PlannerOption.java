package stowage;

/**
 * An option of a planner.
 *
 * @param name its name
 * @param summary what it does
 * @param defaultNumber its value where it is not given
 * @param min its least value
 * @param max its largest value
 */
public record PlannerOption(
    String name,
    String summary,
    double defaultNumber,
    double min,
    double max) {}
