package line

import (
	"encoding/json"
	"slices"
	"strings"
)

// Entries of a record for an unknown ply, and for plies whose number is unknown too.
const (
	Unknown    = "…"
	UnknownRow = "…?"
	Illegal    = "?" // an illegal move that stands
)

// A Said is an object of the journal, with its fields about plies.
type Said struct {
	Type, UCI, What   string
	Corrects, Illegal bool
	Ply               int
	PlyFrom           int             `json:"ply_from"`
	PlyTo             *int            `json:"ply_to"`
	Moves             json.RawMessage // where plies are filled in: a list of moves
}

// A Record is the record of the last game, with the time of each ply.
type Record struct {
	Plies []string
	At    []int64 // microseconds
	spans []span
}

// A span is a sequence of plies reported as unknown.
type span struct {
	from, to int
	filled   []string // the plies that the board's own log has filled in
}

// Take reads an object with its time.
func (r *Record) Take(v *Said, at int64) {
	switch v.Type {
	case "game":
		*r = Record{}
	case "move":
		uci := v.UCI
		if v.Illegal {
			uci = Illegal
		}
		r.set(v.Ply, uci, at)
		if !v.Corrects {
			r.cut(v.Ply)
		}
	case "takeback":
		r.cut(v.Ply)
	case "health":
		if v.PlyFrom > 0 {
			r.takeSpan(v, at)
		}
	}
}

func (r *Record) set(ply int, uci string, at int64) {
	for len(r.Plies) < ply {
		r.Plies, r.At = append(r.Plies, Unknown), append(r.At, at)
	}
	r.Plies[ply-1], r.At[ply-1] = uci, at
}

func (r *Record) cut(ply int) {
	n := min(ply, len(r.Plies))
	r.Plies, r.At = r.Plies[:n], r.At[:n]
}

func (r *Record) takeSpan(v *Said, at int64) {
	switch v.What {
	case "not_known":
		to, what := v.PlyFrom, UnknownRow
		if v.PlyTo != nil {
			to, what = *v.PlyTo, Unknown
		}
		for ply := v.PlyFrom; ply <= to; ply++ {
			r.set(ply, what, at)
		}
		r.spans = append(slices.DeleteFunc(r.spans, func(s span) bool { return s.from >= v.PlyFrom }), span{from: v.PlyFrom, to: to})
	case "filled":
		i := slices.IndexFunc(r.spans, func(s span) bool { return s.from == v.PlyFrom })
		if i < 0 {
			return
		}
		r.spans[i].filled = nil
		var moves []struct{ UCI string }
		_ = json.Unmarshal(v.Moves, &moves) // a value that is not a list fills nothing
		for _, m := range moves {
			r.spans[i].filled = append(r.spans[i].filled, m.UCI)
		}
	}
}

// Fill puts filled-in plies into the record, at the end: there may be more than were counted.
func (r *Record) Fill() {
	slices.SortStableFunc(r.spans, func(a, b span) int { return b.from - a.from })
	for _, s := range r.spans {
		if s.filled == nil || s.to > len(r.Plies) || !strings.HasPrefix(r.Plies[s.from-1], Unknown) {
			continue // the record was reported again from before it
		}
		r.Plies = slices.Replace(r.Plies, s.from-1, s.to, s.filled...)
		r.At = slices.Replace(r.At, s.from-1, s.to, slices.Repeat(r.At[s.from-1:s.from], len(s.filled))...)
	}
}

// A Difference is the difference between a record and the plies played.
type Difference struct {
	Wrong   int // plies of the record that were not played there
	Missing int // played plies that the record neither contains nor marks as unknown
	Unknown int // played plies that it marks as unknown
}

// Compare counts in the alignment with the most common plies.
func Compare(got, want []string) (d Difference) {
	type common struct{ known, unknown int }
	best := make([][]common, len(got)+1)
	for i := range best {
		best[i] = make([]common, len(want)+1)
	}
	for i := len(got) - 1; i >= 0; i-- {
		for j := len(want) - 1; j >= 0; j-- {
			most := &best[i][j]
			take := func(b common, known, unknown int) {
				if b.known, b.unknown = b.known+known, b.unknown+unknown; 2*b.known+b.unknown > 2*most.known+most.unknown {
					*most = b
				}
			}
			*most = best[i+1][j]
			take(best[i][j+1], 0, 0)
			switch got[i] {
			case UnknownRow:
				take(best[i][j+1], 0, 1)
				take(best[i+1][j+1], 0, 1)
			case Unknown:
				take(best[i+1][j+1], 0, 1)
			case want[j]:
				take(best[i+1][j+1], 1, 0)
			}
		}
	}
	for _, p := range got {
		if !strings.HasPrefix(p, Unknown) {
			d.Wrong++
		}
	}
	b := best[0][0]
	return Difference{Wrong: d.Wrong - b.known, Missing: len(want) - b.known - b.unknown, Unknown: b.unknown}
}
