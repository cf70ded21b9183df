// Command stowage-k8s plans a Kubernetes cluster from what kubectl prints:
//
//	kubectl get nodes,deployments,statefulsets,pods -A -o json | stowage-k8s
//
// It answers which replicas do not fit and why, how many nodes of which class are needed, and which nodes could be emptied. It
// lists what it cannot take into account. Subcommands ask single questions. As kubectl-stowage it is a plugin of kubectl, and
// asks the cluster itself.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Exit codes: 0 = everything fits, 1 = the input cannot be read or planned, 2 = some replicas do not fit.
const (
	exitFits = iota
	exitFailure
	exitUnplaced
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// report is what a subcommand answers; it is also printed as JSON.
type report interface {
	print(out io.Writer)
	// fits: nothing is left without a place.
	fits() bool
}

// call is the command line.
type call struct {
	options
	asJSON bool
	from   source
	// operands are the arguments that are no options: nodes of drain, the pod of explain, else a file.
	operands []string
	change   change
}

// subcommand answers one question.
type subcommand struct {
	usage string
	// operands: its operands are no file.
	operands bool
	ask      func(ctx context.Context, from *objects, with *call) (report, error)
}

var subcommands = map[string]subcommand{
	"":            {"everything: fit, nodes and consolidate", false, askAll},
	"fit":         {"what does not fit and why, and nodes to add", false, askFit},
	"nodes":       {"the use of the nodes, and how many of which class are needed", false, askNodes},
	"consolidate": {"which nodes could be emptied, by which moves", false, askConsolidate},
	"drain":       {"drain NODE...: where the pods of these nodes would go", true, askDrain},
	"whatif":      {"with --replicas, --zone-down, --node-down, --add: what does not fit then", false, askWhatIf},
	"explain":     {"explain POD: which nodes take the pod, and why others do not", true, askExplain},
}

func run(ctx context.Context, arguments []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(arguments) > 0 && arguments[0] == "expander" {
		return runService(ctx, arguments[1:], stderr)
	}
	name := ""
	if len(arguments) > 0 {
		if _, known := subcommands[arguments[0]]; known && arguments[0] != "" {
			name, arguments = arguments[0], arguments[1:]
		}
	}
	with, err := parse(name, arguments, stderr)
	var result report
	if err == nil {
		result, err = answerFor(ctx, subcommands[name], with, stdin)
	}
	if err == nil && with.asJSON {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(result)
	} else if err == nil {
		result.print(stdout)
	}
	switch {
	case errors.Is(err, errParsed):
		return exitFailure
	case err != nil:
		fmt.Fprintln(stderr, "stowage-k8s:", err)
		return exitFailure
	case !result.fits():
		return exitUnplaced
	}
	return exitFits
}

// errParsed: the flags have reported what is wrong.
var errParsed = errors.New("flags")

// parse reads the command line, on which options and operands may be mixed.
func parse(name string, arguments []string, stderr io.Writer) (*call, error) {
	with := &call{}
	var err error
	if with.prices, err = newPrices(); err != nil {
		return nil, err
	}
	flags := flag.NewFlagSet("stowage-k8s", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&with.planner, "planner", "auto", "the planner")
	flags.DurationVar(&with.deadline, "deadline", time.Second, "time for each of the (at most four) plans")
	flags.Uint64Var(&with.work, "work", 0, "work units for each plan instead of a time: the same input then gives the same answer on any machine")
	flags.Func("moves", "how many running replicas may move to empty nodes (default 1000)", func(text string) error {
		_, err := fmt.Sscan(text, &with.moves)
		return err
	})
	with.moves = 1000
	flags.StringVar(&with.leaveFree, "leave-free", "", "consolidate: a label of nodes, such as that of racks; as many of its values as possible are left without pods")
	flags.Func("goal", "consolidate: what to make small, such as cost~1%, moves or balance:memory; may be given several times, the most important goal first", func(words string) error {
		if words == "" {
			return errors.New("no goal")
		}
		with.goals = append(with.goals, words)
		return nil
	})
	flags.BoolVar(&with.asJSON, "json", false, "print JSON")
	flags.BoolVar(&with.placements, "placements", false, "with -json: add the plans, node by node")
	flags.Func("f", "a file to read in place of standard input; may be given several times", with.from.addFile)
	flags.Func("price", "CLASS=AMOUNT, a file of prices by instance type (CSV or JSON), or default: plan for the least cost, not the fewest nodes", with.prices.set)
	flags.StringVar(&with.from.context, "context", "", "where kubectl is asked: its context")
	flags.StringVar(&with.from.kubeconfig, "kubeconfig", "", "where kubectl is asked: its configuration")
	if name == "whatif" {
		with.change.flags(flags)
	}
	flags.Usage = func() {
		fmt.Fprint(stderr, "Usage: kubectl get nodes,deployments,statefulsets,pods -A -o json | stowage-k8s [COMMAND] [OPTION]... [FILE]\n\nCommands:\n")
		for _, one := range slices.Sorted(maps.Keys(subcommands)) {
			fmt.Fprintf(stderr, "  %-12s %s\n", cmpOr(one, "(none)"), subcommands[one].usage)
		}
		fmt.Fprintln(stderr, "  expander     a gRPC server that tells cluster-autoscaler which node group to grow; see stowage-k8s expander --help")
		fmt.Fprintln(stderr, "\nOptions:")
		flags.PrintDefaults()
	}
	for rest := arguments; ; {
		if err := flags.Parse(rest); err != nil {
			return nil, errParsed
		}
		if flags.NArg() == 0 {
			return with, nil
		}
		with.operands = append(with.operands, flags.Arg(0))
		rest = flags.Args()[1:]
	}
}

func answerFor(ctx context.Context, asked subcommand, with *call, stdin io.Reader) (report, error) {
	if !asked.operands {
		if len(with.operands) > 1 {
			return nil, fmt.Errorf("one file at most, not %s", strings.Join(with.operands, " "))
		}
		for _, file := range with.operands {
			if err := with.from.addFile(file); err != nil {
				return nil, err
			}
		}
	}
	from, err := with.from.read(ctx, stdin)
	if err != nil {
		return nil, err
	}
	return asked.ask(ctx, from, with)
}
