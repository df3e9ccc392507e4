package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"boardwatchd/rules"
)

// WithRules returns a canonical configuration under other rule sets, to try a different rule set. The keys profile and
// rules replace existing ones, or are added at the end; everything else stays unchanged. It accepts every JSON object,
// forms of older and newer programs included; empty input counts as {}.
func WithRules(canonical []byte, name string, sets []rules.Profile) ([]byte, error) {
	if len(canonical) == 0 {
		canonical = []byte("{}")
	}
	both, err := json.Marshal(struct {
		Profile string          `json:"profile"`
		Rules   []rules.Profile `json:"rules"`
	}{name, sets})
	if err != nil {
		panic("config: internal error: " + err.Error()) // strings, integers, lists of them
	}
	parts, err := members(canonical)
	if err != nil {
		return nil, fmt.Errorf("change the rules of a configuration: %w", err)
	}
	var kept [][]byte
	put := false
	for _, m := range parts {
		switch {
		case m.key != "profile" && m.key != "rules":
			kept = append(kept, m.text)
		case !put:
			put = true
			kept = append(kept, both[1:len(both)-1])
		}
	}
	if !put {
		kept = append(kept, both[1:len(both)-1])
	}
	return append(append([]byte("{"), bytes.Join(kept, []byte(","))...), '}'), nil
}

// member is one member of a JSON object: its key, and "key":value in compact form.
type member struct {
	key  string
	text []byte
}

// members splits a JSON object and keeps the order, which a map would not.
func members(object []byte) (list []member, err error) {
	if !json.Valid(object) {
		return nil, errors.New("it is not JSON")
	}
	dec := json.NewDecoder(bytes.NewReader(object))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("it is not a JSON object")
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key, _ := t.(string) // of a valid object, always
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return nil, err
		}
		name, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		text.Write(name)
		text.WriteByte(':')
		if err := json.Compact(&text, v); err != nil {
			return nil, err
		}
		list = append(list, member{key, text.Bytes()})
	}
	return list, nil
}
