package predicates

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t *testing.T, name string) []byte {
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var from io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if from, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	content, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func checkFiles(t *testing.T, pattern string, least int) {
	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, name := range found {
		checked++
		t.Run(filepath.Base(name), func(t *testing.T) {
			sum := checkDump(t, read(t, name), 1)
			t.Logf("asked %d times; %d refusals by what is named as not taken into account", sum.asked, sum.excused)
		})
	}
	if checked < least {
		t.Errorf("%d files like %s", checked, pattern)
	}
}

func TestTheSchedulerAcceptsPlansOfTheTestData(t *testing.T) {
	checkFiles(t, "../testdata/*.json", 5)
}

// $STOWAGE_SHARED/data/kubernetes holds dumps of clusters.
func TestTheSchedulerAcceptsPlansOfDumps(t *testing.T) {
	folder := filepath.Join(os.Getenv("STOWAGE_SHARED"), "data", "kubernetes")
	if _, err := os.Stat(folder); os.Getenv("STOWAGE_SHARED") == "" || err != nil {
		t.Skipf("SKIPPED: there are no dumps in %s", folder)
	}
	checkFiles(t, filepath.Join(folder, "*.json.gz"), 1)
}
