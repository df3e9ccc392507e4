package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Wrong usage of hall and join is refused before anything is changed.
func TestWrongUsageOfAHall(t *testing.T) {
	dir := t.TempDir()
	conf := filepath.Join(dir, "conf.yaml")
	if err := os.WriteFile(conf, []byte("state_dir: "+filepath.Join(dir, "state")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := runLine(t, "", "hall", "-c", conf, "--quiet", "invite", "table-7"); code != 0 {
		t.Fatalf("status %d: %s", code, errs)
	}
	for _, c := range []struct{ args, want string }{
		{"hall|-c|CONF|invite|", "one is empty"}, // else for any number of computers
		{"hall|-c|CONF|revoke|", "one is empty"},
		{"hall|-c|CONF|accept||table-8", "one is empty"},
		{"hall|-c|CONF|invite|table 9", "a computer's name is made of"},
		{"hall|-c|CONF|invite|../x", "a computer's name is made of"},
		{"join|-c|CONF|bwh1.eyJuIjoidGFibGUtNyI", "no token of a hall"},
	} {
		code, out, errs := runLine(t, "", strings.Split(strings.ReplaceAll(c.args, "CONF", conf), "|")...)
		if code != statusUsage || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d\n%s%s", c.args, code, out, errs)
		}
	}
	if _, out, _ := runLine(t, "", "hall", "-c", conf, "list"); strings.Contains(out, "any computer") {
		t.Errorf("a token for any number of computers was given:\n%s", out)
	}
}

// An invitation without -c, where no hall has ever been, would be one of another hall than the service's.
func TestAnInvitationToNoHall(t *testing.T) {
	dir := t.TempDir()
	var out, errs bytes.Buffer
	getenv := func(key string) string {
		if key == "STATE_DIRECTORY" {
			return dir
		}
		return ""
	}
	code := run(t.Context(), &env{in: strings.NewReader(""), out: &out, err: &errs, getenv: getenv}, []string{"hall", "invite", "table-7"})
	if code == 0 || out.Len() > 0 || !strings.Contains(errs.String(), "-c FILE") {
		t.Errorf("status %d\n%s%s", code, out.String(), errs.String())
	}
	if list, err := os.ReadDir(filepath.Join(dir, "hall")); err == nil && len(list) > 0 {
		t.Errorf("a hall was made: %v", list)
	}
}
