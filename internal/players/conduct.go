package players

import (
	"fmt"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// conduct is what players need who are not perfect: what they may do wrong, what of it is on their conscience, and
// how they get back into the game.
type conduct struct {
	rng       random.Source
	offences  []int // chances per million, by row
	innocents []int
	after     Aftermath
	sequel    func(left int64) []emulator.Act // what is to be done before the next player thinks, or nil
	notes     []func(now int64, g *GameTruth)
	quiet     int   // no further offence before this ply
	hurryUS   int64 // the next player thinks no longer than this, 0: as he likes
	bonus     int64 // per press
	penalty   int64 // that the opponent of an offender gets
	noisy     bool  // there are innocent look-alikes
}

// newConduct returns nil for players who never err: nothing may change for them.
func newConduct(o Options, r random.Source) (*conduct, error) {
	if err := checkRates(o.Offences.Kinds, OffenceNames()); err != nil {
		return nil, fmt.Errorf("offences: %w", err)
	}
	if err := checkRates(o.Innocents.Kinds, InnocentNames()); err != nil {
		return nil, fmt.Errorf("innocents: %w", err)
	}
	if o.Clock.None || o.Offences.PerMille <= 0 && o.Innocents.PerMille <= 0 {
		return nil, nil
	}
	c := &conduct{rng: r, after: UsualAftermath, noisy: o.Innocents.PerMille > 0}
	if o.Offences.After != nil {
		c.after = *o.Offences.After
	}
	for i := range offenceRows {
		row := &offenceRows[i]
		c.offences = append(c.offences, min(o.Offences.PerMille*shareOf(row.name(), row.share, o.Offences.Kinds), 1_000_000))
	}
	for i := range innocentRows {
		row := &innocentRows[i]
		c.innocents = append(c.innocents, min(o.Innocents.PerMille*shareOf(row.name, row.share, o.Innocents.Kinds), 1_000_000))
	}
	c.penalty, c.bonus = penaltyOf(o.Clock)
	return c, nil
}

// penaltyOf is what the arbiter adds (FIDE Laws 7.5.5, A.3) and the increment, by what the clock is set to.
func penaltyOf(o emulator.ClockOptions) (penalty, bonus int64) {
	base, inc := o.Period()
	penalty = 60 * second
	if base+60*inc >= 3600 { // FIDE Laws A.1: from sixty minutes on it is no rapid game
		penalty = 120 * second
	}
	return penalty, int64(inc) * second
}

// enough says that a side has the time for something unusual.
const enoughUS = 45 * second

// mood shapes a generated game so that what is to go wrong can.
type mood struct {
	castlesNever bool    // the king stays in the middle
	kingWalks    bool    // and steps off his square and back
	chooser      Chooser // nil: drawn
}

func (c *conduct) mood() mood {
	way := c.rng.Below(1000)
	wanted := false
	for i := range offenceRows {
		wanted = wanted || c.offences[i] > 0 && offenceRows[i].kind.Row().Castling
	}
	return mood{castlesNever: wanted && way < 600, kingWalks: wanted && way < 250}
}

// weigh is the weight of a move in a mood.
func (m mood) weigh(pos *legal.Position, mv legal.Move) int64 {
	w := weigh(pos, mv)
	if m.castlesNever && mv.IsCastling() {
		return 0
	}
	if !m.kingWalks || mv.Captured() != legal.NoKind || pos.PieceAt(mv.From()).Kind() != legal.King {
		return w
	}
	home := legal.SquareOf(4, homeRankOf(pos.Turn()))
	switch {
	case mv.From() == home && pos.Castling().Files(pos.Turn()) != 0:
		return 300
	case mv.To() == home:
		return 3000
	}
	return w
}

// note does something to the truth when the time comes.
func (p *pair) note(f func(now int64, g *GameTruth)) {
	c := p.conduct
	c.notes = append(c.notes, f)
	p.hands.cue(cueNote.ref(len(c.notes) - 1))
}

// replan makes the rest of the game anew from the position that stands, beginning with the given move if there is one.
func (p *pair) replan(first legal.Move) {
	length := len(p.game.moves)
	p.game.moves = p.game.moves[:p.ply:p.ply]
	pos := p.pos
	if first != legal.NoMove {
		p.game.add(&pos, first)
		pos = pos.After(first)
	}
	last := p.game.extend(&p.conduct.rng, pos, length, p.game.mood)
	p.game.finish(&p.conduct.rng, &last)
}

// skip counts a ply that is no legal move and goes on from what stands.
func (p *pair) skip(stands legal.Position, first legal.Move) {
	moves := append(p.game.moves[:p.ply:p.ply], played{})
	for len(moves) < len(p.game.moves) {
		moves = append(moves, played{})
	}
	p.game.moves = moves
	p.ply++
	p.pos = stands
	p.replan(first)
}

// require makes the given legal move the next one.
func (p *pair) require(m legal.Move) {
	if m != legal.NoMove && p.game.moves[p.ply].move != m {
		p.replan(m)
	}
}

// replace chooses the move that replaces an illegal one: with the touched piece if that has one (FIDE Laws 4.3, 7.5.1).
func (p *pair) replace(touched legal.Square) {
	if p.game.scripted || p.game.moves[p.ply].move.From() == touched {
		return
	}
	if m, ok := p.someMove(func(m legal.Move) bool { return m.From() == touched }); ok {
		p.replan(m)
	}
}
