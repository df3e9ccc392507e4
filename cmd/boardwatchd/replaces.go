package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

// A fileKind is the kind of file that a command writes under a name from the user, and the beginning of such a file.
type fileKind struct{ what, begins string }

var (
	aPage  = fileKind{"a web page", "<!doctype html"}
	aToken = fileKind{"a token of a hall", "bwh1."}
)

// mayReplace refuses to overwrite a file of another kind. If the output's name is forgotten, as in replay --html *.bwj,
// the first journal is in its place. Standard output replaces nothing.
func mayReplace(out string, kind fileKind) error {
	if out == "" || out == "-" {
		return nil
	}
	info, err := os.Stat(out)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usage("%w", err)
	}
	another := usage("%s is there and is not %s, so it is not replaced: name another file", out, kind.what)
	if !info.Mode().IsRegular() {
		return another
	}
	f, err := os.Open(out)
	if err != nil {
		return usage("%w", err)
	}
	head, err := io.ReadAll(io.LimitReader(f, 512))
	if err = firstError(err, f.Close()); err != nil {
		return usage("%w", err)
	}
	head = bytes.TrimSpace(head)
	if len(head) > 0 && !strings.HasPrefix(strings.ToLower(string(head)), kind.begins) {
		return another
	}
	return nil
}
