package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command that writes a file replaces what it has written before, and nothing else.
func TestOnlyAFileOfItsKindIsReplaced(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.bwj": "1 0 open {}\n", "page.html": "<!DOCTYPE html>\n<html>", "token": "bwh1.eyJ\n", "empty": "", "blank": "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		kind fileKind
		may  bool
	}{
		{"a.bwj", aPage, false},
		{"a.bwj", aToken, false},
		{"token", aPage, false},
		{"page.html", aToken, false},
		{"page.html", aPage, true},
		{"token", aToken, true},
		{"empty", aPage, true},
		{"blank", aPage, true},
		{"new", aPage, true},
		{".", aPage, false},
		{"a.bwj/x", aPage, false},
	} {
		err := mayReplace(filepath.Join(dir, c.name), c.kind)
		if (err == nil) != c.may {
			t.Errorf("%s by %s: %v", c.name, c.kind.what, err)
		}
	}
	if err := mayReplace(os.DevNull, aPage); err == nil {
		t.Error("a device may be replaced")
	}
}

func TestAJournalIsNeverReplaced(t *testing.T) {
	dir := t.TempDir()
	code, _, errs := runLine(t, twoCases, "scenarios", "--only", "good", "--journal", dir, "-")
	if code != 0 {
		t.Fatalf("status %d: %s", code, errs)
	}
	first, second := filepath.Join(dir, "good.bwj"), filepath.Join(dir, "other.bwj")
	was, err := os.ReadFile(first)
	if err == nil {
		err = os.WriteFile(second, was, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(dir, "conf.yaml")
	if err := os.WriteFile(conf, []byte("state_dir: "+dir+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"replay", "--html", first, second},
		{"tables", "-c", conf, "sheet", first},
		{"hall", "-c", conf, "invite", "table-7", "--out", first},
	} {
		code, out, errs := runLine(t, "", args...)
		if code != statusUsage || out != "" || !strings.Contains(errs, "good.bwj is there and is not a") {
			t.Errorf("%v: status %d\n%s%s", args, code, out, errs)
		}
		if is, err := os.ReadFile(first); err != nil || string(is) != string(was) {
			t.Errorf("%v: the journal is another one now, %v", args, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "hall")); err == nil {
		t.Error("a hall was begun, and a token given to nobody")
	}
	page := filepath.Join(dir, "page.html")
	for range 2 { // made, and made again
		if code, _, errs := runLine(t, "", "replay", "--html", page, second); code != 0 {
			t.Errorf("status %d: %s", code, errs)
		}
	}
}
