package watch

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"boardwatchd/detector"
	"boardwatchd/internal/said"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// This file is about spans of unknown plies: how they are reported, and how a person fills them in from a scoresheet.
// Plies that a person fills in are part of the record and of the PGN. No player is judged by them, because moves that
// the board did not show are evidence of nothing.

// A Span is a sequence of unknown plies of a game. To is 0 if not even their number is known. After is zero if the game
// has ended with them and no position after them is known.
type Span struct {
	Game, From, To int
	Before, After  legal.Position

	touched bool // a person has filled it in, or undone that
}

// Parse reads the plies of a span in the form of a scoresheet: SAN with or without move numbers. They must be legal,
// lead to the position after the span, and have the right number where it is known.
func (s *Span) Parse(moves string) ([]legal.Move, error) {
	pos := s.Before
	var row []legal.Move
	for _, word := range strings.Fields(moves) {
		san := strings.TrimLeft(strings.TrimLeft(word, "0123456789"), ".…")
		if strings.HasPrefix(word, "0-0") {
			san = word
		}
		if san == "" {
			continue // a move number
		}
		ply := s.From + len(row)
		m, err := pos.ParseSAN(san)
		switch {
		case err != nil:
			return nil, &FillError{Why: FillIllegal, Move: numberedPly(ply, san), Legal: sanList(&pos)}
		case len(row) == maxFill:
			return nil, &FillError{Why: FillCount, Want: maxFill}
		}
		row, pos = append(row, m), pos.After(m)
	}
	return row, s.check(row)
}

// Ends reports whether no position after the plies is known.
func (s *Span) Ends() bool { return s.After.Turn() == legal.NoSide }

// check returns the reason why legal plies do not fill the span.
func (s *Span) check(row []legal.Move) error {
	pos := s.Before
	for _, m := range row {
		pos = pos.After(m)
	}
	if n := s.To + 1 - s.From; s.To > 0 && len(row) != n {
		return &FillError{Why: FillCount, Want: n, Got: len(row)}
	}
	if s.Ends() {
		return nil
	}
	if pos.Turn() != s.After.Turn() {
		return &FillError{Why: FillTurn}
	}
	if is, want := pos.Placement(), s.After.Placement(); is != want {
		return &FillError{Why: FillPosition, Squares: differing(&is, &want)}
	}
	return nil
}

// plies returns the plies of a row as reported, and in the form of a scoresheet.
func (s *Span) plies(row []legal.Move) (told []said.Ply, list []string) {
	pos := s.Before
	for n, move := range row {
		san := pos.SAN(move)
		told = append(told, said.Ply{UCI: pos.UCI(move), SAN: san})
		list = append(list, numberedPly(s.From+n, san))
		pos = pos.After(move)
	}
	return told, list
}

// maxFill is the greatest number of plies that a person fills in at once; a request has no room for more.
const maxFill = 1000

// A FillError is the reason why plies do not fit into a span.
type FillError struct {
	Why       string   // one of the words below
	Move      string   // FillIllegal: the first illegal ply, with its number
	Legal     []string // FillIllegal: the legal ones
	Want, Got int      // FillCount
	Squares   []string // FillPosition: the squares that differ from the board
}

// Reasons why plies do not fit.
const (
	FillIllegal  = "fill_illegal"
	FillCount    = "fill_count"
	FillTurn     = "fill_turn"
	FillPosition = "fill_position"
)

// Args returns the arguments of the sentence that Error returns, for translation.
func (e *FillError) Args() []string {
	switch e.Why {
	case FillIllegal:
		return []string{e.Move, strings.Join(e.Legal, " ")}
	case FillCount:
		return []string{strconv.Itoa(e.Want), strconv.Itoa(e.Got)}
	case FillPosition:
		return []string{strings.Join(e.Squares, ", ")}
	}
	return nil
}

func (e *FillError) Error() string {
	switch e.Why {
	case FillIllegal:
		return fmt.Sprintf("%s is not possible there; possible: %s", e.Move, strings.Join(e.Legal, " "))
	case FillCount:
		return fmt.Sprintf("%d plies are missing here, and %d were given", e.Want, e.Got)
	case FillTurn:
		return "after these plies the other side is to move than in the position after them"
	}
	return "these plies do not lead to the position after them: it differs on " + strings.Join(e.Squares, ", ")
}

// Rows returns all rows of plies that fill a span, in SAN, if the span is short and there are few rows; the person then
// only chooses.
func (s *Span) Rows() (rows [][]string) {
	n := s.To + 1 - s.From
	if s.To == 0 || n > maxChoice {
		return nil
	}
	f := finder{after: s.After.Placement(), turn: s.After.Turn(), nodes: maxNodes}
	f.find(s.Before, n, nil)
	if f.nodes <= 0 || len(f.rows) > maxRows {
		return nil
	}
	return f.rows
}

// The bounds of Rows. In a middle game three plies lead to some thousand positions, because each ply changes only few
// squares.
const (
	maxChoice = 3
	maxNodes  = 20_000
	maxRows   = 8
)

// A finder searches all rows of plies that lead to a position.
type finder struct {
	after legal.Placement
	turn  legal.Side
	rows  [][]string
	nodes int
}

// find extends the row by n plies to its end. A ply changes at most four squares (castling).
func (f *finder) find(pos legal.Position, n int, row []string) {
	is := pos.Placement()
	switch f.nodes--; {
	case f.nodes <= 0 || len(f.rows) > maxRows || len(differing(&is, &f.after)) > 4*n:
		return
	case n == 0:
		if pos.Turn() == f.turn {
			f.rows = append(f.rows, append([]string(nil), row...))
		}
		return
	}
	var list legal.MoveList
	pos.Moves(&list)
	for _, m := range list.Slice() {
		f.find(pos.After(m), n-1, append(row, pos.SAN(m)))
	}
}

func differing(a, b *legal.Placement) (squares []string) {
	for sq := range a {
		if a[sq] != b[sq] {
			squares = append(squares, legal.Square(sq).String())
		}
	}
	return squares
}

func sanList(pos *legal.Position) (list []string) {
	var moves legal.MoveList
	pos.Moves(&moves)
	for _, m := range moves.Slice() {
		list = append(list, pos.SAN(m))
	}
	return list
}

// numberedPly returns a move with its number: 12. Nf3, 12... Nc6.
func numberedPly(ply int, san string) string {
	dots := ". "
	if ply%2 == 0 {
		dots = "... "
	}
	return strconv.Itoa((ply+1)/2) + dots + san
}

// maxSpans bounds the spans that can still be filled in; those of the oldest games are dropped first.
const maxSpans = 64

// storeSpan stores a span; an earlier one at the same place of the game is removed.
func (m *Machine) storeSpan(s Span) {
	m.dropSpans(s.Game, s.From)
	if len(m.spans) == maxSpans {
		m.spans = m.spans[:copy(m.spans, m.spans[1:])]
	}
	m.spans = append(m.spans, s)
}

// dropSpans removes the spans of a game that begin at a ply or later, because the players went back before them.
func (m *Machine) dropSpans(game, ply int) {
	kept := m.spans[:0]
	for _, s := range m.spans {
		if s.Game != game || s.From < ply {
			kept = append(kept, s)
		}
	}
	m.spans = kept
}

// keepSpans updates the list of spans with an outcome: new spans, and those that the players went back before.
func (m *Machine) keepSpans(o detector.Outcome) {
	switch o := o.(type) {
	case detector.NotKnown:
		if !m.other.on {
			m.storeSpan(Span{Game: o.Game, From: o.From, To: o.To, Before: o.Before, After: o.Position})
		}
	case detector.Moved:
		if !o.Corrects {
			m.dropSpans(o.Game, o.Ply)
		}
	case detector.TakenBack:
		m.dropSpans(o.Game, o.Ply+1)
	}
}

// fill applies a person's plies for a span; an empty list removes them.
func (m *Machine) fill(i Instruction) {
	for n := range m.spans {
		s := &m.spans[n]
		if s.Game != i.Game || s.From != i.Ply {
			continue
		}
		told := said.Filled{PlyFrom: s.From, Moves: []said.Ply{}}
		if strings.TrimSpace(i.Moves) == "" {
			s.touched = true
			m.filled(s.Game, told, words.Say("row.filled_back", s.From))
			return
		}
		row, err := s.Parse(i.Moves)
		if err != nil {
			m.health("instruction_refused", words.Say("row.refused_fill", err))
			return
		}
		var list []string
		told.Moves, list = s.plies(row)
		s.touched = true
		m.filled(s.Game, told, words.Say("row.filled", strings.Join(list, " ")))
		return
	}
	m.health("instruction_refused", words.Say("row.refused_span", i.Ply, i.Game))
}

func (m *Machine) filled(game int, told said.Filled, detail words.Sentence) {
	told.Health = m.newHealth(m.now, game, "filled", detail)
	m.emit(told)
}

func (m *Machine) notKnownSaid(o *detector.NotKnown) said.NotKnown {
	s := said.NotKnown{PlyFrom: o.From, FENBefore: o.Before.FEN()}
	if o.Ends() {
		s.Health = m.newHealth(o.Stamp, o.Game, "not_known", words.Say("row.not_known_end", o.From))
		return s
	}
	s.SideToMove = o.Position.Turn().String()
	fen := o.Position.FEN()
	detail := words.Say("row.not_known_from", o.From, fen)
	if o.To > 0 {
		s.PlyTo = &o.To
		detail = words.Say("row.not_known", o.From, o.To, fen)
		if o.To == o.From {
			detail = words.Say("row.not_known_ply", o.From, fen)
		}
	}
	s.Health = m.newHealth(o.Stamp, o.Game, "not_known", detail)
	s.FEN = fen
	return s
}

// ParseSpan reads a reported span. It fails on reports of older programs, which lack the position before the span.
func ParseSpan(body []byte) (s Span, ok bool) {
	var v said.NotKnown
	if json.Unmarshal(body, &v) != nil || v.What != "not_known" {
		return s, false
	}
	s = Span{Game: v.Game, From: v.PlyFrom}
	if v.PlyTo != nil {
		s.To = *v.PlyTo
	}
	before, ok1 := standing(v.FENBefore)
	after, ok2 := standing(v.FEN)
	s.Before, s.After = before, after
	return s, ok1 && (ok2 || v.FEN == "") && s.From > 0
}

func standing(fen string) (pos legal.Position, ok bool) {
	s, err := legal.ParseFEN(fen)
	if err != nil {
		return pos, false
	}
	pos, err = s.Standing()
	return pos, err == nil
}
