package page

import (
	"embed"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
)

//go:embed assets texts
var files embed.FS

// FS has what is served under /: index.html, style.css, js/…, sw.js, manifest.webmanifest and the icons. There is no
// data in it, so that it may be served to everybody.
func FS() fs.FS {
	sub, err := fs.Sub(files, "assets")
	if err != nil {
		panic("page: internal error: " + err.Error())
	}
	return sub
}

// Texts returns the page's own texts in a language: one JSON object of keys and texts, with {0}, {1} … for what is put
// in. False: there is none. The names of kinds are not in it (words.Name).
func Texts(lang string) ([]byte, bool) { return textsIn("texts", lang) }

// Groups are the screens that have texts of their own, which are loaded when one is opened: the replay, the round, the
// list of computers and boards, and the tables.
func Groups() []string { return []string{"replay", "round", "hall", "tables"} }

// GroupTexts are those of a group.
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

// Merge is the answer to GET /texts/LANG.json: the page's texts and, from names, those that it has not itself. False:
// there are no texts in that language.
func Merge(lang string, names map[string]string) ([]byte, bool) {
	own, ok := Texts(lang)
	if !ok {
		return nil, false
	}
	all := make(map[string]string, 512)
	for k, v := range names {
		all[k] = v
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
