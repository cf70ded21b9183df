package main

import (
	"fmt"
	"io"
	"strings"
)

// print writes the answer as text.
func (a *answer) print(out io.Writer) {
	a.printHead(out)
	a.printFit(out)
	a.printAfresh(out)
	a.printConsolidate(out)
	a.printTail(out)
}

func (a *answer) printHead(out io.Writer) {
	fmt.Fprintf(out, "%d nodes, %d workloads with %d replicas\n", a.Nodes, a.Workloads, a.Replicas)
	if a.Broken > 0 {
		fmt.Fprintf(out, "Constraints that are broken by what runs now: %d\n", a.Broken)
	}
}

func (a *answer) printFit(out io.Writer) {
	fmt.Fprintln(out, "\nWhat does not fit on the nodes there are")
	printUnplaced(out, a.Unplaced)
	if len(a.Unplaced) > 0 {
		fmt.Fprintln(out, "\nNodes to add, with all that runs left where it is")
		printNeeds(out, a.Add)
		if len(a.StillUnplaced) > 0 {
			fmt.Fprintln(out, "  and even then does not fit:")
			printUnplaced(out, a.StillUnplaced)
		}
	}
}

func (a *answer) printAfresh(out io.Writer) {
	fmt.Fprintf(out, "\nNodes needed if everything were planned afresh (at least %g)\n", a.Bound)
	printNeeds(out, a.Afresh)
	if a.CostNow != nil {
		fmt.Fprintf(out, "  they cost %.4g per hour; all nodes there are cost %.4g\n", *a.CostAfresh, *a.CostNow)
	}
}

func (a *answer) printConsolidate(out io.Writer) {
	fmt.Fprintln(out, "\nNodes that could be emptied")
	if len(a.Emptied) == 0 {
		fmt.Fprintln(out, "  none")
	} else {
		fmt.Fprintf(out, "  %s, by moving %d replicas\n", strings.Join(a.Emptied, ", "), a.Moves)
	}
	if free := a.Free; free != nil {
		fmt.Fprintf(out, "  %s without pods: %s; %d in use, at least %d\n", free.Label, cmpOr(strings.Join(free.Values, ", "), "none"), free.InUse, free.Bound)
	}
	if len(a.Idle) > 0 {
		fmt.Fprintf(out, "  empty now, but for daemon pods: %s\n", strings.Join(a.Idle, ", "))
	}
	if a.Saved != nil {
		fmt.Fprintf(out, "  without these nodes, %.4g per hour less\n", *a.Saved)
	}
	printLines(out, "Pods that cannot leave their nodes now", a.Held)
}

func (a *answer) printTail(out io.Writer) {
	if len(a.Unmet) > 0 {
		fmt.Fprintln(out, "\nPreferences that are not met on the nodes there are")
		for _, one := range a.Unmet {
			fmt.Fprintf(out, "  %s: %d\n", one.Preference, one.Replicas)
		}
	}
	printLines(out, "Read with care", a.Notes)
	printLines(out, "Not taken into account", a.LeftOut)
}

func printLines(out io.Writer, title string, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintf(out, "\n%s\n  %s\n", title, strings.Join(lines, "\n  "))
	}
}

func printNeeds(out io.Writer, needs []need) {
	if len(needs) == 0 {
		fmt.Fprintln(out, "  none")
	}
	for _, one := range needs {
		fmt.Fprintf(out, "  %d of %s\n", one.Nodes, one.Class)
	}
}

func printUnplaced(out io.Writer, list []unplaced) {
	if len(list) == 0 {
		fmt.Fprintln(out, "  nothing")
	}
	for _, one := range list {
		fmt.Fprintf(out, "  %s: %d of %d replicas\n", one.Workload, one.Replicas, one.Of)
		for _, line := range one.Why {
			fmt.Fprintf(out, "    %s\n", line)
		}
		if len(one.Help) > 0 {
			fmt.Fprintf(out, "    what would help: %s\n", strings.Join(one.Help, ", or "))
		}
	}
}
