package config

import "testing"

func TestTyped(t *testing.T) {
	for _, c := range []struct{ file, arguments, want string }{
		{"", "NAME", "boardwatchd hall invite NAME"},
		{"hall.yaml", "", "boardwatchd hall invite -c hall.yaml"},
		{"/etc/boardwatchd/hall.yaml", "NAME", "sudo boardwatchd hall invite -c /etc/boardwatchd/hall.yaml NAME"},
		{"the hall's.yaml", "NAME", `boardwatchd hall invite -c 'the hall'\''s.yaml' NAME`},
	} {
		if got := Typed(c.file, "hall invite", c.arguments); got != c.want {
			t.Errorf("%q: %s", c.file, got)
		}
	}
}
