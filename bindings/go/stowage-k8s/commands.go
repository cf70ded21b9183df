package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

func (a *answer) fits() bool { return len(a.Unplaced) == 0 }

func askAll(ctx context.Context, from *objects, with *call) (report, error) {
	return ask(ctx, from, with.options)
}

// askParts answers some parts of the whole.
func askParts(ctx context.Context, from *objects, with *call, parts ...func(*planning) func(context.Context, *answer) error) (*answer, *planning, error) {
	p, err := begin(ctx, from, with.options)
	if err != nil {
		return nil, nil, err
	}
	defer p.instance.Close()
	result := p.newAnswer()
	for _, part := range parts {
		if err := part(p)(ctx, result); err != nil {
			return nil, nil, err
		}
	}
	return result, p, nil
}

func partFit(p *planning) func(context.Context, *answer) error         { return p.fit }
func partAfresh(p *planning) func(context.Context, *answer) error      { return p.afresh }
func partConsolidate(p *planning) func(context.Context, *answer) error { return p.consolidate }

// fitAnswer prints what does not fit and why.
type fitAnswer struct{ *answer }

func askFit(ctx context.Context, from *objects, with *call) (report, error) {
	result, _, err := askParts(ctx, from, with, partFit)
	return fitAnswer{result}, err
}

func (a fitAnswer) print(out io.Writer) {
	a.printHead(out)
	a.printFit(out)
	a.printTail(out)
}

// consolidateAnswer prints which nodes can be emptied, and the moves.
type consolidateAnswer struct{ *answer }

func askConsolidate(ctx context.Context, from *objects, with *call) (report, error) {
	result, _, err := askParts(ctx, from, with, partConsolidate)
	return consolidateAnswer{result}, err
}

func (a consolidateAnswer) fits() bool { return true }

func (a consolidateAnswer) print(out io.Writer) {
	a.printHead(out)
	a.printConsolidate(out)
	if len(a.MoveList) > 0 {
		fmt.Fprintln(out, "\nMoves")
		printMoves(out, a.MoveList)
	}
	printLines(out, "Moves that take several rounds", a.Rounds)
	printLines(out, "Read with care", a.Notes)
	printLines(out, "Not taken into account", a.LeftOut)
}

func printMoves(out io.Writer, moves []move) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  WORKLOAD\tREPLICAS\tFROM\tTO")
	for _, one := range moves {
		fmt.Fprintf(table, "  %s\t%d\t%s\t%s\n", one.Workload, one.Replicas, cmpOr(one.From, "-"), one.To)
	}
	table.Flush()
}

// nodesAnswer is the use of the present nodes as it is, and the nodes needed.
type nodesAnswer struct {
	answer
	Table []nodeRow `json:"table"`
}

// nodeRow is the use of a node by what runs there.
type nodeRow struct {
	Node  string `json:"node"`
	Class string `json:"class"`
	State string `json:"state"`
	// Pods that the plans may place; daemon pods are not among them.
	Pods int `json:"pods"`
	// Used and Capacity by resource, with daemon pods.
	Used     map[string]float64 `json:"used"`
	Capacity map[string]float64 `json:"capacity"`
}

func askNodes(ctx context.Context, from *objects, with *call) (report, error) {
	result, p, err := askParts(ctx, from, with, partFit, partAfresh)
	if err != nil {
		return nil, err
	}
	made := &nodesAnswer{answer: *result, Table: []nodeRow{}}
	for k, one := range p.nodes {
		row := nodeRow{one.name, p.classes[one.class].name, "open", 0, maps.Clone(one.daemon), p.classes[one.class].capacity}
		switch {
		case one.closed:
			row.State = strings.TrimPrefix(strings.TrimPrefix(one.closedBy, "is "), "has the condition ")
		case p.classes[one.class].control:
			row.State = "control plane"
		}
		for _, workload := range p.workloads {
			for range workload.running[k] {
				row.Pods++
				addAmounts(row.Used, workload.requests)
			}
		}
		made.Table = append(made.Table, row)
	}
	return made, nil
}

func (a *nodesAnswer) print(out io.Writer) {
	a.printHead(out)
	fmt.Fprintln(out)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  NODE\tCLASS\tSTATE\tPODS\tCPU\tMEMORY\tOTHER")
	for _, one := range a.Table {
		fmt.Fprintf(table, "  %s\t%s\t%s\t%d\t%s\t%s\t%s\n", one.Node, one.Class, one.State, one.Pods, one.share("cpu"), one.share("memory"), cmpOr(one.others(), "-"))
	}
	table.Flush()
	if len(a.Unplaced) > 0 {
		fmt.Fprintln(out, "\nNodes to add, with all that runs left where it is")
		printNeeds(out, a.Add)
	}
	a.printAfresh(out)
	printLines(out, "Read with care", a.Notes)
	printLines(out, "Not taken into account", a.LeftOut)
}

func (r nodeRow) share(name string) string {
	if r.Capacity[name] == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*r.Used[name]/r.Capacity[name])
}

// others are devices and the like: resources whose names have a domain.
func (r nodeRow) others() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(r.Capacity)) {
		if strings.Contains(name, "/") {
			list = append(list, fmt.Sprintf("%s %g of %g", name, r.Used[name], r.Capacity[name]))
		}
	}
	return strings.Join(list, ", ")
}
