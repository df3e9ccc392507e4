package rules

import (
	"strconv"
	"strings"

	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// A line is a series of legal moves in notation.
type line struct {
	san    []string
	number int        // of the first move
	side   legal.Side // the side that makes it
	last   legal.Position
	only   bool // each of its moves was the only legal one
}

// played plays the moves until the first illegal one, and returns the line in notation.
func played(pos *legal.Position, moves []legal.Move) line {
	l := line{san: make([]string, 0, len(moves)), number: pos.FullMoves(), side: pos.Turn(), last: *pos, only: true}
	for _, m := range moves {
		var list legal.MoveList
		l.last.Moves(&list)
		if !l.last.IsLegal(m) {
			break
		}
		l.only = l.only && len(list.Slice()) == 1
		l.san = append(l.san, l.last.SAN(m))
		l.last = l.last.After(m)
	}
	return l
}

// A sentence shows a line in full if it has at most shownWhole plies, else its first shownFirst and the last one.
const (
	shownWhole = 8
	shownFirst = 4
)

// short returns the line as a sentence shows it: "1...Kb7 2.Kf8 Be8", "1.Kf8 Kb7 2.Ke8 Kc6 ... 14.Bd5# (27
// half-moves)".
func (l *line) short() words.Sentence {
	if len(l.san) <= shownWhole {
		return words.Verbatim(l.numbered(0, len(l.san)))
	}
	n := len(l.san)
	return words.Say("can.line", l.numbered(0, shownFirst), l.numbered(n-1, n), n)
}

// numbered writes the plies from (inclusive) to (exclusive) with move numbers.
func (l *line) numbered(from, to int) string {
	var b strings.Builder
	half := from
	if l.side == legal.Black {
		half++
	}
	for i := from; i < to; i, half = i+1, half+1 {
		if i > from {
			b.WriteByte(' ')
		}
		switch n := strconv.Itoa(l.number + half/2); {
		case half&1 == 0:
			b.WriteString(n + ".")
		case i == from:
			b.WriteString(n + "...")
		}
		b.WriteString(l.san[i])
	}
	return b.String()
}
