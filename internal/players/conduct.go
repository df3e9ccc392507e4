package players

import (
	"fmt"

	"boardwatchd/internal/emulator"
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// conduct is the state of imperfect players: the offences they may commit, the offence being handled, and the return to
// normal play.
type conduct struct {
	rng       random.Source
	offences  []int // chances per million, by row
	innocents []int
	after     Aftermath
	sequel    func(left int64) []emulator.Act // the acts before the next player thinks, or nil
	notes     []func(now int64, g *GameTruth)
	quiet     int   // no further offence before this ply
	hurryUS   int64 // the next player thinks no longer than this; 0: no limit
	bonus     int64 // per press
	penalty   int64 // given to the opponent of an offender
	noisy     bool  // innocent look-alikes are possible
}

// newConduct returns nil for players without offences, so that their games do not change.
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

// penaltyOf returns the time that the arbiter adds (FIDE Laws 7.5.5, A.3) and the increment, by the setting of the
// clock.
func penaltyOf(o emulator.ClockOptions) (penalty, bonus int64) {
	base, inc := o.Period()
	penalty = 60 * second
	if base+60*inc >= 3600 { // FIDE Laws A.1: from sixty minutes on it is not a rapid game
		penalty = 120 * second
	}
	return penalty, int64(inc) * second
}

// enoughUS is the least time with which a player does something unusual.
const enoughUS = 45 * second

// mood shapes a generated game so that the planned offence is possible.
type mood struct {
	castlesNever bool    // the king does not castle
	kingWalks    bool    // the king steps off its square and back
	chooser      Chooser // nil: moves are drawn
}

func (c *conduct) mood() mood {
	way := c.rng.Below(1000)
	wanted := false
	for i := range offenceRows {
		wanted = wanted || c.offences[i] > 0 && offenceRows[i].kind.Row().Castling
	}
	return mood{castlesNever: wanted && way < 600, kingWalks: wanted && way < 250}
}

// weigh returns the weight of a move in a mood.
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

// note schedules a change of the truth.
func (p *pair) note(f func(now int64, g *GameTruth)) {
	c := p.conduct
	c.notes = append(c.notes, f)
	p.hands.cue(cueNote.ref(len(c.notes) - 1))
}

// replan generates the rest of the game again from the present position, beginning with the given move if there is one.
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

// skip counts a ply that is not a legal move and continues from the given position.
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

// replace chooses the move that replaces an illegal one: of the touched piece if it has one (FIDE Laws 4.3, 7.5.1).
func (p *pair) replace(touched legal.Square) {
	if p.game.scripted || p.game.moves[p.ply].move.From() == touched {
		return
	}
	if m, ok := p.someMove(func(m legal.Move) bool { return m.From() == touched }); ok {
		p.replan(m)
	}
}
