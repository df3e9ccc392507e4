package line_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"boardwatchd/internal/research/line"
)

func TestRecord(t *testing.T) {
	for _, c := range []struct{ claim, said, want string }{
		{"moves", `{"type":"game"} {"type":"move","ply":1,"uci":"e2e4"} {"type":"move","ply":2,"uci":"e7e5"}`, "e2e4 e7e5"},
		{"a new game", `{"type":"move","ply":1,"uci":"e2e4"} {"type":"game"}`, ""},
		{"taken back", `{"type":"move","ply":1,"uci":"e2e4"} {"type":"move","ply":2,"uci":"e7e5"} {"type":"takeback","ply":1}`, "e2e4"},
		{"a move that was told again ends the record", `{"type":"move","ply":1,"uci":"e2e4"} {"type":"move","ply":2,"uci":"e7e5"} {"type":"move","ply":1,"uci":"d2d4"}`, "d2d4"},
		{"a correction does not", `{"type":"move","ply":1,"uci":"e2e4"} {"type":"move","ply":2,"uci":"e7e5"} {"type":"move","ply":1,"uci":"d2d4","corrects":true}`, "d2d4 e7e5"},
		{"an illegal move that stands", `{"type":"move","ply":1,"uci":"e2e5","illegal":true}`, "?"},
		{"not known", `{"type":"health","what":"not_known","ply_from":1,"ply_to":2} {"type":"move","ply":3,"uci":"g1f3"}`, "… … g1f3"},
		{"not even how many", `{"type":"health","what":"not_known","ply_from":1} {"type":"move","ply":3,"uci":"g1f3"}`, "…? … g1f3"},
		{"more plies filled in than were counted", `{"type":"health","what":"not_known","ply_from":1} {"type":"move","ply":2,"uci":"g1f3"}
			{"type":"health","what":"filled","ply_from":1,"moves":[{"uci":"e2e4"},{"uci":"e7e5"}]}`, "e2e4 e7e5 g1f3"},
		{"filled in where nothing is missing", `{"type":"move","ply":1,"uci":"e2e4"} {"type":"health","what":"filled","ply_from":1,"moves":[{"uci":"d2d4"}]}`, "e2e4"},
	} {
		t.Run(c.claim, func(t *testing.T) {
			var r line.Record
			d := json.NewDecoder(strings.NewReader(c.said))
			for d.More() {
				var v line.Said
				if err := d.Decode(&v); err != nil {
					t.Fatal(err)
				}
				r.Take(&v, 0)
			}
			r.Fill()
			if !slices.Equal(r.Plies, strings.Fields(c.want)) {
				t.Errorf("%v, want %s", r.Plies, c.want)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		got, want string
		d         line.Difference
	}{
		{"a b c", "a b c", line.Difference{}},
		{"a x c", "a b c", line.Difference{Wrong: 1, Missing: 1}},
		{"a c", "a b c", line.Difference{Missing: 1}},
		{"a b b c", "a b c", line.Difference{Wrong: 1}},
		{"a … c", "a b c", line.Difference{Unknown: 1}},
		{"a …? e", "a b c d e", line.Difference{Unknown: 3}},
		{"a … e", "a b c d e", line.Difference{Unknown: 1, Missing: 2}},
		{"…", "", line.Difference{}},
	} {
		if d := line.Compare(strings.Fields(c.got), strings.Fields(c.want)); d != c.d {
			t.Errorf("%s of %s: %+v, want %+v", c.got, c.want, d, c.d)
		}
	}
}
