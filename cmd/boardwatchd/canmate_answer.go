package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"boardwatchd/rules"
	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

// asking has the parts of the question that are the same for every position.
type asking struct {
	sides  []legal.Side
	budget int
	jsonl  bool
}

// A lineAnswerer answers lines one after the other. It appends answers by hand, because most questions take a few
// microseconds and the formatting should not take longer.
type lineAnswerer struct {
	asking
	solver helpmate.Solver
}

func newLineAnswerer(how asking) *lineAnswerer { return &lineAnswerer{asking: how} }

const (
	keptNodes  = 100_000   // positions; the memory of a larger question is not kept for the next one
	largeNodes = 1_000_000 // positions; after a larger question the memory goes back to the system
)

// release gives back the memory of a hard question: otherwise each core would keep it to the end.
func (a *lineAnswerer) release(nodes int) {
	if nodes > keptNodes {
		a.solver = helpmate.Solver{}
	}
	if nodes > largeNodes {
		debug.FreeOSMemory()
	}
}

// coreMemory is the most memory that one core needs for any question: the largest number of positions that helpmate
// holds takes 100 MiB, the formatting a few more.
const coreMemory = 108 << 20

// boundMemory has the memory of earlier questions collected before twice as much is in use. It does not limit what a
// question may need: helpmate does.
func boundMemory() { debug.SetMemoryLimit(int64(runtime.GOMAXPROCS(0)) * coreMemory) }

// line appends the answers to one line, FEN or FEN<TAB>SIDE, to b: one for each side in question. An invalid line is an
// error, and its answer says so too. A FEN of a position that is not lawful gets an answer without an error.
func (a *lineAnswerer) line(b, line []byte) ([]byte, error) {
	fen, word, _ := strings.Cut(string(line), "\t")
	fen, word = strings.TrimSpace(fen), strings.TrimSpace(word)
	sides := a.sides
	if word != "" {
		var err error
		if sides, err = sidesOf(word); err != nil {
			return a.unread(b, fen, word, err), err
		}
	}
	q := read(fen)
	for _, side := range sides {
		if q.err != nil {
			b = a.refuse(b, &q, side)
			continue
		}
		began := time.Now()
		answer := a.solver.Ask(&q.pos, side, a.budget)
		took := time.Since(began)
		a.release(answer.Nodes)
		if a.jsonl {
			b = a.object(b, &q, side, &answer, took)
		} else {
			b = a.text(b, &q, side, &answer)
		}
	}
	if q.unread {
		return b, q.err
	}
	return b, nil
}

// question is a line after it was read.
type question struct {
	fen     string
	pos     legal.Position
	refused []string // why it is no position of a game, if it is none
	err     error    // the line cannot be answered
	unread  bool     // because it is no FEN
}

// read also accepts positions that can arise from an illegal move (Laws A.5), because the question comes up for them.
func read(fen string) question {
	q := question{fen: fen}
	setup, err := parsePosition(fen)
	if err != nil {
		q.refused, q.err, q.unread = []string{"unreadable_fen"}, err, true
		return q
	}
	if fen == "startpos" {
		q.fen = setup.FEN()
	}
	if q.pos, err = setup.Position(); err == nil {
		return q
	}
	var refusal legal.Refusal
	if errors.As(err, &refusal) {
		q.refused = refusal.Reasons()
	}
	var standing error
	if q.pos, standing = setup.Standing(); standing != nil {
		q.err = err
	}
	return q
}

// text is "never: White can never mate: …", "possible: White can mate: 1.…", "unknown: …".
func (a *lineAnswerer) text(b []byte, q *question, side legal.Side, answer *helpmate.Answer) []byte {
	b = append(append(b, answer.Verdict.String()...), ": "...)
	switch {
	case answer.Verdict != helpmate.Possible:
		b = append(b, a.why(q, side, answer)...)
	case len(answer.Line) == 0:
		b = append(append(b, side.Name()...), " has given mate."...)
	default:
		b = append(append(b, side.Name()...), " can mate: "...)
		b = appendLine(b, q.pos, answer.Line)
	}
	if len(q.refused) > 0 {
		b = append(append(append(b, " (not a chess position: "...), strings.Join(q.refused, ", ")...), "; taken as it stands)"...)
	}
	return append(b, '\n')
}

// why is the sentence after a verdict without a line of moves.
func (a *lineAnswerer) why(q *question, side legal.Side, answer *helpmate.Answer) string {
	switch {
	case answer.Verdict == helpmate.Never:
		return rules.WhyNever(&q.pos, side, *answer).String()
	case answer.Reason == helpmate.Internal:
		return fmt.Sprintf("it is not known whether %s can mate: the line that was found does not mate, which is an error of this program; please report the position.",
			side.Name())
	case answer.Reason == helpmate.OutOfMemory:
		return fmt.Sprintf("it is not known whether %s can mate: there is no memory for more positions after %d nodes of a budget of %d.",
			side.Name(), answer.Nodes, a.budget)
	}
	return fmt.Sprintf("it is not known whether %s can mate: the budget of %d nodes is used up; a larger --budget may decide it.",
		side.Name(), a.budget)
}

// appendLine writes moves with their numbers in the game: 41...Kh8 42.Qg7#.
func appendLine(b []byte, pos legal.Position, line []legal.Move) []byte {
	for i, m := range line {
		if i > 0 {
			b = append(b, ' ')
		}
		switch {
		case pos.Turn() == legal.White:
			b = append(strconv.AppendInt(b, int64(pos.FullMoves()), 10), '.')
		case i == 0:
			b = append(strconv.AppendInt(b, int64(pos.FullMoves()), 10), "..."...)
		}
		b = pos.PlaySAN(b, m)
	}
	return b
}

// object writes the contract's {"fen","side","verdict","line","nodes","us"}, with further keys.
func (a *lineAnswerer) object(b []byte, q *question, side legal.Side, answer *helpmate.Answer, took time.Duration) []byte {
	b = opening(b, q.fen, side.String())
	b = append(append(append(b, `,"verdict":"`...), answer.Verdict.String()...), `","line":`...)
	if answer.Verdict == helpmate.Possible {
		b = appendList(b, q.pos, answer.Line)
	} else {
		b = append(b, "null"...)
	}
	b = strconv.AppendInt(append(b, `,"nodes":`...), int64(answer.Nodes), 10)
	b = appendMicroseconds(append(b, `,"us":`...), took)
	b = append(append(append(b, `,"reason":"`...), answer.Reason.String()...), `","why":`...)
	if answer.Verdict == helpmate.Possible {
		b = append(b, "null"...)
	} else {
		b = appendString(b, a.why(q, side, answer))
	}
	b = append(b, `,"positions":`...)
	if answer.Positions > 0 {
		b = strconv.AppendInt(b, int64(answer.Positions), 10)
	} else {
		b = append(b, "null"...)
	}
	b = strconv.AppendInt(append(b, `,"budget":`...), int64(a.budget), 10)
	if len(q.refused) > 0 {
		b = appendReasons(append(b, `,"refused":`...), q.refused)
	}
	return append(b, "}\n"...)
}

// refuse answers for a board for which the question makes no sense.
func (a *lineAnswerer) refuse(b []byte, q *question, side legal.Side) []byte {
	if !a.jsonl {
		return fmt.Appendf(b, "refused: %v\n", q.err)
	}
	b = append(opening(b, q.fen, side.String()), `,"verdict":null,"line":null,"nodes":null,"us":null,"refused":`...)
	return append(appendReasons(b, q.refused), "}\n"...)
}

// unread answers a line with an unreadable side.
func (a *lineAnswerer) unread(b []byte, fen, side string, err error) []byte {
	if !a.jsonl {
		return fmt.Appendf(b, "error: %v\n", err)
	}
	b = append(opening(b, fen, side), `,"error":`...)
	return append(appendString(b, err.Error()), "}\n"...)
}

func opening(b []byte, fen, side string) []byte {
	b = appendString(append(b, `{"fen":`...), fen)
	return appendString(append(b, `,"side":`...), side)
}

// appendList writes the moves as a JSON array.
func appendList(b []byte, pos legal.Position, line []legal.Move) []byte {
	b = append(b, '[')
	for i, m := range line {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(pos.PlaySAN(append(b, '"'), m), '"')
	}
	return append(b, ']')
}

func appendReasons(b []byte, reasons []string) []byte {
	for i, r := range reasons {
		b = appendString(append(b, "[,"[min(i, 1)]), r)
	}
	return append(b, ']')
}

// appendMicroseconds writes a duration in microseconds with three decimals, the resolution of the clock.
func appendMicroseconds(b []byte, d time.Duration) []byte {
	ns := d.Nanoseconds()
	b = append(strconv.AppendInt(b, ns/1000, 10), '.')
	return append(b, '0'+byte(ns/100%10), '0'+byte(ns/10%10), '0'+byte(ns%10))
}

// appendString writes a JSON string. The library does it if the text is not plain ASCII.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			text, _ := json.Marshal(s) // a string always can be encoded
			return append(b, text...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
