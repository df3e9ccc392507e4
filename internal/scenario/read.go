package scenario

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"boardwatchd/internal/config"
)

// MaxBytes is the size of the largest file that is read.
const MaxBytes = 4 << 20

// maxCases bounds a file.
const maxCases = 10_000

// Read reads a file of cases. The error, of type config.Problems, is about the file as a whole: it is not YAML, or has
// no list of scenarios. Faults of one case are in its Problems; faults of a profile concern every case that uses it.
func Read(name string, src []byte) (*File, error) {
	r := &reader{file: &File{Name: name}, ids: map[string]int{}}
	root, err := r.tree(bytes.TrimPrefix(src, []byte("\ufeff")))
	if err != nil {
		return nil, err
	}
	r.top(root)
	if len(r.fatal) > 0 {
		return nil, r.fatal
	}
	return r.file, nil
}

// reader goes through the tree of a file.
type reader struct {
	file  *File
	fatal config.Problems
	ids   map[string]int // place of the first use of each id
	one   *Case          // the case whose problems are being found; nil: the file's
}

func (r *reader) tree(src []byte) (root *yaml.Node, err error) {
	whole := func(line int, format string, a ...any) error {
		return config.Problems{{File: r.file.Name, Line: line, Column: min(line, 1), Text: fmt.Sprintf(format, a...)}}
	}
	if len(src) > MaxBytes {
		return nil, whole(0, "has %d bytes; a file of cases has at most %d", len(src), MaxBytes)
	}
	defer func() { // yaml.v3 turns its own panics into errors, except those it did not foresee
		if p := recover(); p != nil {
			root, err = nil, whole(1, "not readable as YAML (the parser gave up: %v)", p)
		}
	}()
	var doc yaml.Node
	if err := yaml.Unmarshal(src, &doc); err != nil {
		line, text := yamlError(err)
		return nil, whole(line, "not readable as YAML: %s; check the indentation, and put values with a colon in quotes", text)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, whole(0, "is empty; a file of cases has a list `scenarios:`")
	}
	return doc.Content[0], nil
}

// yamlError separates the line from the parser's message.
func yamlError(err error) (line int, text string) {
	text = strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(text, "line "); ok {
		if n, after, ok := strings.Cut(rest, ": "); ok {
			if v, err := strconv.Atoi(n); err == nil {
				return v, after
			}
		}
	}
	return 1, text
}

// problem notes a fault at a node.
func (r *reader) problem(n *yaml.Node, key, format string, a ...any) {
	p := config.Problem{File: r.file.Name, Line: n.Line, Column: n.Column, Key: key, Text: fmt.Sprintf(format, a...)}
	if r.one != nil {
		r.one.Problems = append(r.one.Problems, p)
		return
	}
	r.fatal = append(r.fatal, p)
}

// refuse notes a problem that makes the case unplayable.
func (r *reader) refuse(n *yaml.Node, key, format string, a ...any) {
	r.problem(n, key, format, a...)
	if r.one != nil {
		r.one.Broken = true
	}
}

// keys calls the function of each key of a mapping. Other keys are a problem, and so is one that is given twice.
func (r *reader) keys(n *yaml.Node, where string, known map[string]func(*yaml.Node)) {
	if !r.plain(n, where) {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.refuse(n, where, "needs keys below it: %s", strings.Join(sorted(known), ", "))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		read, ok := known[k.Value]
		switch {
		case k.Kind != yaml.ScalarNode || !ok:
			r.problem(k, where, "has no key %q%s; the keys are %s", k.Value, near(k.Value, sorted(known)), strings.Join(sorted(known), ", "))
		case seen[k.Value]:
			r.problem(k, where, "has %s twice; take one of them out", k.Value)
		case r.plain(v, k.Value):
			seen[k.Value] = true
			read(v)
		}
	}
}

func sorted(m map[string]func(*yaml.Node)) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// plain refuses the parts of YAML that are dangerous to expand.
func (r *reader) plain(n *yaml.Node, key string) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		r.refuse(n, key, "anchors (&) and aliases (*) are not supported; write the value out, or put it in quotes")
		return false
	}
	return true
}

// scalar returns the text of a value as written, regardless of its type in YAML: 1-0 and no are words here.
func (r *reader) scalar(n *yaml.Node, key string) string {
	if n.Kind != yaml.ScalarNode {
		r.refuse(n, key, "needs a single value")
		return ""
	}
	return strings.TrimSpace(n.Value)
}

// list returns a list of single values.
func (r *reader) list(n *yaml.Node, key string) []*yaml.Node {
	if n.Kind == yaml.ScalarNode && n.Value == "" {
		return nil // `press_results:` without a value
	}
	if n.Kind != yaml.SequenceNode {
		r.refuse(n, key, "needs a list: [a, b]")
		return nil
	}
	var items []*yaml.Node
	for _, item := range n.Content {
		if r.plain(item, key) && r.scalar(item, key) != "" {
			items = append(items, item)
		}
	}
	return items
}

// free accepts any content: a part of the file for people.
func free(*yaml.Node) {}

func (r *reader) top(root *yaml.Node) {
	var scenarios *yaml.Node
	r.keys(root, "", map[string]func(*yaml.Node){
		"meta": free, "vocabulary": free, "fields": free,
		"profiles":  r.profiles,
		"scenarios": func(n *yaml.Node) { scenarios = n },
	})
	switch {
	case len(r.fatal) > 0:
	case scenarios == nil || scenarios.Kind != yaml.SequenceNode || len(scenarios.Content) == 0:
		r.problem(root, "scenarios", "is missing: a file of cases has a list `scenarios:` whose rows begin with `- id: …`")
	case len(scenarios.Content) > maxCases:
		r.problem(scenarios, "scenarios", "has %d rows; at most %d are read", len(scenarios.Content), maxCases)
	default:
		for _, n := range scenarios.Content {
			r.readCase(n)
		}
	}
}

// profiles reads names, time controls and inheritance. The rules themselves come from the program.
func (r *reader) profiles(n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		r.problem(n, "profiles", "needs names of profiles below it")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if r.file.profile(k.Value) != nil {
			r.problem(k, "profiles", "%s is given twice; take one of them out", k.Value)
			continue
		}
		p := Profile{Name: k.Value}
		for j := 0; v.Kind == yaml.MappingNode && j+1 < len(v.Content); j += 2 {
			switch value := v.Content[j+1].Value; v.Content[j].Value {
			case "tc":
				p.TC = value
			case "inherits":
				p.Inherits = value
			}
		}
		r.file.Profiles = append(r.file.Profiles, p)
	}
}

// idForm is the form of an id: it is used in names of journals and on command lines.
var idForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// JournalName returns the case's id as the name of a journal, in which a dot begins the number of a segment.
func (c *Case) JournalName() string { return strings.ReplaceAll(c.ID, ".", "_") }

// readCase reads one case.
func (r *reader) readCase(n *yaml.Node) {
	c := Case{Line: n.Line}
	r.one = &c
	defer func() { r.one = nil }()
	at := map[string]*yaml.Node{}
	note := func(key string, f func(*yaml.Node)) func(*yaml.Node) {
		return func(v *yaml.Node) { at[key] = v; f(v) }
	}
	r.keys(n, "a case", map[string]func(*yaml.Node){
		"id":            note("id", func(v *yaml.Node) { c.ID = r.scalar(v, "id") }),
		"title":         func(v *yaml.Node) { c.Title = r.scalar(v, "title") },
		"trace":         func(v *yaml.Node) { c.Trace = r.scalar(v, "trace") },
		"profile":       note("profile", func(v *yaml.Node) { c.Profile = r.scalar(v, "profile") }),
		"scan":          func(v *yaml.Node) { c.Scan = r.scan(v) },
		"hands":         func(v *yaml.Node) { c.Hands = r.pace(v) },
		"tc":            note("tc", func(v *yaml.Node) { c.TC = r.scalar(v, "tc") }),
		"start":         note("start", free),
		"unchecked":     func(v *yaml.Node) { c.Unchecked = r.yes(v, "unchecked") },
		"rules":         note("rules", free),
		"strikes":       func(v *yaml.Node) { r.sides(v, "strikes", &c.Strikes) },
		"actions":       note("actions", func(v *yaml.Node) { c.Acts = r.acts(v) }),
		"press_results": note("press_results", func(v *yaml.Node) { c.Presses = r.presses(v) }),
		"expect":        note("expect", func(v *yaml.Node) { r.expect(v, &c.Expect) }),
	})
	for _, key := range [...]string{"id", "profile", "start", "actions", "press_results", "expect"} {
		if at[key] == nil {
			r.refuse(n, "a case", "has no %s", key)
		}
	}
	if v := at["start"]; v != nil {
		c.Start = r.start(v, c.Unchecked)
	}
	if v := at["rules"]; v != nil {
		c.Rules = r.rules(v, c.Profile)
	}
	r.identify(&c, at["id"])
	if v := at["profile"]; v != nil && len(r.file.Profiles) > 0 && r.file.profile(c.Profile) == nil {
		var names []string
		for _, p := range r.file.Profiles {
			names = append(names, p.Name)
		}
		r.refuse(v, "profile", "%q is none of the file's profiles%s", c.Profile, near(c.Profile, names))
	}
	r.whole(&c, n, at)
	r.file.Cases = append(r.file.Cases, c)
}

// identify checks the id.
func (r *reader) identify(c *Case, at *yaml.Node) {
	if at == nil {
		return
	}
	if !idForm.MatchString(c.ID) {
		r.refuse(at, "id", "%q is no id; it is made of letters, digits, dots, - and _", c.ID)
		return
	}
	if line, twice := r.ids[c.ID]; twice {
		r.refuse(at, "id", "%s is given a second time; the first is in line %d", c.ID, line)
		return
	}
	r.ids[c.ID] = at.Line
}

// whole checks conditions on the whole case: whether the clock can be set and the acts are possible, in this order, on
// this board.
func (r *reader) whole(c *Case, n *yaml.Node, at map[string]*yaml.Node) {
	if c.Broken {
		return
	}
	if v := at["tc"]; v != nil || c.TC == "" {
		c.TC = r.file.timeControl(c)
		if v == nil {
			v = n
		}
		if _, err := clockOptions(c.TC); err != nil {
			r.refuse(v, "tc", "%v", err)
			return
		}
	}
	if _, err := c.Plan(0); err != nil {
		if p, ok := err.(*planError); ok {
			r.refuse(&yaml.Node{Line: p.act.Line, Column: p.act.Column}, "actions", "%s: %s", p.act, p.text)
			return
		}
		r.refuse(at["start"], "start", "%v", err)
	}
}
