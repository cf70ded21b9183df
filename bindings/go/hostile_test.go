package stowage_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/metrics"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	flatbuffers "github.com/google/flatbuffers/go"

	stowage "stowage.dev/go"
	"stowage.dev/go/wire"
)

// reader is a function that takes bytes from elsewhere. It returns what it read, in which all text is looked at.
type reader struct {
	name  string
	bytes []byte
	read  func([]byte) (any, error)
}

// checked reads all of a buffer by the generated code of its schema, once Check admits it.
func checked[Root any](kind stowage.Kind, root func([]byte, flatbuffers.UOffsetT) *Root) func([]byte) (any, error) {
	return func(bytes []byte) (any, error) {
		if err := stowage.Check(kind, bytes); err != nil {
			return nil, err
		}
		return everything(reflect.ValueOf(root(bytes, 0))), nil
	}
}

// everything calls every getter of a table of the generated code, and of all tables below it. It returns the texts.
func everything(table reflect.Value) (texts []string) {
	add := func(value reflect.Value) {
		switch value.Kind() {
		case reflect.Slice:
			texts = append(texts, string(value.Bytes()))
		case reflect.Pointer:
			if !value.IsNil() {
				texts = append(texts, everything(value)...)
			}
		}
	}
	for k := range table.NumMethod() {
		name, method := table.Type().Method(k).Name, table.Method(k)
		of := method.Type()
		length := table.MethodByName(name + "Length")
		switch {
		case name == "Init" || name == "Table" || strings.HasPrefix(name, "Mutate") || strings.HasSuffix(name, "Bytes") || of.NumOut() != 1:
		case length.IsValid():
			for at := range int(length.Call(nil)[0].Int()) {
				index := reflect.ValueOf(at)
				if of.NumIn() == 1 {
					add(method.Call([]reflect.Value{index})[0])
					continue
				}
				one := reflect.New(of.In(0).Elem())
				method.Call([]reflect.Value{one, index})
				add(one)
			}
		case of.NumIn() == 0:
			add(method.Call(nil)[0])
		case of.NumIn() == 1 && of.In(0) == reflect.TypeFor[*flatbuffers.Table]():
			// A union, whose type the reports and the learning buffers name.
		case of.NumIn() == 1 && of.In(0).Kind() == reflect.Pointer:
			add(method.Call([]reflect.Value{reflect.Zero(of.In(0))})[0])
		}
	}
	return texts
}

// union reads the body of a report or a learning buffer.
func union[Root any](kind stowage.Kind, root func([]byte, flatbuffers.UOffsetT) *Root, body func(*Root, *flatbuffers.Table) (any, bool)) func([]byte) (any, error) {
	return func(bytes []byte) (any, error) {
		if err := stowage.Check(kind, bytes); err != nil {
			return nil, err
		}
		var table flatbuffers.Table
		from, found := body(root(bytes, 0), &table)
		if !found {
			return nil, nil
		}
		value := reflect.ValueOf(from)
		value.MethodByName("Init").Call([]reflect.Value{reflect.ValueOf(table.Bytes), reflect.ValueOf(table.Pos)})
		return everything(value), nil
	}
}

func reportBody(root *wire.Report, table *flatbuffers.Table) (any, bool) {
	all := map[wire.ReportBody]any{
		wire.ReportBodyVerification: &wire.Verification{}, wire.ReportBodyExplanation: &wire.Explanation{}, wire.ReportBodyBounds: &wire.Bounds{},
		wire.ReportBodyCommit: &wire.Commit{}, wire.ReportBodyMoveOrder: &wire.MoveOrder{}, wire.ReportBodyHeadroom: &wire.Headroom{},
		wire.ReportBodyLosses: &wire.Losses{}, wire.ReportBodyHeadroomOfApps: &wire.HeadroomOfApps{},
	}
	one, found := all[root.BodyType()]
	return one, root.Body(table) && found
}

func learningBody(root *wire.Learning, table *flatbuffers.Table) (any, bool) {
	all := map[wire.LearningBody]any{
		wire.LearningBodySamples: &wire.Samples{}, wire.LearningBodyQuestion: &wire.Question{}, wire.LearningBodyUsage: &wire.Usage{},
		wire.LearningBodyRecommendations: &wire.Recommendations{}, wire.LearningBodySizes: &wire.Sizes{},
	}
	one, found := all[root.BodyType()]
	return one, root.Body(table) && found
}

// readers of this package, with bytes that they accept.
func readers(t testing.TB) []reader {
	t.Helper()
	session := committed(t)
	if err := session.Apply(
		stowage.Operation{Kind: stowage.OpCordon, Node: "a"},
		stowage.Operation{Kind: stowage.OpSubmit, App: "late", Replicas: 2, Demand: []float64{1}},
	); err != nil {
		t.Fatal(err)
	}
	snapshot := snapshotOf(t, session)
	rich, err := racks().Bytes()
	if err != nil {
		t.Fatal(err)
	}
	instance := build(t, racks())
	plan, err := instance.Plan(t.Context(), stowage.Request{Planner: "ff", NodeLimit: 3, Compact: true, Survive: stowage.EachNode})
	if err != nil {
		t.Fatal(err)
	}
	cluster, err := stowage.ReadCluster(rich)
	if err != nil {
		t.Fatal(err)
	}
	explanation, err := instance.Explain(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	of := thingsOf(t, small(), 4)
	readCluster := func(bytes []byte) (any, error) { return stowage.ReadCluster(bytes) }
	return []reader{
		{"ReadCluster of a snapshot", snapshot, readCluster},
		{"ReadCluster of an instance", rich, readCluster},
		{"OpenSession", snapshot, func(bytes []byte) (any, error) {
			session, err := stowage.OpenSession(bytes)
			if err != nil {
				return nil, err
			}
			defer session.Close()
			return session.Cluster()
		}},
		{"ReadPlan and Name", plan.Bytes, func(bytes []byte) (any, error) {
			plan, err := stowage.ReadPlan(bytes)
			if err != nil {
				return nil, err
			}
			plan.Instance = cluster.Fingerprint
			if named, err := cluster.Name(plan); err == nil {
				return named, nil
			}
			return plan, nil
		}},
		{"Verify", plan.Bytes, func(bytes []byte) (any, error) { return instance.Verify(bytes) }},
		{"ApplyBytes", operationsBytes(), func(bytes []byte) (any, error) {
			session, err := stowage.OpenSession(snapshot)
			if err != nil {
				return nil, err
			}
			defer session.Close()
			if err := session.ApplyBytes(bytes); err != nil {
				return nil, err
			}
			return session.Cluster()
		}},
		{"LoadModel", of.model, func(bytes []byte) (any, error) {
			model, err := stowage.LoadModel(bytes)
			if err != nil {
				return nil, err
			}
			defer model.Close()
			return model.Save()
		}},
		{"wire.Instance", rich, checked(stowage.KindInstance, wire.GetRootAsInstance)},
		{"wire.Instance of a snapshot", snapshot, checked(stowage.KindInstance, wire.GetRootAsInstance)},
		{"wire.Plan", plan.Bytes, checked(stowage.KindPlan, wire.GetRootAsPlan)},
		{"wire.Operations", operationsBytes(), checked(stowage.KindOperations, wire.GetRootAsOperations)},
		{"wire.Report", explanation.Bytes, union(stowage.KindReport, wire.GetRootAsReport, reportBody)},
		{"wire.Learning", learningBytes(), union(stowage.KindLearning, wire.GetRootAsLearning, learningBody)},
	}
}

// operationsBytes are operations with text in every place.
func operationsBytes() []byte {
	b := flatbuffers.NewBuilder(256)
	name, node, tag := b.CreateString("late"), b.CreateString("b"), b.CreateString("ssd")
	wire.OperationStartTagsVector(b, 1)
	b.PrependUOffsetT(tag)
	tags := b.EndVector(1)
	wire.OperationStart(b)
	wire.OperationAddKind(b, wire.OperationKindAddNode)
	wire.OperationAddNode(b, node)
	wire.OperationAddTags(b, tags)
	first := wire.OperationEnd(b)
	wire.OperationStart(b)
	wire.OperationAddKind(b, wire.OperationKindRemove)
	wire.OperationAddApp(b, name)
	second := wire.OperationEnd(b)
	wire.OperationsStartOperationsVector(b, 2)
	b.PrependUOffsetT(second)
	b.PrependUOffsetT(first)
	list := b.EndVector(2)
	wire.OperationsStart(b)
	wire.OperationsAddOperations(b, list)
	b.FinishWithFileIdentifier(wire.OperationsEnd(b), []byte("STOS"))
	return b.FinishedBytes()
}

// learningBytes are samples of one app.
func learningBytes() []byte {
	b := flatbuffers.NewBuilder(256)
	text := func(value string, start func(*flatbuffers.Builder, int) flatbuffers.UOffsetT) flatbuffers.UOffsetT {
		at := b.CreateString(value)
		start(b, 1)
		b.PrependUOffsetT(at)
		return b.EndVector(1)
	}
	resources, apps := text("cpu", wire.SamplesStartResourcesVector), text("web", wire.SamplesStartAppsVector)
	wire.SamplesStartRowAppVector(b, 1)
	b.PrependUint32(0)
	app := b.EndVector(1)
	number := func(start func(*flatbuffers.Builder, int) flatbuffers.UOffsetT) flatbuffers.UOffsetT {
		start(b, 1)
		b.PrependFloat64(1)
		return b.EndVector(1)
	}
	amounts, value := number(wire.SamplesStartRowAmountsVector), number(wire.SamplesStartRowValueVector)
	wire.SamplesStart(b)
	wire.SamplesAddResources(b, resources)
	wire.SamplesAddApps(b, apps)
	wire.SamplesAddRowApp(b, app)
	wire.SamplesAddRowAmounts(b, amounts)
	wire.SamplesAddRowValue(b, value)
	body := wire.SamplesEnd(b)
	wire.LearningStart(b)
	wire.LearningAddFormat(b, 1)
	wire.LearningAddBodyType(b, wire.LearningBodySamples)
	wire.LearningAddBody(b, body)
	b.FinishWithFileIdentifier(wire.LearningEnd(b), []byte("STOL"))
	return b.FinishedBytes()
}

// mutated changes some bytes, or a word to one that is likely to matter, or cuts the end.
func mutated(bytes []byte, random *rand.Rand) []byte {
	changed := append([]byte(nil), bytes...)
	for range 1 + random.IntN(3) {
		at := random.IntN(len(changed))
		switch random.IntN(8) {
		case 0, 1, 2:
			changed[at] = []byte{0, 1, 0x7f, 0x80, 0xc3, 0xff}[random.IntN(6)]
		case 3, 4, 5:
			changed[at] = byte(random.IntN(256))
		case 6:
			if at &^= 3; at+4 <= len(changed) {
				words := []uint32{0, 1, 4, 0xfffffffc, 0x7fffffff, 0xffffffff, uint32(len(bytes)), uint32(random.IntN(2 * len(bytes)))}
				binary.LittleEndian.PutUint32(changed[at:], words[random.IntN(len(words))])
			}
		case 7:
			if random.IntN(4) == 0 {
				changed = changed[:max(at, 1)]
			}
		}
	}
	return changed
}

// invalidText is the first string in a value that is not UTF-8; "" = none.
func invalidText(value reflect.Value) string {
	switch value.Kind() {
	case reflect.String:
		if !utf8.ValidString(value.String()) {
			return fmt.Sprintf("%q", value.String())
		}
	case reflect.Pointer, reflect.Interface:
		return invalidText(value.Elem())
	case reflect.Struct:
		for k := range value.NumField() {
			if found := invalidText(value.Field(k)); found != "" {
				return found
			}
		}
	case reflect.Slice:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			return ""
		}
		for k := range value.Len() {
			if found := invalidText(value.Index(k)); found != "" {
				return found
			}
		}
	}
	return ""
}

func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// STOWAGE_MUTATIONS is the number of mutations over all readers; nightly tests set a larger one.
func mutations(usual int) int {
	if asked, err := strconv.Atoi(os.Getenv("STOWAGE_MUTATIONS")); err == nil {
		return asked
	}
	return usual
}

// Bytes of any content are read, or refused with an error of this package; within 100 ms of processor time and 50 MB.
func TestReadersOfMutatedBytes(t *testing.T) {
	all := readers(t)
	random := rand.New(rand.NewPCG(7, 8))
	each := mutations(13_000) / len(all)
	for _, one := range all {
		if _, err := one.read(one.bytes); err != nil {
			t.Fatalf("%s: unchanged: %v", one.name, err)
		}
		read, refused, longest, most := 0, 0, time.Duration(0), uint64(0)
		for number := range each {
			bytes := mutated(one.bytes, random)
			start, before := processorTime(), allocated()
			value, err := one.read(bytes)
			took, memory := processorTime()-start, allocated()-before
			longest, most = max(longest, took), max(most, memory)
			var typed *stowage.Error
			wrong := ""
			switch {
			case err == nil:
				read++
				wrong = invalidText(reflect.ValueOf(value))
			case errors.As(err, &typed) && utf8.ValidString(err.Error()) && !errors.Is(err, stowage.ErrInternal):
				refused++
			default:
				wrong = err.Error()
			}
			if wrong != "" || took > 100*time.Millisecond || memory > 50<<20 {
				t.Errorf("%s: mutation %d: %s, %v, %d bytes of memory", one.name, number, wrong, took, memory)
				break
			}
		}
		t.Logf("%s: %d read, %d refused, at most %v and %d bytes", one.name, read, refused, longest, most)
	}
}

// A hundred thousand notes refer to one text, so that a small buffer would become gigabytes.
func TestWhatRefersToOneTextManyTimes(t *testing.T) {
	b := flatbuffers.NewBuilder(1 << 20)
	text := b.CreateString(strings.Repeat("x", 500_000))
	wire.NoteStart(b)
	wire.NoteAddText(b, text)
	note := wire.NoteEnd(b)
	const count = 100_000
	wire.PlanStartNotesVector(b, count)
	for range count {
		b.PrependUOffsetT(note)
	}
	notes := b.EndVector(count)
	b.StartVector(4, 0, 4)
	none := b.EndVector(0)
	planner := b.CreateString("mine")
	wire.PlanStart(b)
	wire.PlanAddPlanner(b, planner)
	wire.PlanAddNodeClass(b, none)
	wire.PlanAddListed(b, none)
	wire.PlanAddPlaced(b, none)
	wire.PlanAddUnplaced(b, none)
	wire.PlanAddNotes(b, notes)
	b.FinishWithFileIdentifier(wire.PlanEnd(b), []byte("STOP"))
	before := allocated()
	if _, err := stowage.ReadPlan(b.FinishedBytes()); !errors.Is(err, stowage.ErrLimitExceeded) && !errors.Is(err, stowage.ErrMalformed) {
		t.Error(err)
	}
	if memory := allocated() - before; memory > 50<<20 {
		t.Errorf("%d bytes", memory)
	}
}
