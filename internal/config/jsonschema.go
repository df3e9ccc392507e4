package config

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// JSONSchema returns the table as a JSON Schema (draft 2020-12), for editors that complete and check YAML. Its copy in
// configs/ is kept fresh by a test.
func JSONSchema() []byte {
	top := object(root)
	top.Schema = "https://json-schema.org/draft/2020-12/schema"
	top.Title = "boardwatchd configuration"
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(top); err != nil {
		panic("config: internal error: " + err.Error())
	}
	return out.Bytes()
}

// schema has the fields of JSON Schema that the table needs, in the order in
// which they are written.
type schema struct {
	Schema      string      `json:"$schema,omitempty"`
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description,omitempty"`
	Type        any         `json:"type,omitempty"`
	Default     any         `json:"default,omitempty"`
	Enum        []any       `json:"enum,omitempty"`
	Pattern     string      `json:"pattern,omitempty"`
	Minimum     int64       `json:"minimum,omitempty"`
	Maximum     int64       `json:"maximum,omitempty"`
	MaxLength   int64       `json:"maxLength,omitempty"`
	MaxItems    int64       `json:"maxItems,omitempty"`
	Properties  *properties `json:"properties,omitempty"`
	Required    []string    `json:"required,omitempty"`
	Additional  any         `json:"additionalProperties,omitempty"` // false, or a schema
	Items       *schema     `json:"items,omitempty"`
}

func object(keys []key) *schema {
	// null is allowed: everything below the key may be commented out.
	s := &schema{Type: []string{"object", "null"}, Properties: &properties{}, Additional: false}
	for i := range keys {
		k := &keys[i]
		*s.Properties = append(*s.Properties, property{k.name, k.schema()})
		if k.required {
			s.Required = append(s.Required, k.name)
		}
	}
	return s
}

func (k *key) schema() *schema {
	s := &schema{}
	switch k.kind {
	case section, override:
		s = object(k.sub)
	case boolean:
		s.Type = []string{"boolean", "null"}
	case integer:
		s.Type = []string{"integer", "null"}
		if k.min > 0 { // otherwise rules.Profile checks the range
			s.Minimum, s.Maximum = k.min, k.max
		}
	case decimal:
		s.Type = []string{"number", "null"}
	case severalWords:
		s.Type, s.MaxItems, s.Items = []string{"array", "null"}, maxWords, &schema{Type: "string", MaxLength: k.max}
	case articles:
		s.Type = []string{"object", "null"}
		s.Additional = &schema{Type: "array", MaxItems: maxWords, Items: &schema{Type: "string", MaxLength: k.max}}
	case list:
		s.Type, s.MaxItems, s.Items = []string{"array", "null"}, k.max, object(k.sub)
		s.Items.Type = "object"
	case choice:
		for _, c := range k.choices {
			s.Enum = append(s.Enum, c)
		}
		s.Enum = append(s.Enum, nil)
	case duration:
		s.Type, s.Pattern = []string{"string", "null"}, `^([0-9]+(\.[0-9]*)?(us|µs|ms|s|m|h))+$`
	case size:
		s.Type, s.Pattern = []string{"string", "null"}, `^[0-9]+ *(KiB|MiB|GiB)$`
	case text:
		// A round 3 without quotes is a number in YAML; the reader takes the text as written.
		s.Type, s.MaxLength = []string{"string", "number", "boolean", "null"}, k.max
	}
	s.Description = k.doc
	if k.kind == retired {
		s.Description = "No longer used; it may stand there."
	}
	if k.kind == duration || k.kind == size || k.kind == decimal {
		s.Description += fmt.Sprintf(" Range: %s.", k.bounds())
	}
	switch {
	case k.kind == boolean:
		s.Default = k.def == "true"
	case (k.kind == integer || k.kind == decimal) && k.def != "":
		s.Default = json.Number(k.def)
	case k.def != "":
		s.Default = k.def
	}
	return s
}

// properties is a JSON object that keeps its order, which a map would not.
type properties []property

type property struct {
	name string
	*schema
}

func (ps properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range ps {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(p.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(p.schema)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
