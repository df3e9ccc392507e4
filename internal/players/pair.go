package players

import (
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/random"
	"boardwatchd/rules/legal"
)

// cue marks the players' place in their plan.
type cue int

const (
	cueNone    cue = iota // emulator.Begin: nothing has been planned
	cueBegin              // the clock has been started
	cuePlaced             // a move is on the board
	cuePressed            // the move has been pressed
	cueTurn               // the next player begins to think
	cueOver               // the game is finished
	cueNote               // a change of the truth that is not a move, see conduct
)

// ref packs a cue and a ply into Act.Ref.
func (c cue) ref(ply int) int { return int(c) | ply<<4 }

func unref(ref int) (cue, int) { return cue(ref & 15), ref >> 4 }

// pair plans one turn at a time, when the turn begins: the plan depends on the time left, never on the board's reports.
// It is the emulator's People.
type pair struct {
	tempo   Tempo
	habits  Habits
	hands   *Hands
	rng     random.Source // think times and habits
	dealer  random.Source // generated games
	given   []game
	count   int // generated games still to play, negative for ever
	gen     GeneratorOptions
	game    game
	pos     legal.Position
	ply     int
	noClock bool
	base    int64 // the time of each side at the start of a game
	pending map[int]MoveTruth
	liftAt  int64           // first touch of the planned turn
	before  legal.Placement // the table before it
	truth   Truth
	idle    bool             // no game left to play
	playing bool             // between the start of a game's clock and its end
	conduct *conduct         // nil for players without offences
	way     func(t Transfer) // the way of making the next move; nil: by the habits
}

const (
	// settleUS is the time before the clock is started, in which a watcher can read the start position.
	settleUS   = 1_500_000
	betweenUS  = 8_000_000   // the players shake hands and sign
	analysisUS = 600_000_000 // an adjournment
)

// next begins the next game, or reports that there is none.
func (p *pair) next(now int64) bool {
	switch {
	case len(p.given) > 0:
		p.game, p.given = p.given[0], p.given[1:]
		p.game.mood.chooser = p.gen.Chooser
	case p.count != 0:
		p.count--
		p.game = generate(&p.dealer, p.gen, p.mood())
	default:
		p.idle = true
		return false
	}
	p.pos, p.ply, p.way = p.game.first, 0, nil
	if c := p.conduct; c != nil {
		c.sequel, c.notes, c.quiet, c.hurryUS = nil, nil, 1, 0 // a restored start array would be another game
	}
	p.pending = map[int]MoveTruth{}
	p.truth.Games = append(p.truth.Games, GameTruth{Start: p.game.start, End: p.game.end, Result: "*"})
	p.hands.Now = now
	return true
}

// Next continues the plan. See emulator.People.
func (p *pair) Next(now int64, ref int, clock emulator.ClockView) []emulator.Act {
	if ref == emulator.Begin {
		p.hands.Now = now
		return p.open()
	}
	c, ply := unref(ref)
	g := p.truth.game()
	switch c {
	case cueBegin:
		g.StartAt = now
		p.playing = true
		return p.turn(now, clock.ToMove())
	case cuePlaced:
		g.Moves = append(g.Moves, p.pending[ply])
		delete(p.pending, ply)
	case cuePressed:
		m := g.ply(ply)
		if m == nil {
			return nil
		}
		m.PressAt = now
		for i, s := range [2]legal.Side{legal.White, legal.Black} {
			m.Left[i] = clock.Seconds(s)
		}
	case cueNote:
		p.conduct.notes[ply](now, g)
	case cueTurn:
		return p.turn(now, clock.ToMove())
	case cueOver:
		g.EndAt, g.Result, g.End = now, p.game.result, p.game.end
		p.playing = false
		if p.next(now) {
			return p.reopen()
		}
	}
	return nil
}

// FlagFell ends the game that is being played. See emulator.People.
func (p *pair) FlagFell(now int64, side legal.Side) (keep func(emulator.Act) bool, then []emulator.Act) {
	if p.idle || !p.playing {
		return nil, nil
	}
	keep = p.flag(now)
	return keep, p.flagged(now, side)
}

// Gone reports that all games have been played. See emulator.People.
func (p *pair) Gone() bool { return p.idle }

// open plans the start of a game after the set-up of pieces and clock.
func (p *pair) open() []emulator.Act {
	h := p.hands
	h.Wait(settleUS + p.rng.Around(settleUS, &spreadSlow))
	h.Run(p.pos.Turn())
	h.cue(cueBegin.ref(0))
	return h.Take()
}

// reopen plans the time from one game to the start of the next.
func (p *pair) reopen() []emulator.Act {
	h := p.hands
	h.Wait(p.rng.Around(betweenUS, &spreadSlow))
	h.Pause()
	h.Arrange(p.game.first.Placement())
	h.Wait(p.rng.Around(settleUS, &spreadSlow))
	h.SetTime(legal.White, p.base)
	h.SetTime(legal.Black, p.base)
	h.Lever(p.pos.Turn())
	return p.open()
}

// turn plans a player's move after the opponent's press; left is the player's time.
func (p *pair) turn(now int64, left int64) []emulator.Act {
	h := p.hands
	h.Now = max(now, h.Now)
	c := p.conduct
	if c != nil && c.sequel != nil {
		sequel := c.sequel
		c.sequel = nil
		return sequel(left)
	}
	if p.game.adjournAt > 0 && p.ply == p.game.adjournAt {
		p.game.adjournAt = 0
		return p.adjourn()
	}
	if p.ply == len(p.game.moves) {
		return p.finish(left)
	}
	if c != nil && c.hurryUS == 0 && p.way == nil && left > enoughUS {
		if d, ok := p.findOffence(); ok && p.ply+3 < len(p.game.moves) {
			return p.offend(d, left)
		}
		if l, ok := p.drawLookalike(); ok {
			return p.turnWithLookalike(l, left)
		}
	}
	extra := p.think(left)
	p.before, p.liftAt = h.table, h.Now
	if p.way == nil {
		p.addExtras(&extra)
	}
	p.perform(extra)
	placed := h.Now
	h.Wait(h.rng.Around(p.tempo.Press, &spreadSlow))
	if p.rng.Permille(p.habits.SlowPress) {
		h.Wait(p.rng.Between(second, 2*second))
	}
	if p.ply < len(p.game.moves) && p.rng.Permille(p.habits.EarlyReply) && !p.noClock {
		p.replyEarly(placed, h.Now)
		return h.Take()
	}
	p.press(p.ply)
	h.cue(cueTurn.ref(p.ply))
	return h.Take()
}

// turnWithLookalike plans a turn with a look-alike.
func (p *pair) turnWithLookalike(l lookalike, left int64) []emulator.Act {
	h := p.hands
	extra := p.think(left)
	p.before, p.liftAt = h.table, h.Now
	p.noteInnocent(p.ply+1, l.kind, l.detail)
	if l.before != nil {
		l.before()
	}
	p.way = l.way
	p.perform(extra)
	placed := h.Now
	if l.after != nil {
		l.after()
	}
	h.Wait(h.rng.Around(p.tempo.Press, &spreadSlow))
	switch {
	case l.reply:
		p.replyEarly(placed, h.Now+p.conduct.rng.Between(second, 4*second))
		return h.Take()
	case l.press != nil:
		l.press()
	default:
		p.press(p.ply)
	}
	h.cue(cueTurn.ref(p.ply))
	return h.Take()
}

// mood returns the mood of the next generated game.
func (p *pair) mood() mood {
	var m mood
	if p.conduct != nil {
		m = p.conduct.mood()
	}
	m.chooser = p.gen.Chooser
	return m
}

// think plans the thinking time.
func (p *pair) think(left int64) Extra {
	think := p.rng.Around(p.tempo.Think, &spreadSlow)
	var extra Extra
	if c := p.conduct; c != nil && c.hurryUS > 0 {
		p.hands.Wait(c.hurryUS)
		c.hurryUS = 0
		return extra
	}
	if p.rng.Permille(p.habits.LongThink) {
		think *= 5
		extra |= LongThink
	}
	if p.ply < 2 {
		think /= 3 // the first moves are opening moves
	}
	if !p.noClock {
		think = min(think, left/16)
	}
	p.hands.Wait(max(think, p.tempo.React))
	return extra
}

// addExtras plans movements of the hands before the move itself.
func (p *pair) addExtras(extra *Extra) {
	h, m := p.hands, p.game.moves[p.ply].move
	mover := p.pos.Turn()
	if p.rng.Permille(p.habits.Adjust) { // j'adoube: FIDE Laws 4.2.1
		if sq := p.some(mover.Other(), legal.NoSquare); sq != legal.NoSquare {
			h.fly(sq, sq)
			h.Wait(h.scaled(hesitationUS))
			*extra |= Adjusted
		}
	}
	if p.rng.Permille(p.habits.TouchOther) {
		if sq := p.some(mover, m.From()); sq != legal.NoSquare {
			h.fly(sq, sq)
			h.Wait(h.scaled(hesitationUS))
			*extra |= TouchedOther
		}
	}
	if p.rng.Permille(p.habits.Hesitate) {
		h.fly(m.From(), m.From())
		h.Wait(h.scaled(h.rng.Around(hesitationUS, &spreadSlow)))
		*extra |= Hesitated
	}
	if p.rng.Permille(p.habits.ChangeMind) {
		if sq := p.otherTarget(m); sq != legal.NoSquare {
			h.fly(m.From(), sq)
			h.Wait(h.scaled(h.rng.Around(hesitationUS, &spreadSlow)))
			h.fly(sq, m.From())
			h.Wait(h.scaled(h.rng.Around(hesitationUS, &spreadSlow)))
			*extra |= ChangedMind
		}
	}
}

// some draws a piece of one side.
func (p *pair) some(side legal.Side, except legal.Square) legal.Square {
	return p.someOf(&p.rng, side, except)
}

func (p *pair) someOf(r *random.Source, side legal.Side, except legal.Square) legal.Square {
	var list []legal.Square
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if p.hands.table[sq].Side() == side && sq != except {
			list = append(list, sq)
		}
	}
	if len(list) == 0 {
		return legal.NoSquare
	}
	return list[r.Below(int64(len(list)))]
}

// otherTarget draws another empty square that the moving piece could go to.
func (p *pair) otherTarget(m legal.Move) legal.Square {
	if m.IsCastling() {
		return legal.NoSquare
	}
	var list legal.MoveList
	p.pos.Moves(&list)
	var to []legal.Square
	for _, o := range list.Slice() {
		if o.From() == m.From() && o.To() != m.To() && o.Captured() == legal.NoKind && o.Promotion() == legal.NoKind && !o.IsCastling() {
			to = append(to, o.To())
		}
	}
	if len(to) == 0 {
		return legal.NoSquare
	}
	return to[p.rng.Below(int64(len(to)))]
}

// perform makes the next move of the game on the table.
func (p *pair) perform(extra Extra) {
	h, m := p.hands, p.game.moves[p.ply]
	side := p.pos.Turn()
	t := transferOf(&p.pos, m.move)
	p.ply++
	truth := MoveTruth{
		Ply: p.ply, Side: side, Move: m.move, UCI: m.uci, SAN: m.san,
		LiftAt: p.liftAt, PressAt: NotPressed, Extra: extra,
	}
	if way := p.way; way != nil {
		p.way = nil
		way(t)
	} else {
		h.Move(t, p.habits)
	}
	truth.PlacedAt = h.Now
	p.pending[p.ply] = truth
	h.cue(cuePlaced.ref(p.ply))
	p.pos = p.pos.After(m.move)
}

// press presses the clock after a ply, unless there is no clock, or the ply is mate and the players do not press.
func (p *pair) press(ply int) {
	if p.noClock || p.game.silentMate && ply == len(p.game.moves) && p.pos.Outcome() != legal.Ongoing {
		return
	}
	side := p.pos.Turn().Other()
	if ply < p.ply {
		side = side.Other()
	}
	p.hands.Press(side)
	p.hands.cue(cuePressed.ref(ply))
}

// replyEarly plays the opponent's move before the clock is pressed for the last one.
func (p *pair) replyEarly(placed, pressAt int64) {
	h := p.hands
	first := p.ply
	h.Now = placed + p.rng.Around(400_000, &spreadHand)
	p.perform(EarlyReply)
	replied := h.Now
	h.Now = max(pressAt, h.Now-p.rng.Between(0, 300_000))
	p.press(first)
	h.Now = max(h.Now+200_000, replied+h.rng.Around(p.tempo.Press, &spreadSlow))
	p.press(p.ply)
	h.cue(cueTurn.ref(p.ply))
}

// flag drops the plan after a flag fell: a piece in the hand is put down, the clock is not pressed. keep reports which
// acts to keep.
func (p *pair) flag(now int64) (keep func(emulator.Act) bool) {
	inHand := now >= p.liftAt
	if !inHand {
		p.hands.table, p.hands.held, p.hands.Now = p.before, nil, now
	}
	return func(a emulator.Act) bool {
		c, _ := unref(a.Ref)
		return inHand && (a.Verb == emulator.Sense || a.Verb == emulator.Cue && c == cuePlaced)
	}
}
