package stowage

import (
	"testing"

	"stowage.dev/go/wire"
)

func TestRequestsHaveGoals(t *testing.T) {
	memory := uint32(1)
	goals := []PlanGoal{
		{What: GoalCost, Tolerance: 0.01},
		{What: GoalMoves, Beside: true, Weight: 0.5},
		{What: GoalBalance, Resource: &memory},
		{Words: "balance:memory*0.5,evenness"},
	}
	request := wire.GetRootAsRequest(Request{Planner: "auto", Goals: goals}.bytes(), 0)
	if request.GoalsLength() != len(goals) {
		t.Fatal(request.GoalsLength())
	}
	for k, want := range goals {
		var goal wire.PlanGoal
		request.Goals(&goal, k)
		resource, weight := uint32(NoIndex), 1.0
		if want.Resource != nil {
			resource = *want.Resource
		}
		if want.Weight != 0 {
			weight = want.Weight
		}
		if GoalKind(goal.What()) != want.What || goal.Resource() != resource || goal.Beside() != want.Beside || goal.Weight() != weight || goal.Tolerance() != want.Tolerance ||
			string(goal.Words()) != want.Words {
			t.Errorf("%d: %v", k, want)
		}
	}
	if wire.GetRootAsRequest(Request{Planner: "auto"}.bytes(), 0).GoalsLength() != 0 || GoalSoftRules.String() != "soft-rules" {
		t.Error("without goals")
	}
}
