//go:build stowage_text

package stowage_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	stowage "stowage.dev/go"
	"stowage.dev/go/internal/heap"
)

func shop(t testing.TB) []byte {
	t.Helper()
	json, err := os.ReadFile("../../capi/cli/examples/shop.json")
	if err != nil {
		t.Fatal(err)
	}
	instance, err := stowage.InstanceFromJSON(json)
	if err != nil {
		t.Fatal(err)
	}
	return instance
}

func TestJSON(t *testing.T) {
	content := shop(t)
	// The conformance set has the same instance, as the command converts it.
	if !bytes.Equal(content, instanceBytes(t, "shop")) {
		t.Error("not the bytes of the command")
	}
	json, err := stowage.InstanceToJSON(content)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := stowage.InstanceFromJSON(json); err != nil || !bytes.Equal(again, content) {
		t.Errorf("back from JSON: %v", err)
	}
	instance, err := stowage.Load(content)
	if err != nil {
		t.Fatal(err)
	}
	defer instance.Close()
	plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", NodeLimit: 5})
	if err != nil {
		t.Fatal(err)
	}
	if json, err = stowage.PlanToJSON(content, plan); err != nil || !strings.Contains(string(json), `{"name": "old-1", "class": "medium"`) {
		t.Errorf("plan as JSON: %s, %v", json, err)
	}
	again, err := stowage.PlanFromJSON(content, json)
	if err != nil || again.Instance != plan.Instance || len(again.Placements) != len(plan.Placements) {
		t.Errorf("plan from JSON: %v, %v", again, err)
	}
	told, err := stowage.PlanToText(content, plan, 2)
	if err != nil || !strings.HasPrefix(told, "Buy ") || !strings.Contains(told, "more node") {
		t.Errorf("plan in words: %s, %v", told, err)
	}
	if page, err := stowage.PlanToHTML(content, plan); err != nil || !strings.HasPrefix(string(page), "<!doctype html>") ||
		!strings.Contains(string(page), "<h1>Buy ") {
		t.Errorf("page: %s, %v", page, err)
	}
	if picture, err := stowage.PlanToSVG(content, plan); err != nil || !strings.HasPrefix(string(picture), "<svg ") {
		t.Errorf("picture: %s, %v", picture, err)
	}
	if _, err := stowage.PlanToSVG(content[:8], plan); !errors.Is(err, stowage.ErrMalformed) {
		t.Errorf("of a cut instance: %v", err)
	}
	explanation, err := instance.Explain(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	words, err := stowage.ExplanationToText(content, plan, explanation)
	if err != nil || !strings.HasPrefix(words, "5 nodes in use, cost 6.1; no complete plan costs less than 7.7\n") ||
		!strings.Contains(words, "to place one more: add ") {
		t.Errorf("explanation: %s, %v", words, err)
	}
}

func TestJSONIsRefused(t *testing.T) {
	const head = `{"stowage": 1, "resources": {"cpu": "cores"}, "classes": [{"capacity": {"cpu": 4}}], "apps": `
	for _, one := range []struct {
		json, path, message string
		kind                error
	}{
		{"", "", "not well-formed JSON", stowage.ErrMalformed},
		{head + `[}`, "", "line 1, column", stowage.ErrMalformed},
		{head + `[{"demand": {"cpu": -1}}]}`, "apps[0].demand.cpu", "must not be negative", stowage.ErrInvalid},
		{head + `[{"demand": {"cpu": [1, 2]}}], "periods": 2}`, "apps.demand", "more memory", stowage.ErrLimitExceeded},
	} {
		content, err := stowage.InstanceFromJSONWithin([]byte(one.json), stowage.Limits{Memory: 8})
		var failure *stowage.Error
		if content != nil || !errors.Is(err, one.kind) || !errors.As(err, &failure) || failure.Path != one.path ||
			!strings.Contains(failure.Message, one.message) {
			t.Errorf("%q: %v", one.json, err)
		}
	}
	// What is equal in all periods is stated once.
	flat, err := stowage.InstanceFromJSON([]byte(head + `[{"demand": {"cpu": 1}}], "periods": 4294967295}`))
	if err != nil || len(flat) > 1000 {
		t.Errorf("%d bytes: %v", len(flat), err)
	}
	if _, err := stowage.InstanceFromJSONWithin([]byte(head+"[]}"), stowage.Limits{Bytes: 10}); !errors.Is(err, stowage.ErrLimitExceeded) {
		t.Errorf("a text above the limit: %v", err)
	}
	if _, err := stowage.InstanceToJSON(nil); !errors.Is(err, stowage.ErrMalformed) {
		t.Errorf("no instance: %v", err)
	}
	if _, err := stowage.PlanFromJSON(shop(t), []byte(`{"planner": "", "nodes": [{"class": "huge"}]}`)); !errors.Is(err, stowage.ErrInvalid) {
		t.Errorf("a plan with another class: %v", err)
	}
	if _, err := stowage.PlanToJSON(shop(t), &stowage.Plan{Bytes: []byte("STOP")}); !errors.Is(err, stowage.ErrMalformed) {
		t.Errorf("no plan: %v", err)
	}
}

func TestOperationsOfJSON(t *testing.T) {
	content := shop(t)
	session, err := stowage.OpenSession(content)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	apply := func(instance []byte, json string) {
		t.Helper()
		operations, err := stowage.OperationsFromJSON(instance, []byte(json))
		if err != nil {
			t.Fatal(err)
		}
		if err = session.ApplyBytes(operations); err != nil {
			t.Fatal(err)
		}
	}
	apply(content, `[{"op": "submit", "app": "mail", "replicas": 2, "demand": {"cpu": ["500m", 1, 1, 1], "memory": "2Gi"}},
		{"op": "add-node", "node": "new-1", "class": "large"}, {"op": "cordon", "node": "new-1"}]`)
	snapshot, err := session.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	apply(snapshot, `{"op": "scale", "app": "mail", "replicas": 7}`)
	apply(snapshot, `{"op": "batch", "operations": [{"op": "remove", "app": "cache"}]}`)
	if snapshot, err = session.Snapshot(); err != nil {
		t.Fatal(err)
	}
	json, err := stowage.InstanceToJSON(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"name": "mail", "replicas": 7, "demand": {"cpu": [0.5, 1, 1, 1], "memory": 2}`,
		`"name": "new-1", "class": "large", "closed": true`,
	} {
		if !strings.Contains(string(json), part) {
			t.Errorf("%s is not in %s", part, json)
		}
	}
	if strings.Contains(string(json), `"name": "cache"`) {
		t.Error("a removed app is there")
	}
}

func TestOperationsOfJSONAreRefused(t *testing.T) {
	content := shop(t)
	for _, one := range []struct {
		json, path, message string
		kind                error
	}{
		{"", "", "not well-formed JSON", stowage.ErrMalformed},
		{`[{"op": "cordon", "node": "old-1"}`, "", "line 1, column", stowage.ErrMalformed},
		{`[{"op": "cordon", "node": "old-1"}, {"op": "scale", "app": "cache", "replicas": "5"}]`, "[1].replicas", "whole number", stowage.ErrInvalid},
		{`[{"op": "scale", "app": "cache", "replica": 5}]`, "[0].replica", "did you mean", stowage.ErrInvalid},
		{`{"op": "plan"}`, "op", "there is no operation", stowage.ErrInvalid},
	} {
		operations, err := stowage.OperationsFromJSON(content, []byte(one.json))
		var failure *stowage.Error
		if operations != nil || !errors.Is(err, one.kind) || !errors.As(err, &failure) || failure.Path != one.path ||
			!strings.Contains(failure.Message, one.message) {
			t.Errorf("%q: %v", one.json, err)
		}
	}
	if _, err := stowage.OperationsFromJSON(nil, []byte("[]")); !errors.Is(err, stowage.ErrMalformed) {
		t.Errorf("no instance: %v", err)
	}
	if _, err := stowage.OperationsFromJSONWithin(content, []byte("[]"), stowage.Limits{Apps: 1}); !errors.Is(err, stowage.ErrLimitExceeded) {
		t.Errorf("an instance above the limits: %v", err)
	}
}

func TestJSONLeaksNothing(t *testing.T) {
	content := shop(t)
	round := func() {
		json, err := stowage.InstanceToJSON(content)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = stowage.InstanceFromJSON(json); err != nil {
			t.Fatal(err)
		}
		if _, err = stowage.InstanceFromJSON(json[:len(json)/2]); err == nil {
			t.Fatal("half an instance is read")
		}
		if _, err = stowage.OperationsFromJSON(content, []byte(`[{"op": "remove", "app": "cache"}]`)); err != nil {
			t.Fatal(err)
		}
		if _, err = stowage.OperationsFromJSON(content, []byte(`[{"op": "remove", "app": "cache"}, {"op": "scale"}]`)); err == nil {
			t.Fatal("half an operation is read")
		}
	}
	for range 20 {
		round()
	}
	before := heap.InUse()
	for range 500 {
		round()
	}
	if after := heap.InUse(); after > before+64<<10 {
		t.Errorf("%d bytes more than before", after-before)
	}
}
