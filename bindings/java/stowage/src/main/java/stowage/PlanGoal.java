// Made by scripts/generate-bindings.py from the schemas. Do not edit.
package stowage;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * A goal of {@code Request.goals}.
 *
 * @param what the what
 * @param resource index of the resource, with {@code GoalKind.BALANCE} and {@code GoalKind.EVENNESS}; empty = all
 * @param beside true: counts together with the goal before it, as a sum of values times weights. False: counts after it, among
 *     plans that are equally good by all goals before
 * @param weight what a unit of the value counts beside other goals; above 0
 * @param tolerance by how much later goals may worsen the value, as a share of it. Of goals that count together, the first one
 *     says it
 * @param words in the place of the other fields but {@code beside}: a goal, or several that count together, as people write
 *     them, such as {@code cost~1%}, {@code balance:memory} and {@code cost,moves*0.01}: names with commas between them, each
 *     with its resource or weight if need be, and a tolerance at the end
 */
public record PlanGoal(
    GoalKind what,
    OptionalInt resource,
    boolean beside,
    double weight,
    double tolerance,
    String words) {

  /** {@code what} may be any but {@link GoalKind#UNKNOWN}. */
  public PlanGoal {
    if (what == GoalKind.UNKNOWN) {
      throw new IllegalArgumentException("UNKNOWN cannot be asked for");
    }
    Objects.requireNonNull(what);
    Objects.requireNonNull(resource);
    Objects.requireNonNull(words);
  }

  /** A goal, or several that count together, in {@link #words()}. */
  public static PlanGoal of(String words) {
    return new PlanGoal(GoalKind.COST, OptionalInt.empty(), false, 1, 0, words);
  }

  /** A goal that counts after the one before it, without tolerance. */
  public static PlanGoal of(GoalKind what) {
    return new PlanGoal(what, OptionalInt.empty(), false, 1, 0, "");
  }

  /** The same of one resource, with {@link GoalKind#BALANCE} and {@link GoalKind#EVENNESS}. */
  public PlanGoal withResource(int resource) {
    return new PlanGoal(what, OptionalInt.of(resource), beside, weight, tolerance, words);
  }

  /** The same, counted together with the goal before it. */
  public PlanGoal besideLast() {
    return new PlanGoal(what, resource, true, weight, tolerance, words);
  }

  /** The same with another weight, which is above 0. */
  public PlanGoal withWeight(double weight) {
    return new PlanGoal(what, resource, beside, weight, tolerance, words);
  }

  /** The same, where later goals may worsen the value by this share of it. */
  public PlanGoal withTolerance(double tolerance) {
    return new PlanGoal(what, resource, beside, weight, tolerance, words);
  }
}
