package retention

import (
	"os"
	"path/filepath"
	"testing"
)

// Several directories that share the limits give up the excess together, and none of them more than it has.
func TestShares(t *testing.T) {
	for name, c := range map[string]struct {
		limits Limits
		sizes  []int64
	}{
		"too much":              {Limits{Journals: 1000, IsFree: -1}, []int64{900, 300, 0, 600}},
		"too little is free":    {Limits{Journals: 10_000, Free: 800, IsFree: 200}, []int64{900, 300, 600}},
		"there is room":         {Limits{Journals: 10_000, Free: 100, IsFree: 200}, []int64{900, 300}},
		"something else is big": {Limits{Journals: 10_000, Free: 5_000, IsFree: 100}, []int64{900, 300}},
	} {
		var total, together int64
		for _, own := range c.sizes {
			total += own
		}
		for _, own := range c.sizes {
			l := c.limits.Share(own, total)
			need := l.need(own, l.Journals, l.Free)
			if need > own {
				t.Errorf("%s: %d of %d are to go", name, need, own)
			}
			together += need
		}
		if want := c.limits.need(total, c.limits.Journals, c.limits.Free); together < want-4 || together > want+4 {
			t.Errorf("%s: %d are to go, want %d", name, together, want)
		}
	}
}

func TestListsUnderADirectory(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a": `{"version":1,"due":[{"journal":"b1-r1","told":["2026-11-24"]}],"removed":[]}`,
		"b": `{"version":1,"doubted":"2026-11-25","due":[],"removed":[{"journal":"b1-r1"}]}`,
		"c": "",
	} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(filepath.Join(dir, name, File), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	l, err := Under(dir, []string{"a", "b", "c"})
	if err != nil || len(l.Due) != 1 || l.Due[0].Name != "a/b1-r1" || len(l.Removed) != 1 || l.Removed[0].Name != "b/b1-r1" || l.Doubted != "2026-11-25" {
		t.Errorf("%+v %v", l, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "c", File), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := Under(dir, []string{"a", "c"}); err == nil || len(l.Due) != 1 {
		t.Errorf("a list that cannot be read: %+v %v", l, err)
	}
}
