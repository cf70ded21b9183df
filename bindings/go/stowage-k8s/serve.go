package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"stowage.dev/go/stowage-k8s/internal/expanderpb"
)

// mostBytes of a request: 5,000 pods take about 10 MB.
const mostBytes = 256 << 20

// service is the command line of `stowage-k8s expander`.
type service struct {
	planning
	listen, certificate, key string
	plain                    bool
	refresh                  time.Duration
	from                     source
}

// errParsed: the flags have reported what is wrong.
var errParsed = errors.New("flags")

func parseService(arguments []string, stderr io.Writer) (*service, error) {
	with := &service{}
	flags := flag.NewFlagSet("stowage-k8s expander", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&with.listen, "listen", "localhost:7000", "address to listen on")
	flags.StringVar(&with.certificate, "cert", "", "file with the certificate, in PEM")
	flags.StringVar(&with.key, "key", "", "file with its private key, in PEM")
	flags.BoolVar(&with.plain, "plain", false, "listen without TLS; cluster-autoscaler itself requires TLS")
	flags.StringVar(&with.planner, "planner", "auto", "the planner")
	flags.DurationVar(&with.deadline, "deadline", 100*time.Millisecond, "time for the plans of one answer")
	flags.Uint64Var(&with.work, "work", 0, "work units for each plan instead of a time")
	flags.Func("f", "a file with what runs now, as kubectl prints it; may be given several times", func(name string) error {
		with.from.files = append(with.from.files, name)
		return nil
	})
	flags.StringVar(&with.from.context, "context", "", "ask kubectl for what runs now, in this context")
	flags.StringVar(&with.from.kubeconfig, "kubeconfig", "", "ask kubectl for what runs now, with this configuration")
	flags.DurationVar(&with.refresh, "refresh", 10*time.Second, "how often what runs now is read again; 0 = never")
	flags.Func("price", "CLASS=AMOUNT, or a file of prices by instance type (CSV or JSON) in place of the default prices", func(text string) error {
		with.prices = append(with.prices, text)
		return nil
	})
	flags.Usage = func() {
		fmt.Fprint(stderr, "Usage: stowage-k8s expander --cert FILE --key FILE [OPTION]...\n\n"+
			"Serves the gRPC expander protocol of cluster-autoscaler: it answers which node group to grow.\n\nOptions:\n")
		flags.PrintDefaults()
	}
	if err := flags.Parse(arguments); err != nil {
		return nil, errParsed
	}
	switch {
	case flags.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case with.deadline <= 0:
		return nil, errors.New("--deadline: must be above 0")
	case !with.plain && (with.certificate == "" || with.key == ""):
		return nil, errors.New("--cert and --key are needed, or --plain")
	}
	return with, nil
}

func (s *service) knowsWhatRuns() bool {
	return len(s.from.files) > 0 || s.from.context != "" || s.from.kubeconfig != ""
}

// serve listens until the context ends. ready is called with the address once it listens.
func serve(ctx context.Context, with *service, stderr io.Writer, ready func(net.Addr)) error {
	var settings []grpc.ServerOption
	if !with.plain {
		pair, err := tls.LoadX509KeyPair(with.certificate, with.key)
		if err != nil {
			return err
		}
		settings = append(settings, grpc.Creds(credentials.NewServerTLSFromCert(&pair)))
	}
	server := grpc.NewServer(append(settings, grpc.MaxRecvMsgSize(mostBytes), grpc.MaxSendMsgSize(mostBytes))...)
	answers := &expander{planning: with.planning}
	if err := answers.check(ctx); err != nil {
		return err
	}
	if with.knowsWhatRuns() {
		now, err := with.from.read(ctx, nil)
		if err != nil {
			return err
		}
		answers.now.Store(&now)
		if with.refresh > 0 {
			go answers.follow(ctx, with, stderr)
		}
	}
	expanderpb.RegisterExpanderServer(server, answers)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", with.listen)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, server.GracefulStop)()
	if ready != nil {
		ready(listener.Addr())
	}
	return server.Serve(listener)
}

// follow reads what runs now again and again. While it cannot be read, answers rest on what was read last.
func (e *expander) follow(ctx context.Context, with *service, stderr io.Writer) {
	ticker := time.NewTicker(with.refresh)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		now, err := with.from.read(ctx, nil)
		if err != nil && ctx.Err() == nil {
			fmt.Fprintln(stderr, "stowage-k8s: what runs now:", err)
		}
		if err == nil {
			e.now.Store(&now)
		}
	}
}

func runService(ctx context.Context, arguments []string, stderr io.Writer) int {
	with, err := parseService(arguments, stderr)
	if err == nil {
		err = serve(ctx, with, stderr, func(at net.Addr) { fmt.Fprintln(stderr, "stowage-k8s: listening on", at) })
	}
	if err != nil && !errors.Is(err, errParsed) {
		fmt.Fprintln(stderr, "stowage-k8s:", err)
	}
	if err != nil {
		return exitFailure
	}
	return exitFits
}
