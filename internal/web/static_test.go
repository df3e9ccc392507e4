package web

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

var smallPage = fstest.MapFS{
	"index.html": {Data: []byte("<!doctype html>" + strings.Repeat("<p>Boards</p>", 200))},
	"js/main.js": {Data: []byte("export {}")},
	"sw.js":      {Data: []byte("//")}, "manifest.webmanifest": {Data: []byte("{}")}, "icon.png": {Data: []byte("\x89PNG")}, "p.svg": {Data: []byte("<svg/>")},
}

func TestFilesAreCompressedAndAskedForAgain(t *testing.T) {
	h := newHarness(t, func(o *Options) { o.Page = smallPage })
	tr := h.client.Transport.(*http.Transport)
	tr.DisableCompression = true
	plain := h.ask("GET", "/", "", "")
	packed := h.ask("GET", "/", "", "", "Accept-Encoding", "br, gzip;q=0.8")
	if plain.status != 200 || plain.header.Get("Content-Encoding") != "" || packed.header.Get("Content-Encoding") != "gzip" || len(packed.body)*5 > len(plain.body) {
		t.Fatalf("%d bytes plain, %d packed, %v", len(plain.body), len(packed.body), packed.header)
	}
	z, err := gzip.NewReader(strings.NewReader(string(packed.body)))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(z); err != nil || string(b) != string(plain.body) {
		t.Error("packed is something else than plain", err)
	}
	for _, r := range []reply{plain, packed} {
		if r.header.Get("Cache-Control") != "no-cache" || r.header.Get("Vary") != "Accept-Encoding" || r.header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("headers %v", r.header)
		}
	}
	for accept, etag := range map[string]string{"": plain.header.Get("ETag"), "gzip": packed.header.Get("ETag")} {
		if etag == "" {
			t.Fatal("no ETag")
		}
		if r := h.ask("GET", "/", "", "", "Accept-Encoding", accept, "If-None-Match", `"x", W/`+etag); r.status != 304 || len(r.body) != 0 || r.header.Get("ETag") != etag {
			t.Errorf("%q: %d with %d bytes", accept, r.status, len(r.body))
		}
		if r := h.ask("GET", "/", "", "", "Accept-Encoding", accept, "If-None-Match", `"old"`); r.status != 200 {
			t.Errorf("an old copy is answered %d", r.status)
		}
	}
	if plain.header.Get("ETag") == packed.header.Get("ETag") {
		t.Error("two representations have one ETag")
	}
	if r := h.ask("HEAD", "/", "", ""); r.status != 200 || len(r.body) != 0 || r.header.Get("Content-Length") == "0" {
		t.Errorf("HEAD: %d %v", r.status, r.header)
	}
	if r := h.ask("GET", "/", "", "", "Accept-Encoding", "gzip;q=0"); r.header.Get("Content-Encoding") != "" {
		t.Error("packed although it was refused")
	}
}

func TestKindsOfFiles(t *testing.T) {
	h := newHarness(t, func(o *Options) { o.Page = smallPage })
	for path, kind := range map[string]string{
		"/index.html": "text/html; charset=utf-8", "/js/main.js": "text/javascript; charset=utf-8", "/sw.js": "text/javascript; charset=utf-8",
		"/manifest.webmanifest": "application/manifest+json", "/icon.png": "image/png", "/p.svg": "image/svg+xml", "/texts/de.json": "application/json; charset=utf-8",
	} {
		if r := h.ask("GET", path, "", ""); r.status != 200 || r.header.Get("Content-Type") != kind {
			t.Errorf("%s: %d %s", path, r.status, r.header.Get("Content-Type"))
		}
	}
}

func TestTextsHaveTheNamesOfAllKinds(t *testing.T) {
	h := newHarness(t, nil)
	for _, lang := range words.Languages() {
		texts := map[string]string{}
		for _, path := range []string{"/texts/" + lang + ".json", "/texts/rest/" + lang + ".json"} {
			r := h.ask("GET", path, "", "")
			if err := json.Unmarshal(r.body, &texts); err != nil || r.status != 200 {
				t.Fatal(path, r.status, err)
			}
		}
		for _, key := range words.Keys() {
			if printed := strings.HasPrefix(key, "sheet."); printed != (texts[key] == "") { // of the report, which the page does not have
				t.Errorf("%s: no text for %s", lang, key)
			}
		}
	}
}

// named are the files that a file makes the browser load at once: links and scripts of the page, and static imports. A
// module that is imported on demand comes later.
var named = regexp.MustCompile(`(?m)(?:src|href)="(/[^"#]+)"|^(?:import|export) (?:[^'"\n]*from )?'([^']+)'`)

// The transfers of a first paint: the page, the files that it names, the texts, and the first answers of the API.
func TestFirstLoadIsSmall(t *testing.T) {
	h := newHarness(t, nil)
	h.client.Transport.(*http.Transport).DisableCompression = true
	total, files := 0, 0
	done := map[string]bool{"/manifest.webmanifest": true} // read when the page is installed
	var load func(at string)
	load = func(at string) {
		if done[at] {
			return
		}
		done[at] = true
		r := h.ask("GET", at, h.viewer, "", "Accept-Encoding", "gzip")
		if r.status != 200 {
			t.Errorf("%s is answered %d", at, r.status)
			return
		}
		files++
		total += len(r.body)
		for k, v := range r.header {
			total += len(k) + len(strings.Join(v, "")) + 4
		}
		if f := h.server.files()[at]; f != nil && (at == "/" || strings.HasSuffix(at, ".js")) {
			for _, m := range named.FindAllStringSubmatch(string(f.plain), -1) {
				load(resolve(at, m[1]+m[2]))
			}
		}
	}
	load("/")
	for _, at := range []string{"/texts/en.json", "/api/v1/session", "/api/v1/boards"} {
		load(at)
	}
	t.Logf("%d answers, %d bytes with their headers", files, total)
	if total > 60_000 {
		t.Errorf("the first load is %d bytes on the wire; it has 60,000", total)
	}
	if files < 8 {
		t.Errorf("only %d answers: does the test still find what the page imports?", files)
	}
}

func resolve(from, name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return path.Join(path.Dir(from), name)
}

// TestNothingButCommentsIsLeftOut: what is left out of the page's files is no part of a literal.
func TestNothingButCommentsIsLeftOut(t *testing.T) {
	err := fs.WalkDir(page.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if ext := path.Ext(name); err != nil || ext != ".js" && ext != ".css" {
			return err
		}
		b, err := fs.ReadFile(page.FS(), name)
		if err != nil {
			return err
		}
		inComment := false
		for i, line := range strings.Split(string(b), "\n") {
			for rest := strings.ReplaceAll(line, "text/*'", ""); ; { // a comment begins after a space or a bracket
				mark := map[bool]string{false: "/*", true: "*/"}[inComment]
				before, after, found := strings.Cut(rest, mark)
				if !inComment && path.Ext(name) == ".js" && !strings.HasPrefix(strings.TrimSpace(before), "//") {
					code, _, _ := strings.Cut(before, " // ")
					if strings.Count(code, "`")%2 != 0 || found && strings.Count(code, "'")%2 != 0 {
						t.Errorf("%s:%d: a literal has a comment's beginning, or goes on in the next line: %s", name, i+1, line)
					}
				}
				if !found {
					break
				}
				rest, inComment = after, !inComment
			}
		}
		if inComment {
			t.Errorf("%s: a comment does not end", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
