// Command stowage-k8s plans a Kubernetes cluster from what kubectl prints:
//
//	kubectl get nodes,deployments,statefulsets,pods -A -o json | stowage-k8s
//
// It answers which replicas do not fit and why, how many nodes of which class are needed, and which nodes could be emptied. It
// lists what it cannot take into account.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

// Exit codes: 0 = everything fits, 1 = the input cannot be read or planned, 2 = some replicas do not fit.
const (
	exitFits = iota
	exitFailure
	exitUnplaced
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(ctx context.Context, arguments []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("stowage-k8s", flag.ContinueOnError)
	flags.SetOutput(stderr)
	planner := flags.String("planner", "auto", "the planner")
	deadline := flags.Duration("deadline", time.Second, "time for each of the (at most four) plans")
	work := flags.Uint64("work", 0, "work units for each plan instead of a time: the same input then gives the same answer on any machine")
	moves := flags.Uint("moves", 1000, "how many running replicas may move to empty nodes")
	asJSON := flags.Bool("json", false, "print JSON")
	prices, err := newPrices()
	if err != nil {
		fmt.Fprintln(stderr, "stowage-k8s:", err)
		return exitFailure
	}
	flags.Func("price", "CLASS=AMOUNT, a file of prices by instance type (CSV or JSON), or default: plan for the least cost, not the fewest nodes", prices.set)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "Usage: kubectl get nodes,deployments,statefulsets,pods -A -o json | stowage-k8s [OPTION]... [FILE]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(arguments); err != nil {
		return exitFailure
	}
	result, err := answerFor(ctx, flags, stdin, options{*planner, *deadline, *work, uint32(*moves), prices})
	if err != nil {
		fmt.Fprintln(stderr, "stowage-k8s:", err)
		return exitFailure
	}
	if *asJSON {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(result); err != nil {
			fmt.Fprintln(stderr, "stowage-k8s:", err)
			return exitFailure
		}
	} else {
		result.print(stdout)
	}
	if len(result.Unplaced) > 0 {
		return exitUnplaced
	}
	return exitFits
}

func answerFor(ctx context.Context, flags *flag.FlagSet, stdin io.Reader, with options) (*answer, error) {
	if flags.NArg() > 1 {
		return nil, fmt.Errorf("one file at most")
	}
	if flags.NArg() == 1 {
		file, err := os.Open(flags.Arg(0))
		if err != nil {
			return nil, err
		}
		defer file.Close()
		stdin = file
	}
	from, err := readObjects(stdin)
	if err != nil {
		return nil, err
	}
	return ask(ctx, from, with)
}
