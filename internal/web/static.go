package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// files are the files for everybody, by path: the page and its texts. They hold no data of any board. They are read and
// compressed once, and never listed.
type files map[string]*file

// A file is kept plain and compressed. A browser may cache it but has to check whether it is still the same, so that no
// phone shows an old page after an update of the program.
type file struct {
	name   string
	kind   string
	plain  []byte
	packed func() []byte // nil: not smaller
	etag   string
}

// What of scripts and style sheets no browser needs: comments, and what a line begins with. No literal of them has a
// line break, and none a comment's beginning (TestNothingButCommentsIsLeftOut).
var (
	comments = regexp.MustCompile(`(?m)^[ \t]*//.*$|(?s:(^|[\s(])/\*.*?\*/)`)
	indents  = regexp.MustCompile(`(?m)^[ \t\n]+`)
)

func load(page fs.FS, texts map[string][]byte) files {
	all := make(files)
	err := fs.WalkDir(page, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(page, p)
		if ext := path.Ext(p); ext == ".js" || ext == ".css" {
			b = lean(b)
		}
		if err == nil {
			all["/"+p] = newFile(p, b)
		}
		return err
	})
	if err != nil {
		panic("web: internal error: the embedded page: " + err.Error())
	}
	if index := all["/index.html"]; index != nil {
		all["/"] = index
	}
	for lang, b := range texts {
		all["/texts/"+lang+".json"] = newFile(lang+".json", b)
	}
	return all
}

// lean leaves a seventh of a script out, as a phone loads it that has nothing in its cache.
func lean(b []byte) []byte { return indents.ReplaceAll(comments.ReplaceAll(b, []byte("$1")), nil) }

func newFile(name string, plain []byte) *file {
	sum := sha256.Sum256(plain)
	return &file{
		name: name, kind: kindOf(name), plain: plain, etag: hex.EncodeToString(sum[:12]),
		packed: sync.OnceValue(func() []byte { return pack(plain) }), // compressing all files would delay the first request
	}
}

// pack compresses a file; nil: it becomes hardly smaller.
func pack(plain []byte) []byte {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(plain)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil || b.Len() >= len(plain)*9/10 {
		return nil
	}
	return b.Bytes()
}

// kindOf has its own table, because the tables of the computer, which package mime uses, differ.
func kindOf(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".json":
		return "application/json; charset=utf-8"
	case ".webmanifest":
		return "application/manifest+json"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".ico":
		return "image/x-icon"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

func (f *file) serve(w http.ResponseWriter, r *http.Request, _ *call) error {
	h := w.Header()
	b, etag := f.plain, `"`+f.etag+`"`
	if packed := f.packed(); packed != nil {
		h.Set("Vary", "Accept-Encoding")
		if takesGzip(r.Header.Get("Accept-Encoding")) {
			b, etag = packed, `"`+f.etag+`-gz"`
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("ETag", etag)
	h.Set("Cache-Control", "no-cache")
	for known := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if known = strings.TrimPrefix(strings.TrimSpace(known), "W/"); known == etag || known == "*" {
			h.Del("Content-Encoding")
			w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	if !f.runs() { // other files are under the page's policy: their long headers would be a tenth of a first load
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Del("Permissions-Policy")
	}
	h.Set("Content-Type", f.kind)
	h.Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(b)
	return nil
}

// runs reports whether a browser takes its policy from this file's own answer: a document, or a worker.
func (f *file) runs() bool { return strings.HasPrefix(f.kind, "text/html") || f.name == workerFile }

// workerFile is the script of the service worker.
const workerFile = "sw.js"

// takesGzip reads Accept-Encoding in the form that browsers write.
func takesGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q = strings.ReplaceAll(q, " ", "")
			return strings.Trim(strings.TrimPrefix(q, "q="), "0.") != "" || q == ""
		}
	}
	return false
}
