package config

import (
	"bytes"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// MaxBytes is the size of the largest configuration that is read: room for 64 boards with a paragraph about each. See
// doc.go for the reason.
const MaxBytes = 32 << 10

// Parse reads a configuration. file is used only in problems. An error is of type Problems, and the Config is then the
// default one.
func Parse(file string, src []byte) (Config, error) {
	w := &walker{file: file, config: Default(), places: map[string]place{}}
	doc, err := document(file, src)
	if err != nil {
		return Default(), err
	}
	if doc != nil {
		w.section(root, doc, "", &w.config)
		w.together()
	}
	if len(w.problems) > 0 {
		return Default(), w.result()
	}
	return w.config, nil
}

// document returns the one document of a file; nil is an empty one. The error is of type Problems.
func document(file string, src []byte) (*yaml.Node, error) {
	// Windows editors put a byte order mark before UTF-8; it has no meaning.
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if len(src) > MaxBytes {
		return nil, Problems{{File: file, Text: fmt.Sprintf("has %d bytes; a configuration has at most %d. Is it the right file?", len(src), MaxBytes)}}
	}
	doc, err := tree(src)
	if err != nil {
		p := err.(Problem)
		p.File = file
		return nil, Problems{p}
	}
	if doc == nil || isNull(doc) {
		return nil, nil
	}
	return doc, nil
}

// walker goes through the tree along the table.
type walker struct {
	file     string
	config   Config
	local    changes          // rules.override
	profile  bool             // the text is a rule profile, not a configuration
	places   map[string]place // where each key's value is written, by its path
	problems Problems
	dropped  int // problems beyond maxProblems
}

func (w *walker) problem(at place, path, format string, a ...any) {
	if len(w.problems) >= maxProblems {
		w.dropped++
		return
	}
	w.problems = append(w.problems, Problem{File: w.file, Line: at.line, Column: at.column, Key: path, Text: fmt.Sprintf(format, a...)})
}

func (w *walker) result() Problems {
	ps := w.problems.sorted()
	if w.dropped > 0 {
		ps = append(ps, Problem{File: w.file, Text: fmt.Sprintf("and %d more problems", w.dropped)})
	}
	return ps
}

// section reads a mapping whose keys are those of the table.
func (w *walker) section(keys []key, n *yaml.Node, path string, into any) {
	at := place{n.Line, n.Column}
	switch {
	case !w.plain(n, path):
		return
	case n.Kind != yaml.MappingNode:
		if path == "" {
			w.problem(at, path, "is %s; a configuration is made of lines `key: value` with these keys: %s", describe(n), names(keys))
			return
		}
		w.problem(at, path, "is %s; it needs these keys below it, indented: %s", describe(n), names(keys))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		at := place{k.Line, k.Column}
		row := find(keys, k)
		if row == nil {
			w.unknown(keys, k, path)
			continue
		}
		if first, twice := seen[row.name]; twice {
			w.problem(at, join(path, row.name), "is given a second time; the first is in line %d", first)
			continue
		}
		seen[row.name] = k.Line
		w.key(row, v, join(path, row.name), into)
	}
	for i := range keys {
		if k := &keys[i]; k.required && seen[k.name] == 0 {
			w.problem(at, path, "has no %s: add a line `%s: …` (%s)", k.name, k.name, k.doc)
		}
	}
}

// key reads the value of one key.
func (w *walker) key(k *key, n *yaml.Node, path string, into any) {
	w.places[path] = place{n.Line, n.Column}
	// `event:` without a value, or with everything below it commented out, means the default.
	if isNull(n) && w.plain(n, path) {
		if k.required {
			w.problem(w.places[path], path, "is empty (%s)", k.doc)
		}
		return
	}
	switch k.kind {
	case retired:
	case section:
		w.section(k.sub, n, path, into)
	case list:
		w.items(k, n, path, into)
	case override:
		w.section(k.sub, n, path, &w.local)
	case severalWords:
		if list, ok := w.words(k, n, path); ok {
			k.set(into, value{list: list})
		}
	case articles:
		w.articles(k, n, path, into)
	default:
		w.scalar(k, n, path, into)
	}
}

// items reads a list of mappings.
func (w *walker) items(k *key, n *yaml.Node, path string, into any) {
	at := place{n.Line, n.Column}
	switch {
	case !w.plain(n, path):
	case n.Kind != yaml.SequenceNode:
		w.problem(at, path, "is %s; it needs a list: begin each of the %s with `- %s: …`", describe(n), path, k.sub[0].name)
	case int64(len(n.Content)) > k.max:
		w.problem(at, path, "has %d entries; at most %d are supported", len(n.Content), k.max)
	default:
		for i, item := range n.Content {
			one := fmt.Sprintf("%s[%d]", path, i)
			w.places[one] = place{item.Line, item.Column}
			w.section(k.sub, item, one, k.add(into))
		}
	}
}

func (w *walker) scalar(k *key, n *yaml.Node, path string, into any) {
	at := place{n.Line, n.Column}
	if !w.plain(n, path) {
		return
	}
	if n.Kind != yaml.ScalarNode {
		w.problem(at, path, "is %s; it needs a single value", describe(n))
		return
	}
	// n.Value is the text as written, regardless of its type in YAML: a serial number 01234 is not octal, and the event
	// "no" is not a boolean.
	v, err := k.scalar(n.Value)
	if err != nil {
		what := quote(n.Value)
		if k.private {
			what = "the value"
		}
		w.problem(at, path, "%s %v", what, err)
		return
	}
	if k.required && n.Value == "" {
		w.problem(at, path, "is empty (%s)", k.doc)
		return
	}
	k.set(into, v)
}

// plain refuses constructs that a configuration does not need and that make YAML hard to read and dangerous to expand.
func (w *walker) plain(n *yaml.Node, path string) bool {
	at := place{n.Line, n.Column}
	switch {
	case n.Kind == yaml.AliasNode:
		w.problem(at, path, "is an alias (%s); write the value out, or put it in quotes", quote("*"+n.Value))
	case n.Anchor != "":
		w.problem(at, path, "has an anchor (%s); write the value without it, or put it in quotes", quote("&"+n.Anchor))
	case n.Style&yaml.TaggedStyle != 0:
		w.problem(at, path, "has a tag (%s); write the value without it, or put it in quotes", quote(n.Tag))
	default:
		return true
	}
	return false
}

func (w *walker) unknown(keys []key, k *yaml.Node, path string) {
	if len(w.problems) >= maxProblems {
		w.dropped++ // the search for a near miss is the expensive part
		return
	}
	at := place{k.Line, k.Column}
	where := path
	if where == "" {
		where = "the top level"
	}
	switch {
	case k.Kind != yaml.ScalarNode:
		w.problem(at, path, "a key must be a word, not %s; allowed keys: %s", describe(k), names(keys))
	case k.Value == "<<":
		w.problem(at, path, "merging with << is not supported; write the keys out: %s", names(keys))
	default:
		var allowed []string
		for i := range keys {
			allowed = append(allowed, keys[i].name)
		}
		near := didYouMean(k.Value, allowed)
		switch {
		case near == "" && w.profile && find(root, k) != nil:
			near = "; this is a configuration: give it with -c"
		case near == "" && !w.profile:
			near = elsewhere(k.Value, path)
		}
		list := "; allowed keys: " + names(keys)
		const readable = 20 // a longer list hides the intended value
		if near != "" && len(keys) > readable {
			list = ""
		}
		w.problem(at, "", "unknown key %s in %s%s%s", quote(k.Value), where, list, near)
	}
}

// elsewhere returns a hint if a key is right but in the wrong section.
func elsewhere(name, path string) string {
	for i := range root {
		k := &root[i]
		if k.name == name {
			return "; " + name + " belongs to the top level: take its indentation away"
		}
		for j := range k.sub {
			if k.sub[j].name == name && k.name != path {
				return "; " + name + " belongs below " + k.name + ":"
			}
			if find(k.sub[j].sub, &yaml.Node{Kind: yaml.ScalarNode, Value: name}) == nil {
				continue
			}
			switch k.sub[j].kind {
			case override:
				return "; " + name + " belongs below " + k.name + ": " + k.sub[j].name + ":"
			case list:
				return "; " + name + " belongs to an entry below " + k.name + ": " + k.sub[j].name + ":"
			}
		}
	}
	return ""
}

func find(keys []key, n *yaml.Node) *key {
	if n.Kind != yaml.ScalarNode || n.Style&yaml.TaggedStyle != 0 || n.Anchor != "" {
		return nil
	}
	for i := range keys {
		if keys[i].name == n.Value {
			return &keys[i]
		}
	}
	return nil
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style == 0 && (n.Value == "" || n.Value == "~" || n.Value == "null")
}

func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		return "the value " + quote(n.Value)
	}
	return "something else"
}

func names(keys []key) string {
	var all []string
	for i := range keys {
		all = append(all, keys[i].name)
	}
	return strings.Join(all, ", ")
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
