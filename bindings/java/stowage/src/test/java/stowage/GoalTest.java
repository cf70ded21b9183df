package stowage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class GoalTest {
  private static final long ALL = 4294967295L;

  private static void assertGoal(
      stowage.wire.PlanGoal goal, GoalKind what, long resource, boolean beside, double weight, double tolerance) {
    assertEquals(what.ordinal(), goal.what());
    assertEquals(resource, goal.resource());
    assertEquals(beside, goal.beside());
    assertEquals(weight, goal.weight());
    assertEquals(tolerance, goal.tolerance());
  }

  @Test
  void requestsHaveGoalsInTheirOrder() {
    Request request =
        Request.builder("auto")
            .goal(PlanGoal.of(GoalKind.COST).withTolerance(0.01))
            .goal(PlanGoal.of(GoalKind.MOVES).besideLast().withWeight(0.5))
            .goal(PlanGoal.of(GoalKind.BALANCE).withResource(1))
            .goal(GoalKind.SOFT_RULES)
            .goal("moves,evenness*0.5~1%")
            .build();
    stowage.wire.Request read = stowage.wire.Request.getRootAsRequest(request.encode());
    assertEquals(5, read.goalsLength());
    assertGoal(read.goals(0), GoalKind.COST, ALL, false, 1, 0.01);
    assertGoal(read.goals(1), GoalKind.MOVES, ALL, true, 0.5, 0);
    assertGoal(read.goals(2), GoalKind.BALANCE, 1, false, 1, 0);
    assertGoal(read.goals(3), GoalKind.SOFT_RULES, ALL, false, 1, 0);
    assertEquals("moves,evenness*0.5~1%", read.goals(4).words());
    Request replaced = Request.builder("auto").goal(GoalKind.COST).goals(List.of(PlanGoal.of(GoalKind.NODES))).build();
    assertEquals(1, stowage.wire.Request.getRootAsRequest(replaced.encode()).goalsLength());
    assertEquals(0, stowage.wire.Request.getRootAsRequest(Request.of("auto").encode()).goalsLength());
  }

  @Test
  void unknownKindsCannotBeAskedFor() {
    assertThrows(IllegalArgumentException.class, () -> PlanGoal.of(GoalKind.UNKNOWN));
    assertThrows(NullPointerException.class, () -> Request.builder("auto").goal((PlanGoal) null));
  }
}
