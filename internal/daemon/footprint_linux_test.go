package daemon

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// fileMemory is what this process has of files, in kB.
func fileMemory(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "RssFile:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The program goes on without the pages that were dropped, and has those that it needs.
func TestMemoryOfTheStartIsGivenBack(t *testing.T) {
	written := strconv.Itoa(os.Getpid()) // on pages that are not the file's
	before := fileMemory(t)
	if err := dropProgram(); err != nil {
		t.Fatal(err)
	}
	after := fileMemory(t)
	if after > before*3/4 {
		t.Errorf("%d kB of files before, %d after", before, after)
	}
	if written != strconv.Itoa(os.Getpid()) {
		t.Error("what was written is lost")
	}
	if begin, end, ok := addresses("400000-500000"); !ok || begin != 0x400000 || end != 0x500000 {
		t.Error(begin, end, ok)
	}
	for _, text := range []string{"", "-", "5-4", "x-y", "ffffffffffffffffff-1"} {
		if _, _, ok := addresses(text); ok {
			t.Errorf("%q are addresses", text)
		}
	}
}
