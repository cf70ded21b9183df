package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	stowage "stowage.dev/go"
)

var update = flag.Bool("update", false, "rewrite testdata/*.instance.json")

// written is an instance in the JSON form of docs/reference/json-format.md, made from the calls that state it.
type written struct {
	Stowage   int              `json:"stowage"`
	Name      string           `json:"name"`
	Resources *ordered         `json:"resources"`
	Classes   []map[string]any `json:"classes"`
	Apps      []map[string]any `json:"apps"`
	Nodes     []map[string]any `json:"nodes"`
	Groups    []map[string]any `json:"groups,omitempty"`
	Rules     []map[string]any `json:"rules,omitempty"`
}

// ordered is an object whose keys keep their order, which is that of the resources.
type ordered struct {
	names, units []string
	// devices: the amounts of one device.
	devices map[int]float64
}

func (o *ordered) MarshalJSON() ([]byte, error) {
	var parts []string
	for k := range o.names {
		name, _ := json.Marshal(o.names[k])
		unit, _ := json.Marshal(o.units[k])
		if size := o.devices[k]; size > 0 {
			unit, _ = json.Marshal(map[string]any{"unit": o.units[k], "device": size})
		}
		parts = append(parts, string(name)+":"+string(unit))
	}
	return []byte("{" + strings.Join(parts, ",") + "}"), nil
}

func (w *written) amounts(of []float64, zeros bool) map[string]float64 {
	all := map[string]float64{}
	for k, amount := range of {
		if amount != 0 || zeros {
			all[w.Resources.names[k]] = amount
		}
	}
	return all
}

// put sets a member unless it is empty.
func put[Item any](object map[string]any, key string, list []Item) {
	if len(list) > 0 {
		object[key] = list
	}
}

// count sets the number under a name in a member, which is an object.
func count(object map[string]any, key, name string, number uint32) {
	if object[key] == nil {
		object[key] = map[string]uint32{}
	}
	object[key].(map[string]uint32)[name] = number
}

func (w *written) Resource(name, unit string) int {
	w.Resources.names, w.Resources.units = append(w.Resources.names, name), append(w.Resources.units, unit)
	return len(w.Resources.names) - 1
}

func (w *written) Device(resource int, amount float64) { w.Resources.devices[resource] = amount }

func (w *written) Class(one stowage.Class) int {
	made := map[string]any{"name": one.Name, "capacity": w.amounts(one.Capacity, true), "count": one.Count}
	put(made, "labels", one.Labels)
	if daemon := w.amounts(one.Daemon, false); len(daemon) > 0 {
		made["daemon"] = daemon
	}
	w.Classes = append(w.Classes, made)
	return len(w.Classes) - 1
}

func (w *written) Node(one stowage.Node) int {
	made := map[string]any{"name": one.Name, "class": w.Classes[one.Class]["name"], "daemon": w.amounts(one.Daemon, false)}
	if one.Closed {
		made["closed"] = true
	}
	put(made, "tags", one.Tags)
	w.Nodes = append(w.Nodes, made)
	return len(w.Nodes) - 1
}

func (w *written) App(one stowage.App) int {
	made := map[string]any{"name": one.Name, "replicas": one.Replicas, "demand": w.amounts(one.Demand, false)}
	if one.Priority != 0 {
		made["priority"] = one.Priority
	}
	put(made, "tags", one.Tags)
	put(made, "only", one.Only)
	put(made, "not", one.Not)
	w.Apps = append(w.Apps, made)
	return len(w.Apps) - 1
}

func (w *written) Running(app, node int, replicas uint32) {
	count(w.Nodes[node], "running", w.Apps[app]["name"].(string), replicas)
}

func (w *written) Pin(app, node int, replicas uint32) {
	count(w.Nodes[node], "pinned", w.Apps[app]["name"].(string), replicas)
}

func (w *written) Limit(beside, limited int, atMost uint32) {
	if beside == limited {
		w.Apps[beside]["max_per_node"] = atMost
	} else {
		count(w.Apps[beside], "limits", w.Apps[limited]["name"].(string), atMost)
	}
}

func (w *written) NodeGroup(one stowage.NodeGroup) {
	made := map[string]any{"name": one.Name}
	if one.ByLabel != "" {
		made["by_label"] = one.ByLabel
	} else {
		sets := map[string][]any{}
		for _, set := range one.Sets {
			for _, node := range set.Nodes {
				sets[set.Name] = append(sets[set.Name], w.Nodes[node]["name"])
			}
		}
		made["sets"] = sets
	}
	w.Groups = append(w.Groups, made)
}

func (w *written) Rule(one stowage.Rule) {
	var all []map[string]any
	for _, condition := range one.AnyOf[0] {
		made := map[string]any{"kind": []string{"replicas", "node-sets", "skew"}[condition.Kind], "subject": condition.Subject}
		put(made, "target", condition.Target)
		if condition.Min > 0 {
			made["min"] = condition.Min
		}
		if condition.Max != nil {
			made["max"] = *condition.Max
		}
		if condition.Group != "" {
			made["group"] = condition.Group
		}
		all = append(all, made)
	}
	made := map[string]any{"name": one.Name, "all_of": all}
	if one.Soft {
		made["hard"], made["weight"] = false, one.Weight
	}
	w.Rules = append(w.Rules, made)
}

// readAs is what a reader makes of a cluster. Every reader of clusters compares itself with the files that hold it.
type readAs struct {
	Instance *written `json:"instance"`
	LeftOut  []string `json:"left_out"`
	Notes    []string `json:"notes"`
}

// dumps are the files of testdata that are input of the tool.
func dumps(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(found, func(name string) bool { return strings.HasSuffix(name, ".instance.json") })
}

// testdata/NAME.instance.json is what testdata/NAME.json means. The plan explorer's reader is held against the same files.
func TestEveryReaderMakesTheSameInstance(t *testing.T) {
	compared := 0
	for _, name := range dumps(t) {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		from, err := readObjects(bytes.NewReader(content))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m := newModel(newCluster(from), true, nil)
		made := &written{Stowage: 1, Name: "cluster", Resources: &ordered{devices: map[int]float64{}}, Classes: []map[string]any{}, Apps: []map[string]any{}}
		m.state(made, here, nil)
		var now bytes.Buffer
		encoder := json.NewEncoder(&now)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", " ")
		result := readAs{made, append([]string{}, m.leftOut...), append([]string{}, m.notes...)}
		if err := encoder.Encode(result); err != nil {
			t.Fatal(err)
		}
		golden := strings.TrimSuffix(name, ".json") + ".instance.json"
		if *update {
			if err := os.WriteFile(golden, now.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if before, err := os.ReadFile(golden); err != nil || !bytes.Equal(before, now.Bytes()) {
			t.Errorf("%s is not what is read now (go test -run Reader -update rewrites it): %v", golden, err)
		}
		compared++
	}
	if compared < 4 {
		t.Errorf("%d clusters compared", compared)
	}
}
