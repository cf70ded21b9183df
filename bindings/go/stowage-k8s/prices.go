package main

import (
	"bytes"
	"embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// The default prices: on-demand list prices of common instance types in US dollars per hour. They date from 2024, and are meant
// for comparisons only.
//
//go:embed prices.csv
var defaultPrices embed.FS

// prices of nodes per hour, by instance type and by class.
type prices struct {
	byType, byClass map[string]float64
	// decide: plans are for the least cost instead of the fewest nodes.
	decide bool
	// estimated: the prices are those of estimate.
	estimated bool
}

func newPrices() (*prices, error) {
	p := &prices{byType: map[string]float64{}, byClass: map[string]float64{}}
	content, err := defaultPrices.ReadFile("prices.csv")
	if err != nil {
		return nil, err
	}
	p.byType, err = parsePrices(content)
	return p, err
}

// set takes what the option says: CLASS=AMOUNT, "default", or a file that replaces the default prices.
func (p *prices) set(text string) error {
	p.decide = true
	if text == "default" {
		return nil
	}
	if at := strings.LastIndex(text, "="); at >= 0 {
		amount, err := priceOf(text[at+1:])
		if err != nil {
			return err
		}
		p.byClass[text[:at]] = amount
		return nil
	}
	content, err := os.ReadFile(text)
	if err != nil {
		return fmt.Errorf("must be CLASS=AMOUNT, default, or a file: %w", err)
	}
	if p.byType, err = parsePrices(content); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}

func priceOf(text string) (float64, error) {
	amount, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(amount) || math.IsInf(amount, 0) || amount < 0 {
		return 0, fmt.Errorf("%q is no price", text)
	}
	return amount, nil
}

// parsePrices reads a JSON object from instance types to prices, or CSV lines "type,price"; a first line without a number is a
// heading.
func parsePrices(content []byte) (map[string]float64, error) {
	table := map[string]float64{}
	if trimmed := bytes.TrimSpace(content); len(trimmed) > 0 && trimmed[0] == '{' {
		if err := json.Unmarshal(trimmed, &table); err != nil {
			return nil, err
		}
		for name, amount := range table {
			if amount < 0 {
				return nil, fmt.Errorf("%s: %g is no price", name, amount)
			}
		}
		return table, nil
	}
	reader := csv.NewReader(bytes.NewReader(content))
	reader.Comment, reader.FieldsPerRecord, reader.TrimLeadingSpace = '#', 2, true
	lines, err := reader.ReadAll()
	if err != nil {
		return nil, err
	}
	for k, line := range lines {
		amount, err := priceOf(line[1])
		if err != nil && k == 0 {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", k+1, err)
		}
		if _, twice := table[line[0]]; twice {
			return nil, fmt.Errorf("line %d: %s is there twice", k+1, line[0])
		}
		table[line[0]] = amount
	}
	if len(table) == 0 {
		return nil, fmt.Errorf("there is no price in it")
	}
	return table, nil
}

// lookup finds the price of a class by its name, or its instance type.
func (p *prices) lookup(of *class) (float64, bool) {
	kind := of.labels[corev1.LabelInstanceTypeStable]
	for _, one := range []struct {
		table map[string]float64
		key   string
	}{{p.byClass, of.name}, {p.byClass, kind}, {p.byType, kind}, {p.byType, of.name}} {
		if amount, known := one.table[one.key]; known {
			return amount, true
		}
	}
	return 0, false
}

// of is the price of a class; nodes of the control plane without one cost nothing, because no plan adds or removes them.
func (p *prices) of(class *class) float64 {
	amount, _ := p.lookup(class)
	return amount
}

// check refuses prices for classes that do not exist and, where prices decide, classes without a price.
func (p *prices) check(m *model) error {
	for name := range p.byClass {
		if !containsClass(m.classes, name) {
			return fmt.Errorf("--price: there is no class %q; there are: %s", name, strings.Join(m.classNames(), "; "))
		}
	}
	for _, one := range m.classes {
		if _, known := p.lookup(one); p.decide && !known && !one.control {
			return fmt.Errorf("--price: there is no price for the class %q", one.name)
		}
	}
	return nil
}

func containsClass(classes []*class, name string) bool {
	for _, one := range classes {
		if one.name == name || one.labels[corev1.LabelInstanceTypeStable] == name {
			return true
		}
	}
	return false
}

// cost of numbers of nodes per class; known is false where a price is missing.
func (p *prices) cost(m *model, counts []int) (sum float64, known bool) {
	for k, count := range counts {
		amount, priced := p.lookup(m.classes[k])
		if count > 0 && !priced {
			return 0, false
		}
		sum += float64(count) * amount
	}
	return sum, true
}

// forAll are the prices if every class has one, else an estimate for every class.
func (p *prices) forAll(classes []*class) *prices {
	known := &prices{byType: p.byType, byClass: p.byClass, decide: true}
	for _, one := range classes {
		if _, has := known.lookup(one); !has && !one.control {
			estimates := &prices{byClass: map[string]float64{}, decide: true, estimated: true}
			for _, one := range classes {
				estimates.byClass[one.name] = estimate(one)
			}
			return estimates
		}
	}
	return known
}

// estimate is about what a node of the class would cost per hour: what general machines cost per core and GiB, and what an
// accelerator adds.
func estimate(of *class) float64 {
	const perCore, perGiB, perAccelerator = 0.03, 0.0045, 0.8
	sum := perCore*of.capacity["cpu"] + perGiB*of.capacity["memory"]/1024
	for name, amount := range of.capacity {
		if strings.HasSuffix(name, "/gpu") {
			sum += perAccelerator * amount
		}
	}
	return sum
}
