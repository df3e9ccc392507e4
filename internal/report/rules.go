package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"boardwatchd/internal/config"
	"boardwatchd/rules"
)

// rulesOf returns the rule sets that were in force, with their differences from the program's rule sets of the same
// names: local rules.
func rulesOf(core config.Core, used []string) []Rules {
	list := []Rules{}
	for _, p := range core.Rules {
		if !slices.Contains(used, p.Name) && len(core.Rules) > 1 {
			continue
		}
		r := Rules{Name: p.Name, Title: p.Title, Edition: p.Edition, Differences: []Difference{}}
		_, usual, err := config.Rules(p.Name)
		if r.Own = err != nil || len(usual) != 1; !r.Own {
			r.Differences = differences(p, usual[0])
		}
		list = append(list, r)
	}
	return list
}

func differences(is, usual rules.Profile) []Difference {
	list := []Difference{}
	a, b := keysOf(is), keysOf(usual)
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if key == "title" { // it is shown anyway, and says itself that there are local rules
			continue
		}
		if !bytes.Equal(a[key], b[key]) {
			list = append(list, Difference{Key: key, Value: a[key], Usual: b[key]})
		}
	}
	return list
}

func keysOf(p rules.Profile) (keys map[string]json.RawMessage) {
	body, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(body, &keys)
	}
	if err != nil {
		panic("report: internal error: " + err.Error()) // plain values
	}
	return keys
}
