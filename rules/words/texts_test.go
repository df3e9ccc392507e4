package words

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"boardwatchd/rules/kinds"
)

func TestEveryKindHasANameInEveryLanguage(t *testing.T) {
	for i := range catalogues {
		c := &catalogues[i]
		for _, row := range kinds.All() {
			kind := string(row.Kind)
			if name, ok := c.find(kind); !ok || utf8.RuneCountInString(name) > 60 {
				t.Errorf("%s: %s is called %q; want a short name", c.lang, kind, name)
			}
		}
	}
}

var (
	hole    = regexp.MustCompile(`\{([0-9]+)(:[a-z]+)?\^?\}`)
	article = regexp.MustCompile(`\b(A\.[0-9.]+|[0-9]+[A-Z])\b`) // articles, the same in every language
	keyForm = regexp.MustCompile(`^[a-z]+(\.[a-z0-9_]+)+$`)
)

// holes returns the numbers of the arguments that a text uses, each once.
func holes(text string) (list []string) {
	for _, m := range hole.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// orgs are names of organisations, which some languages leave in Latin letters.
var orgs = []string{"CAA", "FIDE", "WBCA"}

// script is the alphabet in which a language is written; a Latin letter lookalike in a Cyrillic word is a typing error.
var script = map[string]*unicode.RangeTable{
	"en": unicode.Latin, "de": unicode.Latin, "es": unicode.Latin, "fr": unicode.Latin, "hi": unicode.Devanagari, "ru": unicode.Cyrillic,
}

func TestFilesAreClean(t *testing.T) {
	english := &catalogues[0]
	if english.lang != "en" {
		t.Fatalf("the language fallen back to is %s", english.lang)
	}
	for _, lang := range Languages() {
		file, err := os.ReadFile(filepath.Join("texts", lang+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(file) || strings.ContainsRune(string(file), utf8.RuneError) {
			t.Errorf("%s is not UTF-8", lang)
		}
		rows, problem := parsePhrases(string(file))
		if problem != "" {
			t.Fatalf("%s: %s", lang, problem)
		}
		names := map[string]string{}
		for _, r := range rows {
			if !keyForm.MatchString(r.key) {
				t.Errorf("%s: %q is no key", lang, r.key)
			}
			want, known := english.find(r.key)
			if !known {
				t.Errorf("%s: English does not know the key %s", lang, r.key)
			}
			have, wanted := holes(r.text), holes(want)
			if !slices.Equal(have, wanted) {
				t.Errorf("%s: %s has the placeholders %v, English has %v", lang, r.key, have, wanted)
			}
			if kinds.Kind(r.key).Known() {
				if other, twice := names[r.text]; twice {
					t.Errorf("%s: %s and %s are both called %q", lang, other, r.key, r.text)
				}
				names[r.text] = r.key
			}
			for _, word := range strings.FieldsFunc(article.ReplaceAllString(hole.ReplaceAllString(r.text, ""), ""), func(c rune) bool { return !unicode.In(c, unicode.L, unicode.M) }) {
				if !slices.Contains(orgs, word) && strings.ContainsFunc(word, func(c rune) bool { return !unicode.In(c, script[lang], unicode.Inherited) }) {
					t.Errorf("%s: %s: %q is not written in %s's letters alone", lang, r.key, word, lang)
				}
			}
		}
	}
}

func TestEveryFileIsALanguage(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("texts", "*"))
	if err != nil || len(files) != len(Languages()) {
		t.Fatalf("%v, %v: want one file for each of %v", files, err, Languages())
	}
}

func TestNamesFallBack(t *testing.T) {
	for _, c := range []struct{ lang, kind, want string }{
		{"en", "illegal.knight", "Illegal knight move"},
		{"de", "illegal.knight", "Regelwidriger Springerzug"},
		{"de-AT", "illegal.knight", "Regelwidriger Springerzug"},
		{"RU_ru", "end.stalemate", "Пат"},
		{"pl", "illegal.knight", "Illegal knight move"},
		{"", "illegal.knight", "Illegal knight move"},
		{"de", "illegal.unheard_of", "illegal.unheard_of"},
		{"de", "", ""},
	} {
		if have := Name(c.lang, c.kind); have != c.want {
			t.Errorf("Name(%q, %q) is %q, want %q", c.lang, c.kind, have, c.want)
		}
	}
}

func TestPlaceholders(t *testing.T) {
	for _, c := range []struct {
		text string
		args []string
		want string
	}{
		{"Board {0}: please look", []string{"12"}, "Board 12: please look"},
		{"{1} after {0}, {1}", []string{"a", "b"}, "b after a, b"},
		{"what is put in is not expanded: {0}", []string{"{1}{0}", "x"}, "what is put in is not expanded: {1}{0}"},
		{"an argument is missing: {1}", []string{"a"}, "an argument is missing: {1}"},
		{"no placeholder: {", []string{"a"}, "no placeholder: {"},
		{"no placeholder: {00} {-0} {+0} {a} {}", []string{"a"}, "no placeholder: {00} {-0} {+0} {a} {}"},
		{"{{0}}", []string{"a"}, "{a}"},
		{"nothing is put in: {0}", nil, "nothing is put in: {0}"},
	} {
		if have := expand(c.text, c.args); have != c.want {
			t.Errorf("%q with %q is %q, want %q", c.text, c.args, have, c.want)
		}
	}
	if have := Text("fr", "alert.look", "7"); have != "Échiquier 7\u00a0: merci de regarder" {
		t.Errorf("French: %q", have)
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	for _, file := range []string{"a\tb\na\tc\n", "a b\n", "a\t\n", "\tb\n", "a\tb\tc\n", "a\tb\r\n", "a\t b\n", "a\n"} {
		if rows, problem := parsePhrases(file); problem == "" {
			t.Errorf("%q is read as %v", file, rows)
		}
	}
	if rows, problem := parsePhrases("# c\n\nb\t2\na\t1"); problem != "" || len(rows) != 2 || rows[0] != (phrase{"a", "1"}) {
		t.Errorf("%v, %q", rows, problem)
	}
}

// FuzzText: the oracle replaces the placeholders one by one in a text whose arguments have no braces.
func FuzzText(f *testing.F) {
	f.Add("{0} and {1}", "a", "b")
	f.Add("{{0}}{1", "", "x")
	f.Fuzz(func(t *testing.T, text, a, b string) {
		if strings.ContainsAny(a+b, "{}") {
			t.Skip()
		}
		if have, want := expand(text, []string{a, b}), strings.NewReplacer("{0}", a, "{1}", b).Replace(text); have != want {
			t.Errorf("%q with %q, %q is %q, want %q", text, a, b, have, want)
		}
	})
}

func TestKeysHaveATextInEveryLanguage(t *testing.T) {
	keys := Keys()
	if !slices.IsSorted(keys) || len(keys) < 60 || !slices.Contains(keys, "illegal.knight") {
		t.Fatalf("%d keys: %v", len(keys), keys)
	}
	for i := range catalogues {
		for _, k := range keys {
			if _, ok := catalogues[i].find(k); !ok {
				t.Errorf("%s has no text for %s", catalogues[i].lang, k)
			}
		}
	}
}
