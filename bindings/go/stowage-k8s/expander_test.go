package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"stowage.dev/go/stowage-k8s/internal/expanderpb"
)

func amounts(cores, gib string) corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse(cores), corev1.ResourceMemory: resource.MustParse(gib + "Gi"), corev1.ResourcePods: resource.MustParse("110"),
	}
}

// machine is a node, or what a new one would be.
func machine(name, kind, zone string, size corev1.ResourceList) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelInstanceTypeStable: kind, corev1.LabelTopologyZone: zone, corev1.LabelHostname: name,
		}},
		Status: corev1.NodeStatus{Allocatable: size},
	}
}

// replicas are pods of one replica set, on a node or, without one, pending.
func replicas(set string, from, count int, node string, asks corev1.ResourceList, change func(*corev1.PodSpec)) (pods []*corev1.Pod) {
	yes := true
	delete(asks, corev1.ResourcePods)
	for k := range count {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: fmt.Sprintf("%s-%d", set, from+k), Labels: map[string]string{"app": set},
			OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", Name: set, Controller: &yes}},
		}}
		pod.Spec.NodeName = node
		pod.Spec.Containers = []corev1.Container{{Name: "main", Resources: corev1.ResourceRequirements{Requests: asks}}}
		if change != nil {
			change(&pod.Spec)
		}
		pods = append(pods, pod)
	}
	return pods
}

// question builds a request as clients before Kubernetes 1.35 write it or, if later, as those after it do.
type question struct {
	later   bool
	request expanderpb.BestOptionsRequest
}

func (q *question) group(t testing.TB, name string, node *corev1.Node, count int32, pods ...*corev1.Pod) {
	t.Helper()
	option := &expanderpb.Option{NodeGroupId: name, NodeCount: count}
	for _, pod := range pods {
		content, err := pod.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if q.later {
			option.PodBytes = append(option.PodBytes, content)
		} else {
			option.Pod = append(option.Pod, content)
		}
	}
	content, err := node.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	nodes := &q.request.NodeMap
	if q.later {
		nodes = &q.request.NodeBytesMap
	}
	if *nodes == nil {
		*nodes = map[string][]byte{}
	}
	(*nodes)[name] = content
	q.request.Options = append(q.request.Options, option)
}

// certificate writes a certificate for this machine, and returns its files.
func certificate(t testing.TB) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	content, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, content []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", content), write("key.pem", "EC PRIVATE KEY", secret)
}

// client starts `stowage-k8s expander` with these arguments and connects to it by TLS, as cluster-autoscaler does.
func client(t testing.TB, arguments ...string) expanderpb.ExpanderClient {
	t.Helper()
	trusted, key := certificate(t)
	with, err := parseService(append(arguments, "--listen", "localhost:0", "--cert", trusted, "--key", key), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended, at := make(chan error, 1), make(chan net.Addr, 1)
	go func() { ended <- serve(ctx, with, os.Stderr, func(address net.Addr) { at <- address }) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	var address net.Addr
	select {
	case address = <-at:
	case err := <-ended:
		ended <- nil
		t.Fatal(err)
	}
	trust, err := credentials.NewClientTLSFromFile(trusted, "")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(address.String())
	connection, err := grpc.NewClient("localhost:"+port, grpc.WithTransportCredentials(trust), grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(mostBytes)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	return expanderpb.NewExpanderClient(connection)
}

// names of the groups in an answer.
func names(answer *expanderpb.BestOptionsResponse) string {
	var all []string
	for _, one := range answer.GetOptions() {
		all = append(all, one.GetNodeGroupId())
	}
	return strings.Join(all, " ")
}

const byWork = "--work=20000"

// Only "dear" takes the three pods of "pinned", which need its label; both groups take the six of "web". A dear node holds three
// pods, a cheap one two. First dear: 3 dear nodes for all nine pods, 3 x 0.384 = 1.152. First cheap: 3 cheap nodes for web, and one
// dear node for pinned, 3 x 0.096 + 0.384 = 0.672.
func TestTheOptionAfterWhichEverythingCostsLeast(t *testing.T) {
	for _, later := range []bool{false, true} {
		q := question{later: later}
		dear, cheap := machine("", "m5.2xlarge", "a", amounts("8", "32")), machine("", "m5.large", "a", amounts("2", "8"))
		dear.Labels["disk"] = "fast"
		pinned := replicas("pinned", 0, 3, "", amounts("2.5", "1"), func(spec *corev1.PodSpec) { spec.NodeSelector = map[string]string{"disk": "fast"} })
		web := replicas("web", 0, 6, "", amounts("1", "1"), nil)
		big := replicas("large", 0, 1, "", amounts("0.1", "9"), nil)
		q.group(t, "dear", dear, 3, append(append(pinned, web...), big...)...)
		q.group(t, "cheap", cheap, 3, web...)
		answer, err := client(t, byWork).BestOptions(t.Context(), &q.request)
		if err != nil || names(answer) != "cheap" {
			t.Fatalf("%s, %v", names(answer), err)
		}
		if text := answer.Options[0].Debug; text != "3 nodes for 6 pods; with these, all pending pods cost 0.672 per hour" {
			t.Error(text)
		}
	}
}

// Two groups of the same machines: what they lead to is the same.
func TestEqualGroupsAreReturnedTogether(t *testing.T) {
	q := question{}
	web := replicas("web", 0, 4, "", amounts("1", "1"), nil)
	q.group(t, "one", machine("", "m5.large", "a", amounts("2", "8")), 2, web...)
	q.group(t, "two", machine("", "m5.large", "a", amounts("2", "8")), 2, web...)
	answer, err := client(t, byWork).BestOptions(t.Context(), &q.request)
	if err != nil || names(answer) != "one two" {
		t.Errorf("%s, %v", names(answer), err)
	}
}

// Machines without a known price: a core costs 0.03, and a GiB 0.0045. The six pods need 3 small nodes, 3 x (0.06 + 0.036), or one
// large one, 0.48 + 0.288.
func TestPricesAreEstimatedWhereSomeAreMissing(t *testing.T) {
	q := question{}
	web := replicas("web", 0, 6, "", amounts("1", "1"), nil)
	q.group(t, "large", machine("", "own.large", "a", amounts("16", "64")), 1, web...)
	q.group(t, "small", machine("", "m5.large", "a", amounts("2", "8")), 3, web...)
	answer, err := client(t, byWork).BestOptions(t.Context(), &q.request)
	if err != nil || names(answer) != "small" || !strings.HasSuffix(answer.Options[0].Debug, "cost 0.288 per hour (prices are estimated)") {
		t.Errorf("%v, %v", answer, err)
	}
}

// What runs counts: two replicas run in zone a, so that the third has to be in zone b, where a node is dearer. One more replica has
// room on a present node, and needs none.
func TestWhatRunsDecidesWhereTheSpreadLeads(t *testing.T) {
	spread := func(spec *corev1.PodSpec) {
		spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}},
		}}
	}
	now := &objects{}
	now.nodes = []corev1.Node{
		*machine("a1", "m5.large", "a", amounts("2", "8")), *machine("b1", "m5.large", "b", amounts("1", "8")),
	}
	for _, pod := range append(replicas("web", 0, 2, "a1", amounts("1", "1"), spread), replicas("web", 2, 1, "b1", amounts("1", "1"), spread)...) {
		now.pods = append(now.pods, *pod)
	}
	pending := replicas("web", 3, 1, "", amounts("1", "1"), spread)
	q := question{}
	q.group(t, "a", machine("", "m5.large", "a", amounts("2", "8")), 1, pending...)
	q.group(t, "b", machine("", "m5.2xlarge", "b", amounts("8", "32")), 1, pending...)
	server := &expander{planning: planning{planner: "auto", work: 20000}}
	for _, one := range []struct {
		now  *objects
		want string
	}{{nil, "a"}, {now, "b"}} {
		server.now.Store(nil)
		if one.now != nil {
			text := one.now.text()
			server.now.Store(&text)
		}
		answer, err := server.BestOptions(t.Context(), &q.request)
		if err != nil || names(answer) != one.want {
			t.Errorf("%s instead of %s, %v", names(answer), one.want, err)
		}
	}
}

// Of the pods of the option, one runs by now, one belongs to a daemon set, one has ended and one is given twice: two wait.
func TestPodsThatDoNotWaitDecideNothing(t *testing.T) {
	web := replicas("web", 0, 3, "", amounts("1", "1"), nil)
	daemon := replicas("agent", 0, 1, "", amounts("1", "1"), nil)[0]
	daemon.OwnerReferences[0].Kind = "DaemonSet"
	ended := replicas("job", 0, 1, "", amounts("1", "1"), nil)[0]
	ended.Status.Phase = corev1.PodSucceeded
	now := &objects{nodes: []corev1.Node{*machine("a1", "m5.large", "a", amounts("1", "8"))}}
	now.pods = []corev1.Pod{*replicas("web", 0, 1, "a1", amounts("1", "1"), nil)[0]}
	q := question{}
	q.group(t, "a", machine("", "m5.large", "a", amounts("2", "8")), 1, append(web, daemon, ended, web[2])...)
	server := &expander{planning: planning{planner: "auto", work: 20000}}
	text := now.text()
	server.now.Store(&text)
	answer, err := server.BestOptions(t.Context(), &q.request)
	if err != nil || names(answer) != "a" || !strings.Contains(answer.Options[0].Debug, "cost 0.096 per hour") {
		t.Errorf("%v, %v", answer, err)
	}
}

func TestBadQuestionsAreRefused(t *testing.T) {
	serve := client(t, byWork)
	node := machine("", "m5.large", "a", amounts("2", "8"))
	web := replicas("web", 0, 1, "", amounts("1", "1"), nil)
	for _, one := range []struct {
		change func(*question)
		code   codes.Code
		text   string
	}{
		{func(q *question) { q.group(t, "g", node, 0, web...) }, codes.InvalidArgument, "options[0].nodeCount"},
		{func(q *question) { q.group(t, "g", node, -1, web...) }, codes.InvalidArgument, "options[0].nodeCount"},
		{func(q *question) { q.group(t, "g", node, 1, web...); q.group(t, "g", node, 1, web...) }, codes.InvalidArgument, "twice"},
		{func(q *question) { q.group(t, "g", node, 1, web...); q.request.NodeMap = nil }, codes.InvalidArgument, `no node of the group "g"`},
		{func(q *question) { q.group(t, "g", node, 1, web...); q.request.NodeMap["g"] = []byte{7, 7} }, codes.InvalidArgument, "the node of the group"},
		{func(q *question) { q.group(t, "g", node, 1, web...); q.request.Options[0].Pod[0] = []byte{255} }, codes.InvalidArgument, "options[0].pod[0]"},
		{func(q *question) { q.group(t, "g", node, 1) }, codes.FailedPrecondition, "no option places a pod"},
		{func(*question) {}, codes.FailedPrecondition, "no option places a pod"},
	} {
		q := question{}
		one.change(&q)
		_, err := serve.BestOptions(t.Context(), &q.request)
		if status.Code(err) != one.code || !strings.Contains(err.Error(), one.text) {
			t.Errorf("%v instead of %v with %q", err, one.code, one.text)
		}
	}
	q := question{}
	q.group(t, "g", node, 1, web...)
	if answer, err := serve.BestOptions(t.Context(), &q.request); err != nil || names(answer) != "g" {
		t.Errorf("after these: %v, %v", answer, err)
	}
}

func TestTheServersArguments(t *testing.T) {
	for _, one := range []struct{ arguments, text string }{
		{"", "--cert and --key are needed"},
		{"--plain here", `unexpected argument "here"`},
		{"--plain --deadline 0s", "--deadline"},
		{"--cert missing.pem --key missing.pem", "missing.pem"},
		{"--plain -f missing.json", "missing.json"},
	} {
		var told bytes.Buffer
		code := run(t.Context(), append([]string{"expander"}, strings.Fields(one.arguments)...), nil, &told, &told)
		if code != exitFailure || !strings.Contains(told.String(), one.text) {
			t.Errorf("%q: %d, %s", one.arguments, code, told.String())
		}
	}
}

// FuzzBestOptions: bytes that are no question give a status, never a panic; an answer has only options of the question.
func FuzzBestOptions(f *testing.F) {
	server := &expander{planning: planning{planner: "auto", work: 2000}}
	for _, later := range []bool{false, true} {
		q := question{later: later}
		web := replicas("web", 0, 2, "", amounts("1", "1"), nil)
		q.group(f, "small", machine("", "m5.large", "a", amounts("2", "8")), 1, web...)
		q.group(f, "own", machine("", "own", "b", amounts("8", "32")), 1, web[:1]...)
		content, err := proto.Marshal(&q.request)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
		f.Add(content[:len(content)-9])
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		var request expanderpb.BestOptionsRequest
		if proto.Unmarshal(content, &request) != nil {
			return
		}
		answer, err := server.BestOptions(t.Context(), &request)
		if (err == nil) != (len(answer.GetOptions()) > 0) {
			t.Errorf("%v, %v", answer, err)
		}
		for _, one := range answer.GetOptions() {
			if !slices.Contains(request.GetOptions(), one) {
				t.Errorf("%v is no option of the question", one)
			}
		}
	})
}

// city is a cluster of 1,000 nodes in three zones, all full, with 5,000 pending pods of 100 replica sets, each spread over zones
// and one per node, and 40 groups.
func city(t testing.TB) (*objects, *question) {
	kinds := []struct {
		name       string
		cores, gib string
	}{{"m5.large", "2", "8"}, {"m5.xlarge", "4", "16"}, {"m5.2xlarge", "8", "32"}, {"m5.4xlarge", "16", "64"}}
	now := &objects{}
	for k := range 1000 {
		kind := kinds[k%3+1]
		name := fmt.Sprintf("node-%d", k)
		now.nodes = append(now.nodes, *machine(name, kind.name, string(rune('a'+k%3)), amounts(kind.cores, kind.gib)))
		for _, pod := range replicas(fmt.Sprintf("old-%d", k%60), k, 2, name, amounts(fmt.Sprint(1<<(k%3)), "4"), nil) {
			now.pods = append(now.pods, *pod)
		}
	}
	var pending []*corev1.Pod
	for set := range 100 {
		name := fmt.Sprintf("new-%d", set)
		selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}
		pending = append(pending, replicas(name, 0, 50, "", amounts(fmt.Sprintf("%dm", 500+37*set), fmt.Sprintf("%d", 1+set%7)), func(spec *corev1.PodSpec) {
			spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
				MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: selector,
			}}
			spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: corev1.LabelHostname, LabelSelector: selector}},
			}}
		})...)
	}
	q := &question{}
	for k := range 40 {
		kind := kinds[k%4]
		size := amounts(kind.cores, kind.gib)
		var fitting []*corev1.Pod
		var sum int64
		for _, pod := range pending[:len(pending)/(1+k/12)] {
			asks := pod.Spec.Containers[0].Resources.Requests
			if asks.Cpu().Cmp(*size.Cpu()) <= 0 && asks.Memory().Cmp(*size.Memory()) <= 0 {
				fitting, sum = append(fitting, pod), sum+asks.Cpu().MilliValue()
			}
		}
		count := int32(sum*11/10/size.Cpu().MilliValue()) + 1
		q.group(t, fmt.Sprintf("group-%d", k), machine("", kind.name, string(rune('a'+k/4%3)), size), count, fitting...)
	}
	return now, q
}

// The latency of one answer for 5,000 pending pods, 1,000 nodes and 40 groups, decoding included.
func BenchmarkExpander(b *testing.B) {
	now, q := city(b)
	server := &expander{planning: planning{planner: "auto", deadline: 100 * time.Millisecond}}
	text := now.text()
	server.now.Store(&text)
	for b.Loop() {
		answer, err := server.BestOptions(b.Context(), &q.request)
		if err != nil {
			b.Fatal(err)
		}
		b.Log(answer.Options[0].NodeGroupId, answer.Options[0].Debug)
	}
}
