package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Standard input from which nothing comes.
func TestWaitingForInputEndsWithTheContext(t *testing.T) {
	nothing, keep := io.Pipe()
	defer keep.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int, 1)
	var out, wrong bytes.Buffer
	go func() { done <- run(ctx, nil, nothing, &out, &wrong) }()
	cancel()
	select {
	case code := <-done:
		if code != exitFailure || !strings.Contains(wrong.String(), "context canceled") {
			t.Errorf("exit code %d: %s", code, wrong.String())
		}
	case <-time.After(20 * time.Second):
		t.Error("it waits for its input")
	}
}

func TestListsInListsAreRefusedInTime(t *testing.T) {
	const depth = 5000
	input := strings.Repeat(`{"kind": "List", "items": [`, depth) + strings.Repeat("]}", depth)
	if code, _, wrong := command(t, input); code != exitFailure || !strings.Contains(wrong, "lists in each other") {
		t.Errorf("exit code %d: %s", code, wrong)
	}
}

var value = regexp.MustCompile(`-?[0-9.]+|"[^"]*"|true|false|null`)

// Values of real input are exchanged for others: it is answered, or refused with a sentence.
func TestChangedInputIsAnsweredOrRefused(t *testing.T) {
	content, err := os.ReadFile("testdata/rules.json")
	if err != nil {
		t.Fatal(err)
	}
	others := []string{
		"-1", "0", "2147483647", "1e300", `"-1"`, `"9223372036854775807"`, `"1e30"`, `""`, `"\ud800"`, "null", "true", "[]", "{}", `"NotIn"`, `"zone"`,
	}
	places := value.FindAllIndex(content, -1)
	random := rand.New(rand.NewPCG(1, 2))
	answered, refused := 0, 0
	for range 150 {
		changed := string(content)
		for range 1 + random.IntN(2) {
			place := places[random.IntN(len(places))]
			if place[1] <= len(changed) {
				changed = changed[:place[0]] + others[random.IntN(len(others))] + changed[place[1]:]
			}
		}
		code, printed, wrong := command(t, changed, "-planner", "ff", "-json")
		switch {
		case code == exitFailure && strings.HasPrefix(wrong, "stowage-k8s: ") && printed == "":
			refused++
		case code != exitFailure && wrong == "":
			answered++
		default:
			t.Errorf("exit code %d: %s", code, wrong)
		}
	}
	t.Logf("%d answered, %d refused", answered, refused)
}
