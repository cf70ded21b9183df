//go:build stowage_text

package stowage_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	stowage "stowage.dev/go"
)

// The JSON of random instances, plans and operations, as tests/faces/write_faces.cpp has written it.
func TestJSONHasTheSameBytesInEveryLanguage(t *testing.T) {
	folder := os.Getenv("STOWAGE_FACES_FOLDER")
	if folder == "" {
		t.Skip("scripts/test-bindings.sh writes the files")
	}
	read := func(name string) []byte {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	snapshots, err := filepath.Glob(filepath.Join(folder, "*-after.stow"))
	if err != nil || len(snapshots) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, snapshot := range snapshots {
		k := strings.TrimSuffix(filepath.Base(snapshot), "-after.stow")
		same := func(name string, made []byte, err error) {
			t.Helper()
			if err != nil || !bytes.Equal(made, read(k+name)) {
				t.Errorf("%s%s differs: %v", k, name, err)
			}
		}
		instance := read(k + ".stow")
		json, err := stowage.InstanceToJSON(instance)
		same(".json", json, err)
		back, err := stowage.InstanceFromJSON(json)
		same("-back.stow", back, err)
		plan, err := stowage.ReadPlan(read(k + "-plan.stow"))
		if err != nil {
			t.Fatal(err)
		}
		json, err = stowage.PlanToJSON(instance, plan)
		same("-plan.json", json, err)
		plan, err = stowage.PlanFromJSON(instance, json)
		if err != nil {
			t.Fatal(err)
		}
		same("-plan-back.stow", plan.Bytes, nil)
		operations, err := stowage.OperationsFromJSON(instance, read(k+"-operations.json"))
		same("-operations.stow", operations, err)
		session, err := stowage.OpenSession(instance)
		if err != nil {
			t.Fatal(err)
		}
		if err = session.ApplyBytes(operations); err != nil {
			t.Error(err)
		}
		after, err := session.Snapshot()
		same("-after.stow", after, err)
		session.Close()
	}
}
