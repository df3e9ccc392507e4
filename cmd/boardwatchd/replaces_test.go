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

// aJournal writes one, and returns its directory and its file.
func aJournal(t *testing.T) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	if code, _, errs := runLine(t, twoCases, "scenarios", "--only", "good", "--journal", dir, "-"); code != 0 {
		t.Fatalf("status %d: %s", code, errs)
	}
	return dir, filepath.Join(dir, "good.bwj")
}

func mustWrite(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAJournalIsNeverReplaced(t *testing.T) {
	dir, file := aJournal(t)
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other := mustWrite(t, filepath.Join(dir, "other.bwj"), string(was))
	capture := mustWrite(t, filepath.Join(dir, "one.hex"), "8e00050c01\n")
	conf := mustWrite(t, filepath.Join(dir, "conf.yaml"), "state_dir: "+dir+"\n")
	for _, c := range []struct {
		want string
		args []string
	}{
		{"is there and is not a web page", []string{"replay", "--html", file, other}},
		{"is there and is not a web page", []string{"tables", "-c", conf, "sheet", file}},
		{"is there and is not a token", []string{"hall", "-c", conf, "invite", "table-7", "--out", file}},
		{"a journal is never written over: name a new one", []string{"replay", "--journal", file, capture}},
		{"a journal is never written over: name a new one", []string{"lab", "--simulate", "--protocol", "short", "--out", file}},
	} {
		if code, _, errs := runLine(t, "", c.args...); code != statusUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d\n%s", c.args, code, errs)
		}
		if is, err := os.ReadFile(file); err != nil || string(is) != string(was) {
			t.Errorf("%v: the journal is another one now, %v", c.args, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "hall")); err == nil {
		t.Error("a hall was begun, and a token given to nobody")
	}
}

func TestAPageIsMadeAgain(t *testing.T) {
	dir, file := aJournal(t)
	for range 2 {
		if code, _, errs := runLine(t, "", "replay", "--html", filepath.Join(dir, "page.html"), file); code != 0 {
			t.Errorf("status %d: %s", code, errs)
		}
	}
}
