package stowage_test

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"

	stowage "stowage.dev/go"
)

func requestOf(t *testing.T, cells []string) stowage.Request {
	number := func(cell string) uint64 {
		value, err := strconv.ParseUint(cell, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	request := stowage.Request{
		Planner: cells[1], Seed: number(cells[2]), WorkLimit: number(cells[3]), Threads: uint32(number(cells[4])),
		NodeLimit: uint32(number(cells[5])), IgnoreRunning: cells[6] == "1", MoveBudget: uint32(number(cells[7])),
		AllOrNothing: cells[9] == "1", Compact: cells[10] == "1", Fill: cells[13] == "1",
	}
	for _, policy := range []stowage.SoftPolicy{stowage.SoftFirst, stowage.SoftLast, stowage.SoftPrice} {
		if policy.String() == cells[11] {
			request.Soft = policy
		}
	}
	if cells[14] == "admitted" {
		request.Objective = stowage.MostAdmitted
	}
	if cells[15] != "-" {
		for pair := range strings.SplitSeq(cells[15], ",") {
			app, replicas, _ := strings.Cut(pair, ":")
			request.Keep = append(request.Keep, stowage.Kept{App: uint32(number(app)), Replicas: uint32(number(replicas))})
		}
	}
	if cells[16] != "-" {
		request.Survive = cells[16]
	}
	if cells[17] != "-" {
		request.LeaveFree = cells[17]
	}
	if cells[18] != "-" {
		for one := range strings.SplitSeq(cells[18], ",") {
			request.Goals = append(request.Goals, goalOf(t, one))
		}
	}
	price, err := strconv.ParseFloat(cells[12], 64)
	if err != nil {
		t.Fatal(err)
	}
	request.SoftPrice = price
	if name, value, found := strings.Cut(cells[8], "="); found {
		amount, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		request.Options = map[string]float64{name: amount}
	}
	return request
}

// goalOf reads WORD:RESOURCE:BESIDE:WEIGHT:TOLERANCE.
func goalOf(t *testing.T, cell string) (goal stowage.PlanGoal) {
	parts := strings.Split(cell, ":")
	for goal.What.String() != parts[0] {
		goal.What++
	}
	if parts[1] != "-" {
		index, err := strconv.ParseUint(parts[1], 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		resource := uint32(index)
		goal.Resource = &resource
	}
	goal.Beside = parts[2] == "1"
	for k, to := range []*float64{&goal.Weight, &goal.Tolerance} {
		var err error
		if *to, err = strconv.ParseFloat(parts[3+k], 64); err != nil {
			t.Fatal(err)
		}
	}
	return goal
}

func outcomeOf(t *testing.T, instance *stowage.Instance, request stowage.Request) string {
	plan, err := instance.Plan(t.Context(), request)
	var failure *stowage.Error
	if errors.As(err, &failure) {
		return failure.Status + " " + failure.Path
	}
	if err != nil {
		t.Fatal(err)
	}
	return hashOf(plan.Bytes)
}

func TestConformance(t *testing.T) {
	expected := map[string]map[string]string{}
	for _, row := range table(t, "expected.tsv") {
		if expected[row[0]] == nil {
			expected[row[0]] = map[string]string{}
		}
		expected[row[0]][row[1]] = row[2]
	}
	requests := table(t, "requests.tsv")
	for name, outcomes := range expected {
		t.Run(name, func(t *testing.T) {
			instance, err := stowage.Load(instanceBytes(t, name))
			if err != nil {
				t.Fatal(err)
			}
			defer instance.Close()
			found := map[string]string{"fingerprint": fmt.Sprintf("%016x", instance.Fingerprint())}
			for _, cells := range requests {
				found[cells[0]] = outcomeOf(t, instance, requestOf(t, cells))
			}
			if !maps.Equal(found, outcomes) {
				t.Errorf("outcomes are\n%v\nnot\n%v", found, outcomes)
			}
		})
	}
	t.Run("the builder comes to the same fingerprints", func(t *testing.T) {
		for name, builder := range map[string]*stowage.Builder{"small": small(), "racks": racks()} {
			if found := fmt.Sprintf("%016x", build(t, builder).Fingerprint()); found != expected[name]["fingerprint"] {
				t.Errorf("%s: %s is not %s", name, found, expected[name]["fingerprint"])
			}
		}
	})
}
