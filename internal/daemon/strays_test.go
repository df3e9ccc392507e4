package daemon

import (
	"maps"
	"testing"

	"boardwatchd/internal/link"
)

// A board that answers in another socket is reported with the board that misses it; one that belongs to no table, with
// all boards that are missing; and one that belongs to another board, with that one only.
func TestWhichBoardIsInAnotherSocket(t *testing.T) {
	at := func(path, serial string) link.Found {
		return link.Found{Device: link.Device{Path: path}, Identity: link.Identity{Serial: serial}}
	}
	numbers := map[string]string{"1": "00101", "2": "00102"}
	for name, c := range map[string]struct {
		missing []string
		found   []link.Found
		want    map[string]stray
	}{
		"none was found":        {[]string{"1"}, nil, map[string]stray{}},
		"none is missing":       {nil, []link.Found{at("/dev/a", "00101")}, map[string]stray{}},
		"its own":               {[]string{"1"}, []link.Found{at("/dev/b", "00200"), at("/dev/a", "00101")}, map[string]stray{"1": {"00101", "/dev/a"}}},
		"a strange one":         {[]string{"1", "3"}, []link.Found{at("/dev/b", "00200")}, map[string]stray{"1": {"00200", "/dev/b"}, "3": {"00200", "/dev/b"}}},
		"that of another board": {[]string{"1", "2"}, []link.Found{at("/dev/b", "00102")}, map[string]stray{"2": {"00102", "/dev/b"}}},
	} {
		if got := assignStrays(c.missing, c.found, func(board string) string { return numbers[board] }); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The ports are asked when a board has not answered at two looks in a row, and what was found is gone when it answers
// again.
func TestLooksForBoardsInAnotherSocket(t *testing.T) {
	here := []link.Found{{Device: link.Device{Path: "/dev/b"}, Identity: link.Identity{Serial: "00101"}}}
	s, scans := strays{}, 0
	for i, look := range []struct {
		unanswered []string
		scans      int
		near       stray
	}{
		{nil, 0, stray{}},
		{[]string{"1"}, 0, stray{}}, // the cable may be put back
		{[]string{"1"}, 1, stray{"00101", "/dev/b"}},
		{[]string{"1", "2"}, 2, stray{"00101", "/dev/b"}},
		{nil, 2, stray{}}, // it answers
		{[]string{"1"}, 2, stray{}},
		{[]string{"2"}, 2, stray{}}, // another one
		{[]string{"1"}, 2, stray{}},
		{[]string{"1"}, 3, stray{"00101", "/dev/b"}},
	} {
		s.probe(look.unanswered, func() []link.Found { scans++; return here }, func(board string) string { return "0010" + board })
		if near := s.near("1"); scans != look.scans || near != look.near {
			t.Errorf("look %d: %d scans, %v; want %d, %v", i+1, scans, near, look.scans, look.near)
		}
		if near := s.near("2"); near != (stray{}) {
			t.Errorf("look %d: board 2 is told of %v, which is board 1's", i+1, near)
		}
	}
}
