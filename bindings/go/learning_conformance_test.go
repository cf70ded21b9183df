package stowage_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"

	stowage "stowage.dev/go"
)

// amountOf reads a cell; "-" is not known.
func amountOf(t *testing.T, cell string) float64 {
	t.Helper()
	if cell == "-" {
		return math.NaN()
	}
	amount, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatal(err)
	}
	return amount
}

// appsOf is the apps of a table, whose first column names them, in the order of their first rows; these rows; and the app of
// each row.
func appsOf(rows [][]string) (names []string, first [][]string, of []uint32) {
	for _, cells := range rows {
		at := slices.Index(names, cells[0])
		if at < 0 {
			at = len(names)
			names, first = append(names, cells[0]), append(first, cells)
		}
		of = append(of, uint32(at))
	}
	return names, first, of
}

func samplesOf(t *testing.T, file string) stowage.Samples {
	rows := table(t, "learning/"+file)
	names, first, of := appsOf(rows)
	samples := stowage.Samples{Resources: []string{"cpu", "memory"}, Apps: names, RowApp: of}
	family, load := stowage.Feature{Name: "family"}, stowage.Feature{Name: "load"}
	for _, cells := range first {
		word := cells[1]
		if word == "-" {
			word = ""
		}
		family.Words, load.Numbers = append(family.Words, word), append(load.Numbers, amountOf(t, cells[2]))
	}
	samples.Features = []stowage.Feature{family, load}
	for _, cells := range rows {
		samples.RowAmounts = append(samples.RowAmounts, amountOf(t, cells[3]), amountOf(t, cells[4]))
		samples.RowCollocation = append(samples.RowCollocation, uint32(amountOf(t, cells[5])))
		samples.RowValue = append(samples.RowValue, amountOf(t, cells[6]))
	}
	return samples
}

// compareRows compares with an expected file, whose cells from `words` on are numbers and may differ by 1e-9 of themselves.
func compareRows(t *testing.T, file string, words int, found [][]string) {
	t.Helper()
	expected := table(t, "learning/"+file)
	if len(found) != len(expected) {
		t.Fatalf("%s: %d rows, not %d", file, len(found), len(expected))
	}
	for row, cells := range expected {
		for k, cell := range cells {
			same := found[row][k] == cell
			if k >= words {
				wanted := amountOf(t, cell)
				same = math.Abs(amountOf(t, found[row][k])-wanted) <= 1e-9*math.Abs(wanted)
			}
			if !same {
				t.Errorf("%s, row %d: %s is not %s", file, row+1, found[row][k], cell)
			}
		}
	}
}

func exact(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }

func TestConformanceOfRecommendations(t *testing.T) {
	model, err := stowage.Learn(samplesOf(t, "profiles.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	answer, err := model.Recommend(stowage.Question{
		Samples: samplesOf(t, "samples.tsv"), Goal: stowage.Goal{Value: 0.75, Confidence: 0.8},
	})
	if err != nil {
		t.Fatal(err)
	}
	configuration := func(index uint32) string {
		if index == stowage.NoIndex {
			return "-"
		}
		return fmt.Sprintf("%g/%g/%d", answer.Amounts[2*index], answer.Amounts[2*index+1], answer.Collocation[index])
	}
	reasons := map[stowage.RecommendationReason]string{
		stowage.MeetsGoal: "meets-goal", stowage.NotEnoughEvidence: "not-enough-evidence", stowage.GoalOutOfReach: "goal-out-of-reach",
	}
	var found [][]string
	for k, app := range answer.Apps {
		found = append(found, []string{
			app, reasons[answer.Reason[k]], configuration(answer.Choice[k]), configuration(answer.NextSample[k]),
			fmt.Sprint(answer.Samples[k]), exact(answer.Probability[k]), exact(answer.Cost[k]),
		})
	}
	compareRows(t, "recommended.tsv", 5, found)
}

func TestConformanceOfSizes(t *testing.T) {
	rows := table(t, "learning/usage.tsv")
	names, _, of := appsOf(rows)
	usage := stowage.Usage{
		Apps: names, Resources: []string{"cpu", "memory"}, App: of, Periods: 2, Cycle: 86400,
		Rules: []stowage.SizeRule{
			{Percentile: 0.9, HalfLife: 43200, Margin: 0.1}, {Percentile: 1, Window: 14400, Bump: 1.25, Floor: 1},
		},
	}
	for _, cells := range rows {
		usage.Replica = append(usage.Replica, uint32(amountOf(t, cells[1])))
		usage.Time = append(usage.Time, amountOf(t, cells[2]))
		usage.Amount = append(usage.Amount, amountOf(t, cells[3]), amountOf(t, cells[4]))
		usage.OutOfMemory = append(usage.OutOfMemory, byte(amountOf(t, cells[5])))
	}
	sizes, err := stowage.Size(usage)
	if err != nil {
		t.Fatal(err)
	}
	var found [][]string
	for k := range sizes.Size {
		found = append(found, []string{
			sizes.Apps[k/2], sizes.Resources[k%2], fmt.Sprint(sizes.Measured[k]), fmt.Sprint(sizes.Killed[k/2]), exact(sizes.Size[k]),
			exact(sizes.Slack[k]), exact(sizes.Exceeded[k]), exact(sizes.Demand[2*k]), exact(sizes.Demand[2*k+1]),
		})
	}
	compareRows(t, "sized.tsv", 4, found)
}
