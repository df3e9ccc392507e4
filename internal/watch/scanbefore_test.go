package watch

import "testing"

func TestTheLastScanIsFound(t *testing.T) {
	const told = `S 12 say {"type":"health","seq":1,"what":"scan","detail":"one scan takes 225 ms","verdict":"judged"}` + "\n"
	const later = `S 14 say {"type":"health","seq":3,"what":"scan","detail":"one scan takes 240 ms","verdict":"judged"}` + "\n"
	for name, c := range map[string]struct{ data, want string }{
		"nothing":       {"", ""},
		"no scan":       {`{"type":"health","what":"noise"}`, ""},
		"one":           {told, "one scan takes 225 ms"},
		"the later one": {told + later + `{"type":"move"}`, "one scan takes 240 ms"},
		"cut short":     {told + later[:60], "one scan takes 225 ms"},
		"no object":     {`"what":"scan"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var s struct{ Detail string }
			if at := lastHealth([]byte(c.data), "scan", &s); s.Detail != c.want || (at >= 0) != (c.want != "") {
				t.Errorf("%q at %d, want %q", s.Detail, at, c.want)
			}
		})
	}
}
