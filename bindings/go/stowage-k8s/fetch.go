package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// source is where the objects come from: files, standard input or, where that is a terminal or the program is called as a
// plugin, kubectl.
type source struct {
	files               []string
	context, kubeconfig string
}

// read returns when the context ends, also where nothing comes from standard input.
func (s *source) read(ctx context.Context, stdin io.Reader) ([]byte, error) {
	if len(s.files) == 0 && s.asksKubectl(stdin) {
		return s.fetch(ctx)
	}
	done := make(chan struct{})
	var read []byte
	var failed error
	go func() {
		defer close(done)
		read, failed = s.readFiles(stdin)
	}()
	select {
	case <-done:
		return read, failed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *source) readFiles(stdin io.Reader) ([]byte, error) {
	if len(s.files) == 0 {
		return readFile("-", stdin)
	}
	var all []byte
	for _, name := range s.files {
		content, err := readFile(name, stdin)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = content // most often there is one
			continue
		}
		all = append(append(all, '\n'), content...)
	}
	return all, nil
}

func readFile(name string, stdin io.Reader) ([]byte, error) {
	var content []byte
	var err error
	if name == "-" {
		content, err = io.ReadAll(stdin)
	} else {
		content, err = os.ReadFile(name)
	}
	if err != nil || !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
		return content, err
	}
	if content, err = inflated(content); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return content, nil
}

// inflated is the text of a file that gzip compressed, which may be so many times larger.
func inflated(content []byte) ([]byte, error) {
	most := 1<<26 + 200*int64(len(content))
	from, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("the compressed text is longer than %d bytes", most)
	}
	return text, err
}

// resourceTypes are what the plans are made from, as kubectl names them.
const resourceTypes = "nodes,pods,deployments,statefulsets,daemonsets,replicasets,replicationcontrollers,jobs,cronjobs," +
	"horizontalpodautoscalers,poddisruptionbudgets,persistentvolumes,persistentvolumeclaims,storageclasses,csinodes,priorityclasses," +
	"runtimeclasses,limitranges,namespaces"

func (s *source) asksKubectl(stdin io.Reader) bool {
	if s.context != "" || s.kubeconfig != "" {
		return true
	}
	file, isFile := stdin.(*os.File)
	if !isFile {
		return false
	}
	info, err := file.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	return terminal || strings.HasPrefix(filepath.Base(os.Args[0]), "kubectl-") && (err != nil || info.Mode()&os.ModeNamedPipe == 0 && !info.Mode().IsRegular())
}

// optionalTypes are those that not every cluster has.
var optionalTypes = []string{
	"rollouts.argoproj.io", "resourceclaims.resource.k8s.io", "resourceclaimtemplates.resource.k8s.io", "resourceslices.resource.k8s.io",
	"deviceclasses.resource.k8s.io", "nodepools.karpenter.sh", "podgroups.scheduling.volcano.sh", "podgroups.scheduling.x-k8s.io",
}

// fetch asks kubectl. Types that the cluster does not have, or does not show, are left out if plans can do without.
func (s *source) fetch(ctx context.Context) ([]byte, error) {
	content, err := s.get(ctx, resourceTypes)
	if err != nil {
		return nil, err
	}
	for _, name := range optionalTypes {
		if more, err := s.get(ctx, name); err == nil {
			content = append(content, more...)
		}
	}
	return content, nil
}

func (s *source) get(ctx context.Context, types string) ([]byte, error) {
	arguments := []string{"get", types, "--all-namespaces", "--output=json"}
	if s.context != "" {
		arguments = append(arguments, "--context="+s.context)
	}
	if s.kubeconfig != "" {
		arguments = append(arguments, "--kubeconfig="+s.kubeconfig)
	}
	kubectl := exec.CommandContext(ctx, "kubectl", arguments...)
	var wrong bytes.Buffer
	kubectl.Stderr = &wrong
	content, err := kubectl.Output()
	if err != nil {
		return nil, fmt.Errorf("kubectl get %s: %w %s", types, err, bytes.TrimSpace(wrong.Bytes()))
	}
	return content, nil
}
