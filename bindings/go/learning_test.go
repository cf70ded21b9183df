package stowage

import (
	"errors"
	"reflect"
	"testing"
)

// Four apps measured with two configurations, as tests/data/profiles.json.
func someProfiles() Samples {
	return Samples{
		Resources:  []string{"cpu"},
		Apps:       []string{"a", "b", "c", "d"},
		RowApp:     []uint32{0, 0, 1, 1, 2, 2, 3, 3},
		RowAmounts: []float64{1, 2, 1, 2, 1, 2, 1, 2},
		RowValue:   []float64{0.4, 0.9, 0.5, 0.9, 0.45, 0.95, 0.5, 0.92},
	}
}

func TestModelRecommendsAndSurvivesItsBytes(t *testing.T) {
	model, err := Learn(someProfiles())
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	question := Question{
		Samples: Samples{
			Resources: []string{"cpu"}, Apps: []string{"new"}, RowApp: []uint32{0}, RowAmounts: []float64{1}, RowValue: []float64{0.45},
		},
		Goal:   Goal{Value: 0.8},
		Curves: true,
	}
	answer, err := model.Recommend(question)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Reason[0] != MeetsGoal || answer.Amounts[answer.Choice[0]] != 2 || answer.Probability[0] < 0.8 {
		t.Errorf("recommends %+v", answer)
	}
	if len(answer.CurveMean) != 2 || answer.Apps[0] != "new" || answer.Samples[0] != 1 {
		t.Errorf("answers %+v", answer)
	}
	bytes, err := model.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := LoadModel(bytes)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	// NaN in SavingAsked equals nothing.
	same, err := again.Recommend(question)
	if err != nil || !reflect.DeepEqual(same.Probability, answer.Probability) || !reflect.DeepEqual(same.Choice, answer.Choice) {
		t.Errorf("a loaded model recommends %+v, %v", same, err)
	}
	if _, err := LoadModel(bytes[1:]); !errors.Is(err, ErrMalformed) {
		t.Errorf("damaged bytes: %v", err)
	}
	question.Goal.Value = 2
	if _, err := model.Recommend(question); !errors.Is(err, ErrInvalid) {
		t.Errorf("a goal of 2: %v", err)
	}
	model.Close()
	if _, err := model.Save(); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed model: %v", err)
	}
}

func TestSizesByUsage(t *testing.T) {
	usage := Usage{
		Apps: []string{"web"}, Resources: []string{"cpu"}, App: []uint32{0, 0, 0, 0}, Time: []float64{0, 60, 120, 180},
		Amount: []float64{1, 2, 3, 4}, Rules: []SizeRule{{Percentile: 0.75}}, Periods: 2,
	}
	sizes, err := Size(usage)
	if err != nil {
		t.Fatal(err)
	}
	if sizes.Size[0] != 3 || sizes.Exceeded[0] != 0.25 || !reflect.DeepEqual(sizes.Demand, []float64{2, 4}) {
		t.Errorf("sizes are %+v", sizes)
	}
	usage.Amount[2] = -1
	var failure *Error
	if _, err := Size(usage); !errors.As(err, &failure) || failure.Path != "amount[2]" {
		t.Errorf("a negative amount: %v", err)
	}
}
