package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every command that takes recordings looks for latest where the configuration says.
func TestLatestIsWhereTheConfigurationSays(t *testing.T) {
	dir := t.TempDir()
	conf := filepath.Join(dir, "c.yaml")
	if err := os.WriteFile(conf, []byte("state_dir: "+filepath.Join(dir, "state")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"verify", "replay", "pgn", "decode", "report --out " + dir, "lab --evaluate"} {
		code, _, errs := runLine(t, "", append(strings.Fields(args), "-c", conf, "latest")...)
		if code == 0 || !strings.Contains(errs, "no journal is there yet in "+filepath.Join(dir, "state")) {
			t.Errorf("%s: status %d, %s", args, code, errs)
		}
		if code, _, errs := runLine(t, "", append(strings.Fields(args), "-c", filepath.Join(dir, "nowhere.yaml"), "latest")...); code != statusUsage {
			t.Errorf("%s without its configuration: status %d, %s", args, code, errs)
		}
	}
}

func TestAJournalOfSeveralFilesIsReadOnce(t *testing.T) {
	files := []string{"a/7-r1.2.bwj", "a/7-r1.10.bwj", "a/7-r1.bwj", "b/7-r1.2.bwj", "b/7-r1.3.bwj.gz", "7-r1.bwj", "x.rec", "x.rec", "a/7-r1.bwj.lost-1"}
	want := "a/7-r1.bwj b/7-r1.2.bwj 7-r1.bwj x.rec x.rec a/7-r1.bwj.lost-1"
	if got := strings.Join(withoutSiblings(files), " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
