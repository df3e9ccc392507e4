package emulator

import (
	"strings"
	"testing"
)

func TestEveryNameIsItsOwn(t *testing.T) {
	seen := map[string]bool{}
	check := func(kind string, n int, name func(i int) string) {
		for i := range n + 1 {
			s := kind + name(i)
			if seen[s] || i == n != strings.Contains(s, "(") {
				t.Errorf("%s %d is called %q", kind, i, s)
			}
			seen[s] = true
		}
	}
	check("verb ", int(verbCount), func(i int) string { return Verb(i).String() })
	check("fault ", int(faultCount), func(i int) string { return FaultKind(i).String() })
	check("reporting ", int(UpdateNice)+1, func(i int) string { return Reporting(i).String() })
	check("lag ", int(LagPolled)+1, func(i int) string { return Lag(i).String() })
}
