package console

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

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
	if IsSystemLog(stream(""), f) || IsSystemLog(stream("1:2"), f) {
		t.Error("a file of ours is not the log")
	}
	dev, ino := identity(t, f)
	if !IsSystemLog(stream(dev+":"+ino), f) {
		t.Error("the log is not recognised")
	}
	if err := f.Close(); err != nil || !IsSystemLog(stream("1:2"), f) {
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
		if got := HasUTF8(tt.getenv); got != tt.want {
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
