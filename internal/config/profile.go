package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"boardwatchd/configs"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
)

// An Override is one key of a rule profile with another value, as the text after the key in YAML.
type Override struct{ Key, Value string }

// Profile returns the rule profile of that name, with local rules. An error names the wrong key and the remedy.
func Profile(name string, overrides ...Override) (rules.Profile, error) {
	p, ok := embedded()[name]
	if !ok {
		return rules.Profile{}, unknownProfile(name)
	}
	if len(overrides) == 0 {
		return p, nil
	}
	w := &walker{file: name, places: map[string]place{}, profile: true}
	n := &yaml.Node{Kind: yaml.MappingNode} // line 0: there is no file
	for _, o := range overrides {
		v, err := tree([]byte(o.Value))
		if err != nil || v == nil {
			return rules.Profile{}, fmt.Errorf("%s: %s is no value", o.Key, quote(o.Value))
		}
		v.Line, v.Column = 0, 0
		n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: o.Key}, v)
	}
	var local changes
	w.section(profileKeys, n, "", &local)
	p = local.adapt(p)
	w.check(p, "")
	if len(w.problems) > 0 {
		return rules.Profile{}, w.result()
	}
	return p, nil
}

// Rules returns the rule sets for a word on a command line: auto (one for each class of time control), the name of a
// profile, or a YAML file with one. name is their common name.
func Rules(word string) (name string, sets []rules.Profile, err error) {
	switch {
	case word == Auto:
		return Auto, automatic(), nil
	case strings.HasSuffix(word, ".yaml"), strings.HasSuffix(word, ".yml"), strings.ContainsAny(word, `/\`):
		src, err := read(word, "name a file that is there, or one of the profiles: "+strings.Join(configs.ProfileNames(), ", "))
		if err != nil {
			return "", nil, Problems{{File: word, Text: err.Error()}}
		}
		p, err := ParseProfile(word, src)
		if err != nil {
			return "", nil, err
		}
		return p.Name, []rules.Profile{p}, nil
	}
	p, err := Profile(word)
	if err != nil {
		return "", nil, err
	}
	return word, []rules.Profile{p}, nil
}

func unknownProfile(name string) error {
	all := configs.ProfileNames()
	return fmt.Errorf("%s is not one of: %s, %s, and no file that ends in .yaml%s", quote(name), Auto, strings.Join(all, ", "), didYouMean(name, append(all, Auto)))
}

// automaticNames are the rule sets of auto: those of games without adequate supervision (A.5, B.3), because a program
// cannot assume more.
var automaticNames = [...]string{"fide-standard", "fide-rapid", "fide-blitz"}

// automatic returns the rule sets of auto, in a slice of its own.
func automatic() []rules.Profile {
	all := embedded()
	sets := make([]rules.Profile, len(automaticNames))
	for i, name := range automaticNames {
		sets[i] = all[name]
	}
	return sets
}

// embedded are the profiles that come with the program.
var embedded = sync.OnceValue(func() map[string]rules.Profile {
	all := map[string]rules.Profile{}
	for _, name := range configs.ProfileNames() {
		src, err := configs.Profile(name)
		if err == nil {
			all[name], err = ParseProfile("configs/profiles/"+name+".yaml", src)
		}
		if err != nil {
			panic("config: internal error: " + err.Error()) // embedded, and tested
		}
	}
	return all
})

// ParseProfile reads a rule profile: YAML with every key of rules.Profile. file is used only in problems. An error is
// of type Problems.
func ParseProfile(file string, src []byte) (rules.Profile, error) {
	doc, err := document(file, src)
	if err != nil {
		return rules.Profile{}, err
	}
	w := &walker{file: file, places: map[string]place{}, profile: true}
	if doc == nil {
		return rules.Profile{}, Problems{{File: file, Line: 1, Column: 1, Text: "is empty; copy one of the program's rule profiles and change it"}}
	}
	var all changes
	w.section(profileKeys, doc, "", &all)
	for i := range profileKeys {
		k := &profileKeys[i]
		at, written := w.places[k.name]
		switch {
		case len(w.problems) > 0: // reported already, or it would be reported for every key
		case !written && k.name == rookFirst:
			all = append(all, change{rookFirst, func(p *rules.Profile) { p.RookFirst = "irregularity" }})
		case !written:
			w.problem(place{doc.Line, doc.Column}, "", "has no %s: a rule profile says everything, add a line `%s: …`", k.name, k.name)
		case !all.has(k.name):
			w.problem(at, k.name, "is empty; a rule profile says everything (\"\" where there is no text, [] and {} where there is no list)")
		}
	}
	p := all.apply(rules.Profile{})
	if len(w.problems) == 0 {
		w.check(p, "")
	}
	if len(w.problems) > 0 {
		return rules.Profile{}, w.result()
	}
	return p, nil
}

// rookFirst is a key that is missing in profiles written for earlier versions.
const rookFirst = "rook_first"

// changes are changed keys of a profile, in the order of the text.
type changes []change

type change struct {
	key  string
	make func(*rules.Profile)
}

func (cs changes) apply(p rules.Profile) rules.Profile {
	for _, c := range cs {
		c.make(&p)
	}
	return p
}

// adapt returns a profile with local rules: its title, which every alert shows, says so.
func (cs changes) adapt(p rules.Profile) rules.Profile {
	title := p.Title
	p = cs.apply(p)
	harmless := []string{"name", "note", "time_control", "fide_rated"}
	if p.Title == title && slices.ContainsFunc(cs, func(c change) bool { return !slices.Contains(harmless, c.key) }) {
		p.Title += ", with local rules"
	}
	return p
}

func (cs changes) has(key string) bool {
	return slices.ContainsFunc(cs, func(c change) bool { return c.key == key })
}

// profileKeys is the table of a profile's keys, made from the fields of rules.Profile: its set takes *changes.
var profileKeys = func() []key {
	t := reflect.TypeFor[rules.Profile]()
	table := make([]key, t.NumField())
	for i := range table {
		k := &table[i]
		k.name, k.max = t.Field(i).Tag.Get("json"), maxText
		switch t.Field(i).Type.Kind() {
		case reflect.String:
			k.kind = text
		case reflect.Bool:
			k.kind = boolean
		case reflect.Int:
			k.kind, k.max = integer, maxNumber
		case reflect.Slice:
			k.kind = severalWords
		case reflect.Map:
			k.kind = articles
		default:
			panic("config: internal error: rules.Profile." + t.Field(i).Name + " is of a type that no file can give")
		}
		k.set = func(into any, v value) {
			cs := into.(*changes)
			*cs = append(*cs, change{k.name, func(p *rules.Profile) { v.into(reflect.ValueOf(p).Elem().Field(i)) }})
		}
	}
	return table
}()

// Limits of the values of a profile; the longest text of the program's own has 119 characters.
const (
	maxText   = 200
	maxNumber = 99999
	maxWords  = 20
)

// into writes the value into a field of a profile. Slices and maps are the profile's own afterwards.
func (v value) into(field reflect.Value) {
	switch field.Kind() {
	case reflect.String:
		field.SetString(v.text)
	case reflect.Bool:
		field.SetBool(v.yes)
	case reflect.Int:
		field.SetInt(v.number)
	case reflect.Slice:
		field.Set(reflect.ValueOf(slices.Clone(v.list)))
	case reflect.Map: // kinds that are not named keep their articles
		merged := map[kinds.Kind][]string{}
		maps.Copy(merged, field.Interface().(map[kinds.Kind][]string))
		maps.Copy(merged, v.lists)
		field.Set(reflect.ValueOf(merged))
	}
}

// words reads a list of words.
func (w *walker) words(k *key, n *yaml.Node, path string) (list []string, ok bool) {
	at := place{n.Line, n.Column}
	switch {
	case !w.plain(n, path):
		return nil, false
	case n.Kind != yaml.SequenceNode:
		w.problem(at, path, "is %s; it needs a list, like [a, b]", describe(n))
		return nil, false
	case len(n.Content) > maxWords:
		w.problem(at, path, "has %d entries; at most %d are allowed", len(n.Content), maxWords)
		return nil, false
	}
	list = []string{}
	for i, item := range n.Content {
		one := fmt.Sprintf("%s[%d]", path, i)
		at := place{item.Line, item.Column}
		w.places[one] = at
		if !w.plain(item, one) {
			return nil, false
		}
		if item.Kind != yaml.ScalarNode || item.Value == "" {
			w.problem(at, one, "is %s; it needs a word", describe(item))
			return nil, false
		}
		v, err := k.text(item.Value)
		if err != nil {
			w.problem(at, one, "%s %v", quote(item.Value), err)
			return nil, false
		}
		list = append(list, v.text)
	}
	return list, true
}

// articles reads the cited articles of kinds of findings.
func (w *walker) articles(k *key, n *yaml.Node, path string, into any) {
	at := place{n.Line, n.Column}
	switch {
	case !w.plain(n, path):
		return
	case n.Kind != yaml.MappingNode:
		w.problem(at, path, "is %s; it needs kinds of findings with their articles, like {illegal.two_hands: [7.5.4]}", describe(n))
		return
	}
	lists := map[kinds.Kind][]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, v := n.Content[i], n.Content[i+1]
		at := place{name.Line, name.Column}
		one, kind := join(path, name.Value), kinds.Kind(name.Value)
		switch {
		case !w.plain(name, path):
		case name.Kind != yaml.ScalarNode || !kind.Known():
			w.problem(at, path, "%s is no kind of finding; kinds are like illegal.two_hands", quote(name.Value))
		case lists[kind] != nil:
			w.problem(at, one, "is given a second time")
		default:
			if list, ok := w.words(k, v, one); ok {
				lists[kind] = list
			}
		}
	}
	k.set(into, value{lists: lists})
}

// check reports the errors of rules.Profile.Check: at the key, if it is written below one of the paths; else at the
// first of the paths that is written itself.
func (w *walker) check(p rules.Profile, paths ...string) {
	written := func(path string) bool { _, ok := w.places[path]; return ok }
	for _, err := range p.Check() {
		key, what, _ := strings.Cut(err.Error(), ": ")
		if i := slices.IndexFunc(paths, func(path string) bool { return written(join(path, key)) }); i >= 0 {
			path := join(paths[i], key)
			w.problem(w.places[path], path, "%s", what)
			continue
		}
		path := paths[max(0, slices.IndexFunc(paths, written))]
		w.problem(w.place(path), path, "%s: %v", p.Name, err)
	}
}
