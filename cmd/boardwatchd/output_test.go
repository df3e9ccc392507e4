package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

func TestAnAnswerThatIsNotTakenIsAFailure(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close() // a device
	_, file := aJournal(t)
	for _, args := range [][]string{{"verify", file}, {"version"}, {"help"}, {"verify", "--help"}} {
		var errs bytes.Buffer
		out := &output{File: full}
		code := run(context.Background(), &env{out: out, err: &errs, getenv: func(string) string { return "" }}, args)
		if code = out.status(code, &errs); code != statusFailed || strings.Count(errs.String(), "no space left on device") != 1 {
			t.Errorf("%v: status %d: %s", args, code, &errs)
		}
		out = &output{File: full}
		if code := out.status(statusDamaged, &errs); code != statusDamaged {
			t.Errorf("status %d", code)
		}
	}
}

func TestAClosedPipeIsNoFailure(t *testing.T) {
	r, w, err := os.Pipe()
	if err == nil {
		err = r.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	out := &output{File: w}
	if _, err := out.Write([]byte("x")); err == nil {
		t.Error("a pipe that nobody reads takes something")
	}
	if code := out.status(0, os.Stderr); code != 0 {
		t.Errorf("status %d", code)
	}
	_, file := aJournal(t)
	for _, args := range [][]string{{"decode", file}, {"replay", file}, {"pgn", file, file}, {"scenarios", "own"}, {"simulate", "--case", "list"}} {
		var errs bytes.Buffer
		out := &output{File: w}
		code := run(context.Background(), &env{out: out, err: &errs, getenv: func(string) string { return "" }, quiet: true}, args)
		if code = out.status(code, &errs); code != 0 || strings.Contains(errs.String(), "broken pipe") {
			t.Errorf("%v: status %d: %s", args, code, &errs)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
