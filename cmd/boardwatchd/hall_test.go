package main

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestThePageIsWhereItIsServed(t *testing.T) {
	var s served
	if !s.now(&net.TCPAddr{IP: net.IPv6unspecified, Port: 4711}) || s.now(&net.TCPAddr{Port: 4712}) || s.port() != 4712 {
		t.Error("the first address is the first, and the last one holds")
	}
	for listen, want := range map[string]string{
		"127.0.0.1:0": "http://127.0.0.1:4712", "192.168.1.10:80": "http://192.168.1.10:4712", "[::1]:8160": "http://[::1]:4712",
	} {
		if got := s.url(listen); got != want {
			t.Errorf("%s: %s, want %s", listen, got, want)
		}
	}
	if got := (&served{}).url("10.0.0.1:80"); got != "http://10.0.0.1" {
		t.Errorf("before it is served: %s", got)
	}
	for _, listen := range []string{":8160", "0.0.0.0:8160", "[::]:8160"} {
		if got := s.url(listen); !strings.HasSuffix(got, ":4712") || !everywhere(listen) {
			t.Errorf("%s: %s", listen, got)
		}
	}
}

func TestTheCodeIsNotWrittenIntoTheSystemsLog(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "stream"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stream := func(v string) func(string) string {
		return func(key string) string {
			if key == "JOURNAL_STREAM" {
				return v
			}
			return ""
		}
	}
	if loggedBySystemd(stream(""), f) || loggedBySystemd(stream("1:2"), f) {
		t.Error("a file of ours is not the log")
	}
	dev, ino := identity(t, f)
	if !loggedBySystemd(stream(dev+":"+ino), f) {
		t.Error("the log is not recognised")
	}
	if err := f.Close(); err != nil || !loggedBySystemd(stream("1:2"), f) {
		t.Error("what cannot be told counts as the log")
	}
}

func TestATerminalIsAskedForItsLetters(t *testing.T) {
	env := func(pairs ...string) func(string) string {
		return func(key string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == key {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	for _, tt := range []struct {
		getenv func(string) string
		want   bool
	}{
		{env("LANG", "de_DE.UTF-8"), true}, {env("LANG", "C.utf8"), true}, {env("LANG", "C"), false}, {env(), false},
		{env("LC_ALL", "C", "LANG", "de_DE.UTF-8"), false}, {env("LC_CTYPE", "en_GB.UTF-8", "LANG", "C"), true},
	} {
		if got := utf8Terminal(tt.getenv); got != tt.want {
			t.Errorf("%v", tt)
		}
	}
}

func identity(t *testing.T, f *os.File) (dev, ino string) {
	t.Helper()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	st := info.Sys().(*syscall.Stat_t)
	return strconv.FormatUint(uint64(st.Dev), 10), strconv.FormatUint(st.Ino, 10)
}
