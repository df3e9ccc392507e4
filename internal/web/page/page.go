package page

import (
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"sync"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/words"
)

//go:embed assets texts
var files embed.FS

// FS has the files that are served under /: index.html, style.css, js/…, sw.js, manifest.webmanifest and the icons.
// They hold no data, so that everybody may have them.
func FS() fs.FS {
	sub, err := fs.Sub(files, "assets")
	if err != nil {
		panic("page: internal error: " + err.Error())
	}
	return sub
}

// Texts returns the page's own texts of the list of boards and of pairing in a language: one JSON object of keys and
// texts, with {0}, {1} … for arguments. It returns false for an unknown language. The names of kinds are not in it
// (words.Name).
func Texts(lang string) ([]byte, bool) { return textsIn("texts", lang) }

// Rest is the group of the texts that all screens but the first ones need.
const Rest = "rest"

// Groups are the groups of texts that are loaded when they are needed: the rest, the replay, the round, the list of
// computers and boards, the tables, the notices about the program, people's inputs, and the quiet display.
func Groups() []string {
	return []string{Rest, "replay", "round", "hall", "tables", "notice", "tell", "quiet"}
}

// GroupTexts are the texts of a group.
func GroupTexts(group, lang string) ([]byte, bool) { return textsIn("texts/"+group, lang) }

func textsIn(dir, lang string) ([]byte, bool) {
	if lang == "" || strings.ContainsAny(lang, "/.\\") {
		return nil, false
	}
	b, err := files.ReadFile(path.Join(dir, lang+".json"))
	if err != nil {
		return nil, false
	}
	return b, true
}

// English returns a sentence of the page's texts, those of the groups included, or of package words, in English.
func English(s words.Sentence) string {
	return s.With(func(key string) string {
		if text, ok := english()[key]; ok {
			return text
		}
		return words.Text("en", key)
	})
}

var english = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	add := func(b []byte, ok bool) {
		if err := json.Unmarshal(b, &all); err != nil || !ok {
			panic("page: internal error: the English texts are damaged")
		}
	}
	add(Texts("en"))
	for _, group := range Groups() {
		add(GroupTexts(group, "en"))
	}
	return all
})

// Served is the answer to GET /texts/LANG.json (group "") or /texts/GROUP/LANG.json: the page's texts, and of those of
// package words the names of kinds with the first, the others with the rest. It returns false for an unknown group or
// language.
func Served(group, lang string) ([]byte, bool) {
	own, ok := Texts(lang)
	if group != "" {
		own, ok = GroupTexts(group, lang)
	}
	if !ok || group != "" && group != Rest {
		return own, ok
	}
	all := make(map[string]string, 1024)
	for _, key := range words.Keys() {
		if named()[key] == (group == "") && !strings.HasPrefix(key, "sheet.") { // the printed report has those
			all[key] = words.Text(lang, key)
		}
	}
	if err := json.Unmarshal(own, &all); err != nil {
		panic("page: internal error: texts/" + lang + ".json: " + err.Error())
	}
	b, err := json.Marshal(all)
	if err != nil {
		panic("page: internal error: " + err.Error())
	}
	return b, true
}

// named are the keys of package words that the list of boards shows: the names of kinds, and how an alert is announced.
var named = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{"alert.look": true}
	for _, row := range kinds.All() {
		all[string(row.Kind)] = true
	}
	return all
})
