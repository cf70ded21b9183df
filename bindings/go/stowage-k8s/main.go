// Command stowage-k8s plans a Kubernetes cluster from what kubectl prints:
//
//	kubectl get nodes,deployments,statefulsets,pods -A -o json | stowage-k8s
//
// It answers which replicas do not fit and why, how many nodes of which class are needed, and which nodes could be emptied. It
// lists what it cannot take into account. Subcommands ask single questions. As kubectl-stowage it is a plugin of kubectl, and
// asks the cluster itself. The library stowage_k8s reads and answers, as it does for the command `stowage k8s`.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"stowage.dev/go/internal/capi"
	"stowage.dev/go/stowage-k8s/internal/k8s"
)

// Exit codes: 0 = everything fits, 1 = the input cannot be read or planned, 2 = some replicas do not fit, 4 = what is not in the
// input could change that everything fits.
const (
	exitFits = iota
	exitFailure
	exitUnplaced
	exitUncertain = 4
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// request is what the library is asked.
type request struct {
	Arguments []string          `json:"arguments"`
	Files     map[string]string `json:"files,omitempty"`
	Look      bool              `json:"look,omitempty"`
	Read      bool              `json:"read,omitempty"`
	Expand    *expansion        `json:"expand,omitempty"`
}

// wanted is what has to be read for the arguments.
type wanted struct {
	Files, Prices       []string
	Context, Kubeconfig string
	Help                string
}

// asked calls the library.
func asked(ctx context.Context, what request, objects []byte) (answer []byte, code int, err error) {
	text, err := json.Marshal(what)
	if err != nil {
		return nil, exitFailure, err
	}
	answer, code, failed := k8s.Answer(ctx, text, objects)
	switch {
	case failed == nil:
		return answer, code, nil
	case failed.Status == capi.Cancelled && ctx.Err() != nil:
		return nil, exitFailure, ctx.Err()
	case failed.Path != "":
		return nil, exitFailure, fmt.Errorf("%s: %s", failed.Path, failed.Message)
	}
	return nil, exitFailure, errors.New(failed.Message)
}

// priceFiles are the texts of those prices that name files.
func priceFiles(prices []string) (map[string]string, error) {
	files := map[string]string{}
	for _, one := range prices {
		if _, err := os.Stat(one); err != nil {
			continue
		}
		content, err := os.ReadFile(one)
		if err != nil {
			return nil, err
		}
		files[one] = string(content)
	}
	return files, nil
}

func run(ctx context.Context, arguments []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(arguments) > 0 && arguments[0] == "expander" {
		return runService(ctx, arguments[1:], stderr)
	}
	answer, code, err := answerFor(ctx, arguments, stdin)
	if err == nil {
		_, err = stdout.Write(answer)
	}
	if err != nil {
		fmt.Fprintln(stderr, "stowage-k8s:", err)
		return exitFailure
	}
	return code
}

func answerFor(ctx context.Context, arguments []string, stdin io.Reader) ([]byte, int, error) {
	described, _, err := asked(ctx, request{Arguments: arguments, Look: true}, nil)
	if err != nil {
		return nil, exitFailure, err
	}
	var needs wanted
	if err := json.Unmarshal(described, &needs); err != nil {
		return nil, exitFailure, err
	}
	if needs.Help != "" {
		help := strings.ReplaceAll(needs.Help, "stowage k8s", "stowage-k8s")
		return []byte(help + "\nstowage-k8s expander is a gRPC server that tells cluster-autoscaler which node group to grow.\n"), exitFits, nil
	}
	files, err := priceFiles(needs.Prices)
	if err != nil {
		return nil, exitFailure, err
	}
	from := source{files: needs.Files, context: needs.Context, kubeconfig: needs.Kubeconfig}
	objects, err := from.read(ctx, stdin)
	if err != nil {
		return nil, exitFailure, err
	}
	return asked(ctx, request{Arguments: arguments, Files: files, Read: true}, objects)
}
