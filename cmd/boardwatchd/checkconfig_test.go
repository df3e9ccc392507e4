package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/internal/daemon"
)

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
