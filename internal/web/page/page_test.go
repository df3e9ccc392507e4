package page

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/words"
)

// firstPaint are the files of the list of boards, which is what a phone opens.
var firstPaint = []string{"index.html", "style.css", "icon.svg", "manifest.webmanifest", "js/app.js"}

// The limits, in bytes: as it is sent by package web, compressed, and without compression in the longest language.
const (
	firstPaintLimit = 50 << 10
	plainLimit      = 150 << 10 // 133 before boards could be searched and only those in sight were drawn, 140 before they could have tables, 142 before clocks said their age, 148 before the list was followed by summaries and notices were said in every language
)

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := fs.ReadFile(FS(), name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func texts(t *testing.T, lang string) map[string]string {
	t.Helper()
	b, ok := Texts(lang)
	if !ok {
		t.Fatalf("%s: no texts", lang)
	}
	m := map[string]string{}
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatalf("%s: %v", lang, err)
	}
	for _, group := range Groups() {
		own := len(m)
		more, ok := GroupTexts(group, lang)
		var its map[string]string
		if err := json.Unmarshal(more, &its); !ok || err != nil {
			t.Fatalf("%s: the texts of the %s: %v, %v", lang, group, ok, err)
		}
		if maps.Copy(m, its); len(m) != own+len(its) {
			t.Fatalf("%s: a key of the %s stands in other texts as well", lang, group)
		}
	}
	return m
}

// sources are the page's modules, the service worker included.
func sources(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(FS(), ".", func(p string, _ fs.DirEntry, err error) error {
		if err == nil && path.Ext(p) == ".js" {
			all[p] = read(t, p)
		}
		return err
	})
	if err != nil || len(all) < 15 {
		t.Fatalf("modules: %d, %v", len(all), err)
	}
	return all
}

// languages returns the codes that Texts knows: English first, then the others in the order of their codes.
func languages() []string {
	list := []string{"en"}
	entries, err := files.ReadDir("texts")
	if err != nil {
		panic("page: internal error: " + err.Error())
	}
	for _, e := range entries {
		if lang, ok := strings.CutSuffix(e.Name(), ".json"); ok && lang != "en" {
			list = append(list, lang)
		}
	}
	return list
}

func TestEveryLanguageOfTheRulesHasThePageToo(t *testing.T) {
	if got, want := languages(), words.Languages(); !slices.Equal(got, want) {
		t.Errorf("languages %v, want %v", got, want)
	}
	for _, lang := range []string{"", "xx", "../texts/en", "en.json", "EN"} {
		if _, ok := Texts(lang); ok {
			t.Errorf("texts for %q", lang)
		}
	}
}

var placeholder = regexp.MustCompile(`\{\d\}`)

func TestEveryLanguageHasTheSameKeysAndPlaceholders(t *testing.T) {
	english := texts(t, "en")
	for _, lang := range languages() {
		own := texts(t, lang)
		for key, text := range english {
			other, ok := own[key]
			if !ok {
				t.Errorf("%s: %s is missing", lang, key)
				continue
			}
			want, got := placeholder.FindAllString(text, -1), placeholder.FindAllString(other, -1)
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(want, got) {
				t.Errorf("%s: %s has %v, English has %v", lang, key, got, want)
			}
		}
		for key, text := range own {
			if _, ok := english[key]; !ok {
				t.Errorf("%s: %s is not in English", lang, key)
			}
			if strings.TrimSpace(text) != text || text == "" || strings.ContainsAny(text, "<>") {
				t.Errorf("%s: %s: %q", lang, key, text)
			}
		}
	}
}

// TestServedTextsHaveBoth: the names of kinds come with the first texts, the sentences about them with the rest.
func TestServedTextsHaveBoth(t *testing.T) {
	for group, keys := range map[string][2][]string{
		"":     {{"illegal.knight", "end.checkmate", "alert.look", "close"}, {"reason.illegal", "row.alert", "secure.why", "sheet.title"}},
		Rest:   {{"reason.illegal", "secure.why"}, {"illegal.knight", "close", "sheet.title"}},
		"hall": {{"hall.title"}, {"illegal.knight", "reason.illegal"}},
	} {
		b, ok := Served(group, "de")
		m := map[string]string{}
		if err := json.Unmarshal(b, &m); err != nil || !ok {
			t.Fatal(err)
		}
		for _, key := range keys[0] {
			if own, core := texts(t, "de")[key], words.Text("de", key); m[key] == "" || m[key] != own && m[key] != core {
				t.Errorf("texts of %q: %s is %q", group, key, m[key])
			}
		}
		for _, key := range keys[1] {
			if m[key] != "" {
				t.Errorf("texts of %q have %s", group, key)
			}
		}
	}
	for _, lang := range []string{"xx", "", "../en"} {
		if _, ok := Served("", lang); ok {
			t.Errorf("texts for %q", lang)
		}
	}
	if _, ok := Served("xx", "en"); ok {
		t.Error("texts of a group xx")
	}
}

// TestTheFirstTextsAreThoseOfTheFirstScreens: the list of boards and pairing have all texts that their modules name,
// and nothing else is loaded with them.
func TestTheFirstTextsAreThoseOfTheFirstScreens(t *testing.T) {
	b, _ := Served("", "en")
	first, own := map[string]string{}, map[string]string{}
	text, _ := Texts("en")
	if err := errors.Join(json.Unmarshal(b, &first), json.Unmarshal(text, &own)); err != nil {
		t.Fatal(err)
	}
	all, known := sources(t), texts(t, "en")
	literal, needed := regexp.MustCompile(`'([a-zA-Z][\w.-]*)'`), map[string]bool{}
	for name := range closure(all, "js/app.js", "js/pair.js") {
		for _, m := range literal.FindAllStringSubmatch(all[name], -1) {
			for key := range known {
				if key == m[1] || strings.HasSuffix(m[1], ".") && strings.HasPrefix(key, m[1]) || slices.Contains([]string{"health", "link", "answer", "cause"}, m[1]) && strings.HasPrefix(key, m[1]+".") {
					needed[key] = true
				}
			}
		}
	}
	for _, group := range Groups() {
		if group == Rest {
			continue
		}
		more, _ := GroupTexts(group, "en")
		its := map[string]string{}
		if err := json.Unmarshal(more, &its); err != nil {
			t.Fatal(err)
		}
		for key := range its {
			delete(needed, key) // the screens load their group themselves
		}
	}
	for key := range needed {
		if first[key] == "" {
			t.Errorf("%s is named by a module of the first screens, and comes with the rest", key)
		}
	}
	for key := range own {
		if !needed[key] {
			t.Errorf("%s comes first, and no module of the first screens names it", key)
		}
	}
}

// closure are modules with all that they import.
func closure(all map[string]string, names ...string) map[string]bool {
	seen := map[string]bool{}
	for len(names) > 0 {
		name := names[0]
		if names = names[1:]; seen[name] {
			continue
		}
		seen[name] = true
		for _, m := range staticImport.FindAllStringSubmatch(all[name], -1) {
			names = append(names, path.Join(path.Dir(name), m[1]))
		}
	}
	return seen
}

// used are the keys that the modules name: whole, or the beginning of a group that ends with a point.
var used = regexp.MustCompile(`(?:^|[^\w.])(?:t|has)\('([a-zA-Z][\w.-]*)'`)

func TestModulesUseKeysThatExist(t *testing.T) {
	english := texts(t, "en")
	for name, text := range sources(t) {
		for _, m := range used.FindAllStringSubmatch(text, -1) {
			key := m[1]
			if strings.HasSuffix(key, ".") {
				whole := slices.ContainsFunc(slices.Collect(maps.Keys(english)), func(k string) bool { return strings.HasPrefix(k, key) })
				if !whole && key != "proof." && key != "ruling." {
					t.Errorf("%s: nothing begins with %s", name, key)
				}
			} else if _, ok := english[key]; !ok && words.Text("en", key) == key {
				t.Errorf("%s: there is no text %s", name, key)
			}
		}
	}
}

// TestEveryHealthLineHasAName: the words of health lines stand in the code of the core and of the detector.
func TestEveryHealthLineHasAName(t *testing.T) {
	written := regexp.MustCompile(`\.(?:health|note)\("([a-z_]+)"`)
	found := map[string]bool{}
	for _, dir := range []string{"../../watch", "../../../detector"} {
		list, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %d files, %v", dir, len(list), err)
		}
		for _, name := range list {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, m := range written.FindAllSubmatch(text, -1) {
				found[string(m[1])] = true
			}
		}
	}
	if len(found) < 20 {
		t.Errorf("%d words found", len(found))
	}
	english := texts(t, "en")
	for what := range found {
		if english["health."+what] == "" {
			t.Errorf("a health line %q has no text health.%s", what, what)
		}
	}
}

// imports are relative paths of static and dynamic imports.
var (
	staticImport  = regexp.MustCompile(`(?m)^import [^;]*from '(\./[\w.]+)';`)
	dynamicImport = regexp.MustCompile(`import\('(\./[\w.]+)'\)`)
)

func TestImportsExist(t *testing.T) {
	all := sources(t)
	for name, text := range all {
		found := append(staticImport.FindAllStringSubmatch(text, -1), dynamicImport.FindAllStringSubmatch(text, -1)...)
		for _, m := range found {
			if _, ok := all[path.Join(path.Dir(name), m[1])]; !ok {
				t.Errorf("%s imports %s, which is not there", name, m[1])
			}
		}
	}
}

// forbidden by the policy of package web, or unsafe with data from outside.
var forbidden = []string{
	"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "setAttribute('style'",
	"style:", "javascript:", "http://", "localhost", "127.0.0.1",
}

func TestPageKeepsThePolicy(t *testing.T) {
	for name, text := range sources(t) {
		text = strings.ReplaceAll(text, "http://www.w3.org/2000/svg", "")
		for _, word := range forbidden {
			if strings.Contains(text, word) {
				t.Errorf("%s: %s", name, word)
			}
		}
		if !strings.HasPrefix(text, "// @ts-check\n") {
			t.Errorf("%s is not checked for types", name)
		}
		if n := strings.Count(text, "\n"); n > 500 {
			t.Errorf("%s has %d lines", name, n)
		}
	}
	html := read(t, "index.html")
	for _, m := range regexp.MustCompile(`<script[^>]*>([^<]*)</script>|<style|\son\w+=|\sstyle=`).FindAllStringSubmatch(html, -1) {
		if m[1] != "" || !strings.HasPrefix(m[0], "<script") {
			t.Errorf("index.html: %s", m[0])
		}
	}
	for _, m := range regexp.MustCompile(`(?:href|src)="/([^"]+)"`).FindAllStringSubmatch(html, -1) {
		read(t, m[1])
	}
}

func TestPiecesAreNotGlyphs(t *testing.T) {
	for name, text := range sources(t) {
		if i := strings.IndexFunc(text, func(r rune) bool { return r >= 0x2654 && r <= 0x265F }); i >= 0 {
			t.Errorf("%s: a chess glyph at byte %d: phones draw the black pawn as an emoji", name, i)
		}
	}
}

func packed(t *testing.T, b []byte) int {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// TestFirstPaintIsSmall counts what is loaded before the list of boards is shown.
func TestFirstPaintIsSmall(t *testing.T) {
	all := sources(t)
	plain, sent, count := 0, 0, 0
	for name := range closure(all, firstPaint...) {
		text := read(t, name)
		plain += len(text)
		sent += packed(t, []byte(text))
		count++
	}
	longest, packedTexts := 0, 0
	for _, lang := range languages() {
		b, _ := Served("", lang)
		longest, packedTexts = max(longest, len(b)), max(packedTexts, packed(t, b))
	}
	t.Logf("%d files: %d bytes plain, %d sent; texts at most %d and %d", count, plain, sent, longest, packedTexts)
	if sent+packedTexts > firstPaintLimit {
		t.Errorf("first paint: %d bytes sent, more than %d", sent+packedTexts, firstPaintLimit)
	}
	if plain+longest > plainLimit {
		t.Errorf("first paint: %d bytes without compression, more than %d", plain+longest, plainLimit)
	}
}

func TestManifestNamesFilesThatExist(t *testing.T) {
	var m struct {
		Icons []struct{ Src string }
	}
	if err := json.Unmarshal([]byte(read(t, "manifest.webmanifest")), &m); err != nil {
		t.Fatal(err)
	}
	if len(m.Icons) < 3 {
		t.Errorf("%d icons", len(m.Icons))
	}
	for _, i := range m.Icons {
		read(t, strings.TrimPrefix(i.Src, "/"))
	}
}

// TestEveryReasonForNeverHasAText: a page that says that a side can never mate says why.
func TestEveryReasonForNeverHasAText(t *testing.T) {
	for _, lang := range languages() {
		have := texts(t, lang)
		for r := helpmate.Over; r <= helpmate.Counted; r++ {
			if have["mate."+r.String()] == "" {
				t.Errorf("%s: no text mate.%s", lang, r)
			}
		}
	}
}

// A text of the page that has the key of a sentence would be said in its place.
func TestThePageHasNoKeyOfASentence(t *testing.T) {
	own := texts(t, "en")
	for _, key := range words.Keys() {
		if _, ok := own[key]; ok {
			t.Errorf("%s is a key of both", key)
		}
	}
}

// A notice is said in Go with a key of texts/notice: each key has a text there, and each text is said.
func TestEveryNoticeHasATextAndIsSaid(t *testing.T) {
	key, said := regexp.MustCompile(`"(notice\.[a-z_.]+)"`), map[string]bool{"notice.title": true}
	for _, dir := range []string{"../..", "../../../cmd"} {
		err := filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
			if err != nil || path.Ext(p) != ".go" || strings.HasSuffix(p, "_test.go") {
				return err
			}
			source, err := os.ReadFile(p)
			for _, m := range key.FindAllSubmatch(source, -1) {
				said[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	b, _ := GroupTexts("notice", "en")
	known := map[string]string{}
	if err := json.Unmarshal(b, &known); err != nil {
		t.Fatal(err)
	}
	for key := range said {
		if known[key] == "" {
			t.Errorf("%s is said and has no text", key)
		}
	}
	for key := range known {
		if !said[key] {
			t.Errorf("%s has a text and is not said", key)
		}
	}
}

func TestEnglish(t *testing.T) {
	for want, s := range map[string]words.Sentence{
		"":             {},
		"as it stands": words.Verbatim("as it stands"),
		"Computer pi: It runs version 2, the hall 1.": words.Say("notice.row", words.Say("hall.computer", "pi"), words.Say("hall.version", "2", "1")),
		"no.such_key": words.Say("no.such_key"),
		words.Name("en", "illegal.knight") + ", Set it again.": words.List(", ", []words.Sentence{words.Say("illegal.knight"), words.Say("notice.round.do")}),
	} {
		if got := English(s); got != want {
			t.Errorf("%+v is %q in English, want %q", s, got, want)
		}
	}
}
