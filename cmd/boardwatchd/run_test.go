package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/internal/config"
	"boardwatchd/internal/daemon"
)

func TestSeatsAreRefusedWithARemedy(t *testing.T) {
	dir := t.TempDir()
	bad, good := filepath.Join(dir, "bad.csv"), filepath.Join(dir, "good.csv")
	for file, text := range map[string]string{bad: "board,white,black\n1,A,B\n1,C,D\n", good: "round,board,white,black\n4,1,A,B\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	boards := []config.Board{{Name: "1"}}
	for _, c := range []struct {
		name, file string
		conf       config.Config
		want       string
	}{
		{"a board twice", bad, config.Config{Boards: boards}, bad + ":3:1: board 1 stands in line 2 too"},
		{"no file", filepath.Join(dir, "none"), config.Config{Boards: boards}, "--pairing: open "},
		{"boards that are found", good, config.Config{}, "--pairing needs boards with numbers"},
		{"another round than the configuration's", good, config.Config{Boards: boards, Round: "3"}, good + ":2:1: round 3 does not stand here"},
	} {
		who, err := readPairing(c.file, c.conf)
		var x exit
		if who != nil || !errors.As(err, &x) || x.code != statusUsage || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
	if who, err := readPairing("", config.Config{}); who != nil || err != nil {
		t.Errorf("%v, %v", who, err)
	}
	who, err := readPairing(good, config.Config{Boards: boards, Round: "4.1"})
	if err != nil || who.Round != "4" || len(who.Games) != 1 {
		t.Errorf("%+v, %v", who, err)
	}
}

func TestNoSecretIsShownWhereNobodyAskedForIt(t *testing.T) {
	none := func(string) string { return "" }
	for _, c := range []struct {
		name string
		env  env
		want daemon.Invitation
	}{
		{"into a file or a pipe", env{getenv: none}, daemon.WithCode},
		{"quietly", env{getenv: none, quiet: true}, daemon.PaperOnly},
	} {
		c.env.out = io.Discard
		if got := invitation(&c.env); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
