package lab

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"boardwatchd/clockproto"
	"boardwatchd/detector/hands"
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/research/populations"
	"boardwatchd/rules/legal"
)

// A Case is one labelled deed of a recording.
type Case struct {
	Family string // of generated people; empty: it is not known, or they are real
	Person string // who did it; the same text is the same person
	Card   string // where it stands: the card, or the half-move
	Ply    int    // of a game, from 1; 0: a card
	What   What
	Style  string
	Two    bool
	Class  populations.Pace // which class of play its speed is of
	Dealt  bool             // a card asked for the style: how often it comes says nothing about life
	Deed   hands.Deed

	attempt int
}

// A Recording is what one file tells.
type Recording struct {
	Name    string
	Made    string // generated people; empty: real ones
	Cases   []Case // in order of time
	Void    int    // cards that were done, and not as asked
	LeverUS []int64
}

// ErrNoLabels says that a recording has none.
var ErrNoLabels = errors.New("no labels are in it: boardwatchd lab records labelled captures")

// Read takes the labelled deeds out of a recording: of a journal whose instructions are labels, or of a timed capture with
// labels in its header (populations.Header).
func Read(src *recording.Source) (Recording, error) {
	r := reader{out: Recording{Name: src.Name()}}
	for {
		it, err := src.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return r.out, err
		}
		r.take(it.Record)
	}
	var err error
	if head := src.Header(); head != nil {
		err = r.byHeader(head, src.Origin())
	} else {
		r.settle()
	}
	switch {
	case err != nil || len(r.out.Cases) > 0:
	case r.named != nil:
		err = errors.New("a session of the laboratory is in it, and no card of it was done")
	default:
		err = ErrNoLabels
	}
	if err != nil {
		return r.out, fmt.Errorf("%s: %w", src.Name(), err)
	}
	return r.out, nil
}

// reader follows the board through a recording.
type reader struct {
	out     Recording
	dec     dgt.Decoder
	raw     legal.Placement // by the board's own numbers
	seen    bool
	since   int // in reports: where the present card began
	reports []hands.Report
	trouble bool // since then
	void    map[string]int
	named   map[string]bool // players who have a name of their own
	lever   lever
}

func (r *reader) take(rec record.Record) {
	switch rec.Kind {
	case record.Rx:
		r.dec.Feed(rec.Body)
		for {
			f, ok := r.dec.Next()
			if !ok {
				break
			}
			r.frame(f, rec.At)
		}
	case record.Gap, record.Down, record.Up:
		r.trouble = true
	case record.Instruct:
		if l, ok := ParseLabel(rec.Body); ok {
			r.label(l)
		}
	}
}

// pieceByCode: protocol notes 5.1. 13 to 15 are no pieces.
var pieceByCode = [16]legal.Piece{
	dgt.WhitePawn: legal.WhitePawn, dgt.WhiteRook: legal.WhiteRook, dgt.WhiteKnight: legal.WhiteKnight,
	dgt.WhiteBishop: legal.WhiteBishop, dgt.WhiteKing: legal.WhiteKing, dgt.WhiteQueen: legal.WhiteQueen,
	dgt.BlackPawn: legal.BlackPawn, dgt.BlackRook: legal.BlackRook, dgt.BlackKnight: legal.BlackKnight,
	dgt.BlackBishop: legal.BlackBishop, dgt.BlackKing: legal.BlackKing, dgt.BlackQueen: legal.BlackQueen,
}

func (r *reader) frame(f dgt.Frame, at int64) {
	if p, ok := f.Board(); ok {
		var now legal.Placement
		for n, code := range p {
			now[n^56] = pieceByCode[code&15]
		}
		if r.seen && now != r.raw {
			r.trouble = true // reports were lost
		}
		r.raw, r.seen = now, true
	}
	if u, ok := f.Field(); ok {
		sq := legal.Square(u.Square&63) ^ 56
		code := u.Piece & 15
		is := pieceByCode[code]
		r.reports = append(r.reports, hands.Report{Square: sq, Was: r.raw[sq], Is: is, Unread: code > dgt.BlackQueen, At: at})
		r.raw[sq] = is
		if is != legal.NoPiece {
			r.lever.placed(at)
		}
	}
	if d, ok := f.Clock(); ok && clockproto.Classify(d) == clockproto.Time {
		if c, err := clockproto.ParseReading(d); err == nil {
			r.lever.heard(c.Up, at)
		}
	}
}

// lever measures how late a press is told (timing notes, 1.3).
type lever struct {
	up    clockproto.Side
	known bool
	last  int64 // placement
	wait  bool  // a card on which the lever was hit when the piece came down
	late  []int64
}

func (l *lever) placed(at int64) { l.last = at }

func (l *lever) heard(up clockproto.Side, at int64) {
	if l.known && up != l.up && l.wait && l.last > 0 {
		l.late = append(l.late, at-l.last)
		l.wait = false
	}
	l.up, l.known = up, true
}

// label follows a session.
func (r *reader) label(l Label) {
	switch l.Event {
	case Begin:
		r.out.Made = l.Made
		r.named = map[string]bool{}
		for _, p := range l.Players {
			r.named[p] = !isPlaceholder(p)
		}
	case Shown:
		r.since, r.trouble = len(r.reports), false
		r.lever.wait = l.What == Drop
	case Done:
		if c, ok := l.asCase(r.reports[min(r.since, len(r.reports)):], r.trouble); ok {
			c.Person = r.person(l.Performer)
			r.out.Cases = append(r.out.Cases, c)
		}
		r.since = len(r.reports)
	case Void:
		if r.void == nil {
			r.void = map[string]int{}
		}
		r.void[l.Card] = max(r.void[l.Card], l.Attempt)
	}
}

// isPlaceholder: A and B of one evening are not those of another.
func isPlaceholder(player string) bool { return len(player) == 1 }

func (r *reader) person(player string) string {
	if r.named[player] {
		return player
	}
	return r.out.Name + " " + player
}

// settle leaves out what was declared void.
func (r *reader) settle() {
	kept := r.out.Cases[:0]
	for _, c := range r.out.Cases {
		if c.attempt <= r.void[c.Card] {
			r.out.Void++
			continue
		}
		kept = append(kept, c)
	}
	r.out.Cases, r.out.LeverUS = kept, r.lever.late
}

// LeaveOut declares a card void of which the film has shown that it was not done as asked; false: no such card counts.
func (r *Recording) LeaveOut(card string) bool {
	kept := slices.DeleteFunc(r.Cases, func(c Case) bool { return c.Card == card })
	n := len(r.Cases) - len(kept)
	r.Cases, r.Void = kept, r.Void+n
	return n > 0
}

// asCase makes a deed of a label and the reports of its card.
func (l Label) asCase(reports []hands.Report, trouble bool) (Case, bool) {
	if l.Deed == nil {
		return Case{}, false
	}
	d := l.Deed
	c := Case{Card: l.Card, What: l.What, Style: l.Style, Two: l.Two != nil && *l.Two, Class: classOf(l.Tempo), Dealt: true, attempt: l.Attempt}
	c.Deed = hands.Deed{
		Kind: l.What.Kind(), From: squareOf(d.From), To: squareOf(d.To), Victim: squareOf(d.Victim),
		RookFrom: squareOf(d.RookFrom), RookTo: squareOf(d.RookTo),
		Mover: pieceOf(d.Mover), Taken: pieceOf(d.Taken), Put: pieceOf(d.Put), Reversed: l.Reversed, Trouble: trouble,
		Reports: turnedReports(reports, l.Reversed),
	}
	return c, true
}

func turnedReports(list []hands.Report, reversed bool) []hands.Report {
	out := make([]hands.Report, len(list))
	for i, r := range list {
		if reversed {
			r.Square = 63 - r.Square
		}
		out[i] = r
	}
	return out
}

// classOf: relaxed hands are those of classical play, fast ones those of blitz (timing notes, 2.2).
func classOf(t Tempo) populations.Pace {
	if t == Relaxed {
		return populations.Classical
	}
	return populations.Blitz
}

// byHeader labels the half-moves of a timed capture. Its times are on the capture's clock, which began at origin.
func (r *reader) byHeader(text []byte, origin int64) error {
	var h populations.Header
	if err := json.Unmarshal(text, &h); err != nil || len(h.Labels) == 0 {
		return ErrNoLabels
	}
	if strings.Contains(h.Source, "generated") {
		r.out.Made = h.Source + ", " + h.Family
	}
	class := map[string]populations.Pace{"rapid": populations.Rapid, "classical": populations.Classical}[h.Pace]
	pos := legal.StartPosition()
	reports := turnedReports(r.reports, h.Reversed)
	for i, l := range h.Labels {
		m, ok := pos.FindUCI(l.UCI)
		if !ok {
			return fmt.Errorf("label %d: %q is no legal move there", i+1, l.UCI)
		}
		var mine []hands.Report
		for len(reports) > 0 && (i+1 == len(h.Labels) || reports[0].At < int64(h.Labels[i+1].Lift*1e6)-origin) {
			mine, reports = append(mine, reports[0]), reports[1:]
		}
		d := deedOf(&pos, m)
		d.Reversed, d.Reports = h.Reversed, mine
		c := Case{Card: l.UCI, Ply: i + 1, Person: r.out.Name + " " + pos.Turn().String(), What: Plain, Style: l.Style, Two: l.Two, Class: class, Deed: d}
		if d.Kind != hands.NoKind {
			c.What = What(d.Kind.String())
		}
		r.out.Cases = append(r.out.Cases, c)
		pos = pos.After(m)
	}
	return nil
}

// deedOf is what a move is for the hands.
func deedOf(p *legal.Position, m legal.Move) hands.Deed {
	none := legal.NoSquare
	d := hands.Deed{From: m.From(), To: m.To(), Victim: none, RookFrom: none, RookTo: none, Mover: p.PieceAt(m.From())}
	d.Put = d.Mover
	switch {
	case m.IsCastling():
		d.Kind, d.RookFrom, d.RookTo = hands.Castling, m.RookFrom(), m.RookTo()
	case m.Captured() != legal.NoKind:
		d.Kind, d.Victim = hands.Capture, m.Victim()
		d.Taken = p.PieceAt(d.Victim)
	}
	if m.Promotion() != legal.NoKind {
		d.Kind, d.Put = hands.Promotion, legal.PieceOf(p.Turn(), m.Promotion())
	}
	return d
}
