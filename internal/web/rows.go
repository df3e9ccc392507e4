package web

import (
	"net/http"
	"slices"
	"strconv"

	"boardwatchd/internal/live"
	"boardwatchd/internal/pairing"
)

// manyBoards is from how many boards on a phone that asks for rows gets them.
const manyBoards = 100

// rowsAsked reports whether a request (?rows=N) is given rows of these boards, and of which of them it gets only the
// names, because they are not among the first N. Of few boards everything is sent.
func (s *Server) rowsAsked(r *http.Request, c *call, list []live.Summary) (left map[string]bool, ok bool) {
	q := r.URL.Query()
	if !q.Has("rows") || len(list) < manyBoards {
		return nil, false
	}
	first, err := strconv.Atoi(q.Get("rows"))
	if err != nil || first <= 0 {
		return nil, true
	}
	asking := map[string]bool{}
	for _, a := range s.alerts() {
		asking[a.Board] = true
	}
	return leftOut(list, first, c.device.Boards, asking), true
}

// leftOut returns the boards that are not among the first n of the list, nor of those that a device wants to hear of,
// and that ask for nobody.
func leftOut(list []live.Summary, n int, mine []string, asking map[string]bool) map[string]bool {
	order := make([]*live.Summary, 0, len(list))
	for i := range list {
		order = append(order, &list[i])
	}
	slices.SortStableFunc(order, func(a, b *live.Summary) int {
		if a.Watching != b.Watching {
			return map[bool]int{true: -1, false: 1}[a.Watching]
		}
		return pairing.Natural(called(a), called(b))
	})
	left, own := make(map[string]bool), 0
	for i, b := range order {
		switch {
		case i < n || b.Open > 0 || asking[b.Board]:
		case own < n && slices.Contains(mine, b.Board):
			own++
		default:
			left[b.Board] = true
		}
	}
	return left
}

// called returns what people call a board.
func called(b *live.Summary) string {
	switch {
	case b.Table != "":
		return b.Table
	case b.Name != "":
		return b.Name
	}
	return b.Board
}

// rowsOf returns rows of all boards, of those in left only their names.
func rowsOf(list []live.Summary, left map[string]bool) []live.Row {
	rows := make([]live.Row, 0, len(list))
	for i := range list {
		if b := &list[i]; left[b.Board] {
			rows = append(rows, b.PartOf())
		} else {
			rows = append(rows, b.Row())
		}
	}
	return rows
}
