package words

import (
	_ "embed" // the texts
	"slices"
	"strconv"
	"strings"
)

// The texts are data, texts/LANGUAGE.txt. English has every key; a language that lacks one falls back to it.
// To add a language: a file, a variable and a row in catalogues.
var (
	//go:embed texts/en.txt
	englishText string
	//go:embed texts/de.txt
	germanText string
	//go:embed texts/es.txt
	spanishText string
	//go:embed texts/fr.txt
	frenchText string
	//go:embed texts/hi.txt
	hindiText string
	//go:embed texts/ru.txt
	russianText string
)

// catalogue is one language.
type catalogue struct {
	lang string // ISO 639-1
	rows []phrase
}

// phrase is one line of a file; a catalogue's phrases are sorted by key.
type phrase struct{ key, text string }

// catalogues are fixed here and never change. English comes first, then the others by their codes.
var catalogues = [...]catalogue{
	mustCatalogue("en", englishText),
	mustCatalogue("de", germanText),
	mustCatalogue("es", spanishText),
	mustCatalogue("fr", frenchText),
	mustCatalogue("hi", hindiText),
	mustCatalogue("ru", russianText),
}

// Languages returns the ISO 639-1 codes of the languages that have texts: English first, then the others in the order
// of their codes.
func Languages() []string {
	list := make([]string, len(catalogues))
	for i := range catalogues {
		list[i] = catalogues[i].lang
	}
	return list
}

// Keys returns every key that has a text, sorted: the kinds of findings, and the other texts.
func Keys() []string {
	keys := make([]string, len(catalogues[0].rows))
	for i, p := range catalogues[0].rows {
		keys[i] = p.key
	}
	return keys
}

// Name returns the arbiters' name of a kind of finding (laws notes, section 1.4): "Illegal knight move". The language
// is a code of Languages, with or without a region ("de", "de-AT"). A name that the language lacks is given in English,
// and a kind without a name is given as its machine name.
func Name(lang, kind string) string { return lookUp(lang, kind) }

// Text returns the text of a key in a language, with {0}, {1} … replaced by args. Placeholders inside args are not
// expanded, and a placeholder without an argument stays as it is. Text falls back as Name does: English, then the key.
func Text(lang, key string, args ...string) string { return expand(lookUp(lang, key), args) }

func lookUp(lang, key string) string {
	if i := strings.IndexAny(lang, "-_"); i >= 0 {
		lang = lang[:i]
	}
	for i := range catalogues {
		if strings.EqualFold(catalogues[i].lang, lang) {
			if text, ok := catalogues[i].find(key); ok {
				return text
			}
		}
	}
	if text, ok := catalogues[0].find(key); ok {
		return text
	}
	return key
}

func (c *catalogue) find(key string) (string, bool) {
	i, ok := slices.BinarySearchFunc(c.rows, key, func(p phrase, key string) int { return strings.Compare(p.key, key) })
	if !ok {
		return "", false
	}
	return c.rows[i].text, true
}

// expand replaces the placeholders with args.
func expand(text string, args []string) string {
	return fill(text, func(p placeholder) (string, bool) {
		if p.n >= len(args) || p.form != "" || p.capital {
			return "", false
		}
		return args[p.n], true
	})
}

// mustCatalogue reads an embedded file. A test checks the files, so a wrong one does not get into a release.
func mustCatalogue(lang, file string) catalogue {
	rows, problem := parsePhrases(file)
	if problem != "" {
		panic("words: internal error: texts/" + lang + ".txt: " + problem)
	}
	return catalogue{lang: lang, rows: rows}
}

// parsePhrases reads lines of a key, a tab and a text, in any order, between empty lines and lines that begin with #.
// The problem is "LINE: description", or "".
func parsePhrases(file string) (rows []phrase, problem string) {
	n := 0
	for line := range strings.Lines(file) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		key, text, ok := strings.Cut(line, "\t")
		if !ok || key == "" || text == "" || strings.TrimSpace(text) != text || strings.ContainsAny(text, "\t\r") {
			return nil, strconv.Itoa(n) + ": a key, one tab and a text are expected, without space around them"
		}
		rows = append(rows, phrase{key, text})
	}
	slices.SortFunc(rows, func(a, b phrase) int { return strings.Compare(a.key, b.key) })
	for i := 1; i < len(rows); i++ {
		if rows[i].key == rows[i-1].key {
			return nil, "the key " + rows[i].key + " stands there twice"
		}
	}
	return rows, ""
}
