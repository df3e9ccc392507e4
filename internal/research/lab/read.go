package lab

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"boardwatchd/detector/hands"
	"boardwatchd/dgt"
	"boardwatchd/internal/record"
	"boardwatchd/internal/recording"
	"boardwatchd/internal/research/populations"
	"boardwatchd/rules/legal"
)

// A Case is one labelled manipulation of a recording: its card, with the board's reports.
type Case struct {
	Card
	Person   string // the performer
	Attempt  int
	Handling hands.Handling
}

// class returns the class of play that the speed of a card belongs to: relaxed hands are those of classical play, fast
// ones those of blitz (timing notes, 2.2).
func (c Card) class() populations.Pace {
	if c.Tempo == Relaxed {
		return populations.Classical
	}
	return populations.Blitz
}

// A Recording is the content of one journal.
type Recording struct {
	Name   string
	Made   string // generated people; empty: real ones
	Labels []Label
	Cases  []Case // in order of time
	Void   int    // cards that were done, but not as asked
}

// ErrNoLabels says that a recording has no labels.
var ErrNoLabels = errors.New("no labels are in it: boardwatchd lab records labelled captures")

// Read extracts the labelled manipulations of a journal.
func Read(src *recording.Source) (Recording, error) {
	r := reader{out: Recording{Name: src.Name()}, void: map[string]int{}, cards: map[string]Card{}}
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
	if len(r.out.Labels) == 0 {
		return r.out, fmt.Errorf("%s: %w", src.Name(), ErrNoLabels)
	}
	r.out.leaveOut(func(c Case) bool { return c.Attempt <= r.void[c.ID] })
	return r.out, nil
}

// reader follows the board through a journal.
type reader struct {
	out     Recording
	dec     dgt.Decoder
	raw     legal.Placement // with White at the near side
	seen    bool
	stood   legal.Placement // raw at the time when the card was shown
	reports []hands.Report  // since the card was shown
	trouble bool            // since then
	cards   map[string]Card
	void    map[string]int
}

func (r *reader) take(rec record.Record) {
	switch rec.Kind {
	case record.Rx:
		r.dec.Feed(rec.Body)
		for f, ok := r.dec.Next(); ok; f, ok = r.dec.Next() {
			r.frame(f, rec.At)
		}
	case record.Gap, record.Down, record.Up:
		r.trouble = true
	case record.Instruct:
		if l, ok := ParseLabel(rec.Body); ok {
			r.out.Labels = append(r.out.Labels, l)
			r.label(l)
		}
	}
}

func (r *reader) frame(f dgt.Frame, at int64) {
	if p, ok := f.Board(); ok {
		var now legal.Placement
		for n, code := range p {
			now[n^56] = populations.PieceOf(code)
		}
		r.trouble = r.trouble || r.seen && now != r.raw // reports were lost
		r.raw, r.seen = now, true
	}
	if u, ok := f.Field(); ok {
		sq, is := legal.Square(u.Square&63)^56, populations.PieceOf(u.Piece)
		r.reports = append(r.reports, hands.Report{Square: sq, Was: r.raw[sq], Is: is, Unread: u.Piece&15 > dgt.BlackQueen, At: at})
		r.raw[sq] = is
	}
}

// label processes a label of a session.
func (r *reader) label(l Label) {
	switch l.Event {
	case Begin:
		r.out.Made = l.Made
		if l.Protocol == nil {
			break
		}
		p, _ := Named(l.Protocol.Name)
		for n := range p.Blocks {
			cards, _ := p.deal(n, l.Seed)
			for _, c := range cards {
				r.cards[c.ID] = c
			}
		}
	case Shown:
		r.stood, r.reports, r.trouble = r.raw, nil, false
	case Done:
		if c, ok := r.cards[l.Card]; ok {
			r.out.Cases = append(r.out.Cases, r.done(c, l))
		}
		r.stood, r.reports = r.raw, nil
	case Void:
		r.void[l.Card] = max(r.void[l.Card], l.Attempt)
	}
}

// done makes a case from a card and the reports since it was shown. White sits where the pieces went: at the near side,
// or at the far one.
func (r *reader) done(c Card, l Label) Case {
	out := Case{Card: c, Person: l.Performer, Attempt: l.Attempt, Handling: c.lane.Handling}
	d := &out.Handling
	d.Kind, d.Trouble = c.What.Kind(), r.trouble
	d.Reversed = r.raw[d.To] != d.Put && r.raw[63-d.To] == d.Put
	if d.Reversed {
		slices.Reverse(r.stood[:])
	}
	for _, x := range r.reports {
		if d.Reversed {
			x.Square = 63 - x.Square
		}
		if c.lane.before(r.stood) == r.stood {
			d.Reports = nil // earlier reports are of pieces put back
		}
		r.stood[x.Square] = x.Is
		d.Reports = append(d.Reports, x)
	}
	return out
}

// LeaveOut declares a card void because the film has shown that it was not done as asked; false: no such card counts.
func (r *Recording) LeaveOut(card string) bool {
	return r.leaveOut(func(c Case) bool { return c.ID == card })
}

func (r *Recording) leaveOut(which func(Case) bool) bool {
	n := len(r.Cases)
	r.Cases = slices.DeleteFunc(r.Cases, which)
	r.Void += n - len(r.Cases)
	return len(r.Cases) < n
}
