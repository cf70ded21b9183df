package stowage_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"testing"

	stowage "stowage.dev/go"
)

// step is a line of session.tsv: a call and its arguments by name.
type step struct {
	t         *testing.T
	arguments map[string]string
}

func (s step) number(name string) uint32 {
	if s.arguments[name] == "" {
		return 0
	}
	return s.word(s.arguments[name])
}

func (s step) word(text string) uint32 {
	value, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		s.t.Fatal(err)
	}
	return uint32(value)
}

func (s step) float(text string) float64 {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return value
}

// parts of a text between separators; none for an empty text.
func parts(text, separator string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, separator)
}

func (s step) floats(name string) []float64 {
	var values []float64
	for _, text := range parts(s.arguments[name], ",") {
		values = append(values, s.float(text))
	}
	return values
}

func (s step) rule() *stowage.Rule {
	rule := &stowage.Rule{Name: s.arguments["name"], Operator: s.arguments["operator"] == "1"}
	if weight, soft := s.arguments["soft"]; soft {
		rule.Soft, rule.Weight = true, s.float(weight)
	}
	for _, conjunction := range parts(s.arguments["any-of"], "|") {
		var allOf []stowage.Cardinality
		for _, condition := range parts(conjunction, "&") {
			part := strings.Split(condition, "/")
			kinds := map[string]stowage.CardinalityKind{
				"replicas": stowage.CountReplicas, "node-sets": stowage.CountNodeSets, "skew": stowage.CountSkew,
			}
			one := stowage.Cardinality{
				Kind: kinds[part[0]], Subject: parts(part[1], "+"), Target: parts(part[2], "+"), Min: s.word(part[3]), Group: part[5],
				Negated: part[6] == "1",
			}
			if part[4] != "-" {
				most := s.word(part[4])
				one.Max = &most
			}
			allOf = append(allOf, one)
		}
		rule.AnyOf = append(rule.AnyOf, allOf)
	}
	return rule
}

var operationKinds = map[string]stowage.OperationKind{
	"submit": stowage.OpSubmit, "scale": stowage.OpScale, "remove": stowage.OpRemove, "pin": stowage.OpPin,
	"add-node": stowage.OpAddNode, "remove-node": stowage.OpRemoveNode, "cordon": stowage.OpCordon, "uncordon": stowage.OpUncordon,
	"drain": stowage.OpDrain, "fail": stowage.OpFail, "load": stowage.OpLoad, "add-rule": stowage.OpAddRule,
	"remove-rule": stowage.OpRemoveRule, "traffic": stowage.OpTraffic,
}

func (s step) operation(kind stowage.OperationKind) stowage.Operation {
	one := stowage.Operation{
		Kind: kind, App: s.arguments["app"], Node: s.arguments["node"], Replicas: s.number("replicas"), Demand: s.floats("demand"),
		Priority: int32(s.number("priority")), Variance: s.floats("variance"), SupportMin: s.floats("support-min"),
		SupportMax: s.floats("support-max"), Tags: parts(s.arguments["tags"], ","), NodeClass: s.arguments["class"],
		Load: s.floats("load"), LoadVariance: s.floats("load-variance"),
	}
	if _, given := s.arguments["kind"]; given {
		kind := s.number("kind")
		one.AppKind = &kind
	}
	one.Peer = s.arguments["peer"]
	if amount := s.floats("amount"); amount != nil {
		one.Amount = amount[0]
	}
	for _, entry := range parts(s.arguments["limits"], ",") {
		app, atMost, _ := strings.Cut(entry, ":")
		one.Limits = append(one.Limits, stowage.LimitOn{App: app, AtMost: s.word(atMost)})
	}
	for _, entry := range parts(s.arguments["sets"], ",") {
		group, set, _ := strings.Cut(entry, ":")
		one.Sets = append(one.Sets, stowage.Membership{Group: group, Set: set})
	}
	if kind == stowage.OpAddRule || kind == stowage.OpRemoveRule {
		one.Rule = s.rule()
	}
	return one
}

func hashOf(bytes []byte) string {
	hash := fnv.New64a()
	hash.Write(bytes)
	return fmt.Sprintf("%016x", hash.Sum64())
}

func commitText(commit *stowage.Commit) string {
	text := "nothing"
	if commit.Committed {
		text = "committed"
	}
	text += fmt.Sprintf(" planned=%d version=%d placed=%d moved=%d ended=%d", commit.PlannedVersion, commit.Version, commit.Placed, commit.Moved, commit.Ended)
	for _, name := range commit.Opened {
		text += " opened=" + name
	}
	for _, one := range commit.Conflicts {
		text += fmt.Sprintf(" %s:%s:%s:%d:%d", one.Kind, one.App, one.Node, one.Wanted, one.Available)
	}
	return text
}

// sessions takes the steps of session.tsv.
type sessions struct {
	session  *stowage.Session
	pending  []stowage.Operation
	plan     *stowage.Plan
	snapshot []byte
}

func (s *sessions) call(name string, one step) (outcome string, err error) {
	version := func() string { return fmt.Sprintf("version %d", s.session.Version()) }
	switch name {
	case "open":
		bytes := s.snapshot
		if instance := one.arguments["instance"]; instance != "" {
			bytes = instanceBytes(one.t, instance)
		}
		if s.session, err = stowage.OpenSession(bytes); err == nil {
			one.t.Cleanup(func() { _ = s.session.Close() })
			outcome = version()
		}
	case "apply":
		operations := s.pending
		s.pending = nil
		if err = s.session.Apply(operations...); err == nil {
			outcome = version()
		}
	case "instance":
		var instance *stowage.Instance
		if instance, err = s.session.Instance(); err == nil {
			defer instance.Close()
			outcome = fmt.Sprintf("%016x", instance.Fingerprint())
		}
	case "plan":
		var plan *stowage.Plan
		plan, err = s.session.Plan(one.t.Context(), stowage.Request{
			Planner: one.arguments["planner"], WorkLimit: uint64(one.number("work")), NodeLimit: one.number("nodes"),
			MoveBudget: one.number("moves"), AllOrNothing: one.number("whole") == 1,
		})
		if err == nil {
			s.plan, outcome = plan, hashOf(plan.Bytes)
		}
	case "commit":
		modes := map[string]stowage.CommitMode{"exact": stowage.CommitExact, "whole": stowage.CommitWhole, "fitting": stowage.CommitFitting}
		var commit *stowage.Commit
		if commit, err = s.session.Commit(s.plan, modes[one.arguments["mode"]]); err == nil {
			outcome = commitText(commit)
		}
	case "reject":
		if err = s.session.Reject(s.plan); err == nil {
			outcome = version()
		}
	case "snapshot":
		if s.snapshot, err = s.session.Snapshot(); err == nil {
			outcome = hashOf(s.snapshot)
		}
	default:
		err = fmt.Errorf("no such call: %s", name)
	}
	return outcome, err
}

func TestSessionConformance(t *testing.T) {
	expected := table(t, "session-expected.tsv")
	rows := table(t, "session.tsv")
	if len(rows) != len(expected) {
		t.Fatalf("%d steps, %d outcomes", len(rows), len(expected))
	}
	var all sessions
	for k, cells := range rows {
		one := step{t, map[string]string{}}
		for _, cell := range cells[1:] {
			name, value, _ := strings.Cut(cell, "=")
			one.arguments[name] = value
		}
		outcome := "-"
		if kind, known := operationKinds[cells[0]]; known {
			all.pending = append(all.pending, one.operation(kind))
		} else {
			var err error
			var failure *stowage.Error
			if outcome, err = all.call(cells[0], one); errors.As(err, &failure) {
				outcome = failure.Status + " " + failure.Path
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if cells[0] != expected[k][0] || outcome != expected[k][1] {
			t.Errorf("step %d, %v: %s, not %s", k+1, cells, outcome, expected[k])
		}
	}
}
