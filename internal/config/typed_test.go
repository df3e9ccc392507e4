package config

import "testing"

func TestTyped(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"", "NAME"},
		{"/etc/boardwatchd/hall.yaml", "-c /etc/boardwatchd/hall.yaml NAME"},
		{"the hall's.yaml", `-c 'the hall'\''s.yaml' NAME`},
	} {
		if got := CommandLine(c.file, "NAME"); got != c.want {
			t.Errorf("%q: %s", c.file, got)
		}
	}
}
