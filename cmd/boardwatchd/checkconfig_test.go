package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/internal/daemon"
)

// The value of hall.join is checked, but a missing file is not an error: the configuration may be for another computer.
func TestTheTokenOfAConfiguration(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if code, _, errs := runLine(t, "", "hall", "-c", write("hall.yaml", "state_dir: "+dir+"\n"), "invite", "table-7", "--out", filepath.Join(dir, "token")); code != 0 {
		t.Fatalf("status %d: %s", code, errs)
	}
	write("other", "Hello\n")
	for join, c := range map[string]struct {
		code int
		want string
	}{
		"bwh1.xx":      {statusUsage, "hall: join: this is no token of a hall"},
		dir + "/other": {statusUsage, "hall: join: this is no token of a hall"},
		dir + "/none":  {0, "note: hall: join: the token of the hall: open " + dir + "/none: no such file"},
		dir + "/token": {0, ""},
	} {
		code, out, errs := runLine(t, "", "check-config", write("c.yaml", "hall: {join: \""+join+"\"}\n"))
		if code != c.code || !strings.Contains(errs, c.want) || (errs == "") != (c.want == "") || (code == 0) != strings.Contains(out, "is valid") {
			t.Errorf("%s: status %d\n%s%s", join, code, out, errs)
		}
	}
}

// A hall watches no boards: its configuration finds none.
func TestTheBoardsOfAConfiguration(t *testing.T) {
	hall := t.TempDir()
	if _, err := daemon.HallFiles(hall).Key(); err == nil {
		t.Fatal("a key without a directory")
	}
	if err := os.Mkdir(filepath.Join(hall, "hall"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := daemon.HallFiles(hall).Key(); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"state_dir: " + t.TempDir():                                 "is valid: boards are found automatically; a hall shows",
		"state_dir: " + hall:                                        "is valid: a hall watches no boards itself",
		"hall: {listen: \"127.0.0.1:8562\"}":                        "is valid: a hall watches no boards itself",
		"hall: {cluster: [\"a:4222\"]}":                             "is valid: a hall watches no boards itself",
		"boards:\n  - {name: \"1\"}":                                "is valid: 1 board\n",
		"boards:\n  - {name: a, port: /dev/a}\n  - {name: \"2\"}\n": "is valid: 2 boards\n",
	} {
		file := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		env := &env{out: &out, err: &errs, getenv: func(string) string { return "" }}
		if run(t.Context(), env, []string{"check-config", file}); !strings.Contains(out.String(), want) {
			t.Errorf("%q: %s%s, want %q", text, out.String(), errs.String(), want)
		}
	}
}
