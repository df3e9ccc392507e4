package players

import (
	"boardwatchd/internal/emulator"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// findOffence tries every kind of offence for the player to move, the rare ones first.
func (p *pair) findOffence() (d possibleOffence, ok bool) {
	c := p.conduct
	for i, ppm := range c.offences {
		row := &offenceRows[i]
		from := c.quiet
		if row.chained {
			from -= quietPlies - 1 // immediately, but not instead of a replacement move
		}
		if !c.rng.PPM(ppm) || ok || p.ply < from {
			continue
		}
		if d, ok = row.find(p); !ok {
			continue
		}
		d.row = row
		if after := d.legalMove; after != legal.NoMove {
			pos := p.pos.After(after)
			ok = pos.Outcome() == legal.Ongoing // a move that ends the game needs no press: there is no offence
		}
	}
	return d, ok
}

// quietPlies is the number of plies without another offence, so that a watcher is measured on one offence at a time.
const quietPlies = 4

// offend commits an offence and plans its consequences.
func (p *pair) offend(d possibleOffence, left int64) []emulator.Act {
	p.conduct.quiet = p.ply + quietPlies
	switch {
	case d.row.kind == kinds.OutOfTurn:
		p.moveOutOfTurn(d)
	case d.legalMove != legal.NoMove:
		p.offendBeside(d, left)
	default:
		p.offendInstead(d, left)
	}
	p.hands.cue(cueTurn.ref(p.ply))
	return p.hands.Take()
}

// offenceNow begins the record of an offence.
func (p *pair) offenceNow(d *possibleOffence, after After) *Offence {
	return &Offence{
		Ply: p.ply + 1, Side: d.side, Kind: d.row.kind, Way: d.row.way, UCI: d.uci, FEN: p.pos.FEN(), PressAt: NotPressed, After: after,
	}
}

// record puts an offence into the truth when it is on the board, and returns a function to add to it later.
func (p *pair) record(o *Offence) (later func(f func(o *Offence, now int64))) {
	o.At, o.Placement = p.hands.Now, p.hands.table
	at := -1
	p.note(func(_ int64, g *GameTruth) {
		at = len(g.Offences)
		g.Offences = append(g.Offences, *o)
	})
	return func(f func(o *Offence, now int64)) {
		p.note(func(now int64, g *GameTruth) {
			if at >= 0 {
				f(&g.Offences[at], now)
			}
		})
	}
}

func pressed(o *Offence, now int64) { o.PressAt = now }
func doneAt(o *Offence, now int64)  { o.DoneAt = now }
func restored(o *Offence, now int64) {
	o.Restored, o.RestoredAt = true, now
}

// offendInstead commits an offence instead of a move.
func (p *pair) offendInstead(d possibleOffence, left int64) {
	h, c := p.hands, p.conduct
	stands, reply, playable := p.playable(&d)
	after := c.choose(&d, playable, reply != legal.NoMove)
	p.think(left)
	p.before, p.liftAt = h.table, h.Now
	table := h.table
	o := p.offenceNow(&d, after)
	if playable && (after == Stands || after == FastReply || after == ReplyFirst) {
		o.Stands = d.stands
	}
	d.do()
	later := p.record(o)
	placed := h.Now
	h.Wait(h.rng.Around(p.tempo.Press, &spreadSlow))
	if after == ReplyFirst {
		p.skip(stands, reply)
		p.replyFirst(d.side, placed, later)
		return
	}
	h.Press(d.side)
	later(pressed)
	if d.late != nil {
		d.late()
		later(doneAt)
	}
	switch after {
	case Stopped:
		c.sequel = func(left int64) []emulator.Act { return p.stopped(&d, table, left, later) }
	case PressedBack:
		c.sequel = func(left int64) []emulator.Act { return p.pressedBack(&d, table, left, later) }
	case PutRight:
		c.sequel = func(int64) []emulator.Act { return p.putRight(&d, table, later) }
	default:
		p.skip(stands, legal.NoMove)
		if after == FastReply {
			c.hurryUS = c.rng.Between(300_000, second)
		}
	}
}

// playable returns the position if the offence is not noticed, and a reply that leaves the offence's squares unchanged.
func (p *pair) playable(d *possibleOffence) (stands legal.Position, reply legal.Move, ok bool) {
	stands, err := d.stands.Standing()
	if err != nil || over(legal.NewHistory(stands)) {
		return stands, legal.NoMove, false
	}
	now, then := p.hands.table, stands.Placement()
	real := p.pos
	p.pos = stands
	reply, _ = p.someMove(func(m legal.Move) bool {
		return plainMove(m) && now[m.From()] == then[m.From()] && now[m.To()] == then[m.To()]
	})
	p.pos = real
	return stands, reply, true
}

// choose draws the consequence of an offence.
func (c *conduct) choose(d *possibleOffence, playable, repliable bool) After {
	var weights Aftermath
	sum := 0
	for a := range weights {
		switch after := After(a); {
		case !d.row.allowed[a]:
		case (after == Stands || after == FastReply) && d.legalMove == legal.NoMove && !playable:
		case after == ReplyFirst && (!playable || !repliable):
		default:
			weights[a] = c.after[a]
			sum += weights[a]
		}
	}
	at := int(c.rng.Below(int64(sum)))
	for a, w := range weights {
		if at -= w; w > 0 && at < 0 {
			return After(a)
		}
	}
	for _, a := range [...]After{Stopped, Stands} {
		if d.row.allowed[a] && (a == Stopped || playable || d.legalMove != legal.NoMove) {
			return a
		}
	}
	return Stopped
}

// replyFirst plans the opponent's answer before the offender's press; both press then.
func (p *pair) replyFirst(offender legal.Side, placed int64, later func(func(*Offence, int64))) {
	h := p.hands
	pressAt := h.Now
	h.Now = placed + p.rng.Around(400_000, &spreadHand)
	p.perform(EarlyReply)
	h.Now = max(pressAt, h.Now+p.rng.Between(100_000, 700_000))
	h.Press(offender)
	later(func(o *Offence, now int64) { o.PressAt, o.Answered = now, true })
	h.Wait(200_000 + h.rng.Around(p.tempo.Press, &spreadSlow))
	p.press(p.ply)
}

// offendBeside commits an offence together with a legal move.
func (p *pair) offendBeside(d possibleOffence, left int64) {
	h, c := p.hands, p.conduct
	after := c.choose(&d, true, false)
	p.require(d.legalMove)
	p.think(left)
	p.before, p.liftAt = h.table, h.Now
	o := p.offenceNow(&d, after)
	p.way = func(Transfer) { d.do() }
	p.perform(0)
	later := p.record(o)
	h.Wait(h.rng.Around(p.tempo.Press, &spreadSlow))
	h.Press(d.side)
	h.cue(cuePressed.ref(p.ply))
	later(pressed)
	if d.late != nil {
		d.late()
		later(doneAt)
		return
	}
	c.sequel = func(left int64) []emulator.Act { return p.correctMisplaced(after == Stopped, left, later) }
}

// moveOutOfTurn plans a move out of turn. It is not a ply: it is taken back, and the player to move makes a move.
func (p *pair) moveOutOfTurn(d possibleOffence) {
	h, c := p.hands, p.conduct
	after := c.choose(&d, true, false)
	h.Wait(p.tempo.React + c.rng.Between(0, 2*second))
	p.before, p.liftAt = h.table, h.Now
	o := p.offenceNow(&d, after)
	table := h.table
	d.do()
	later := p.record(o)
	h.Wait(c.rng.Between(second, 4*second))
	if after == Stopped {
		h.Pause()
		h.Wait(c.rng.Around(arbiterUS, &spreadSlow))
	}
	h.Arrange(table)
	later(restored)
	if after == Stopped {
		h.Wait(c.rng.Around(3*second, &spreadSlow))
		h.Run(p.pos.Turn())
	}
}

const (
	noticeUS  = 3_000_000  // from the press to the opponent's hand at the clock
	arbiterUS = 15_000_000 // from a stopped clock to the arbiter at the board
	seenUS    = 1_500_000  // only the player could prove an earlier correction
)

// correctMisplaced corrects the misplaced pieces beside a legal move.
func (p *pair) correctMisplaced(arbiter bool, left int64, later func(func(*Offence, int64))) []emulator.Act {
	h, c := p.hands, p.conduct
	p.liftAt, p.before = emulator.Never, h.table
	h.Wait(max(p.notice(left), seenUS))
	if arbiter {
		h.Pause()
		h.Wait(c.rng.Around(arbiterUS, &spreadSlow))
	}
	p.liftAt = h.Now
	h.Arrange(p.pos.Placement())
	later(restored)
	if arbiter {
		h.Wait(c.rng.Around(3*second, &spreadSlow))
		h.Run(p.pos.Turn())
	}
	h.cue(cueTurn.ref(p.ply))
	return h.Take()
}

// notice draws the time until a person notices the offence.
func (p *pair) notice(left int64) int64 {
	return min(p.conduct.rng.Around(noticeUS, &spreadSlow), max(left/8, second))
}

// stopped plans the arbiter's correction at the board.
func (p *pair) stopped(d *possibleOffence, table legal.Placement, left int64, later func(func(*Offence, int64))) []emulator.Act {
	h, c := p.hands, p.conduct
	p.liftAt, p.before = emulator.Never, h.table
	h.Wait(p.notice(left))
	h.Pause()
	h.Wait(c.rng.Around(arbiterUS, &spreadSlow))
	run := d.side
	edit := c.edit()
	arrange := func() {
		if d.queen != legal.NoMove { // FIDE Laws 7.5.2: a queen, and it is the opponent's move
			p.replaceByQueen(d)
			run = d.side.Other()
			return
		}
		h.Arrange(table)
		later(restored)
	}
	if c.rng.Permille(700) {
		arrange()
		p.editClocks(d, edit, later)
	} else {
		p.editClocks(d, edit, later)
		arrange()
	}
	if run == d.side {
		p.replace(d.touched)
		if c.rng.Permille(500) {
			h.Lever(run)
			h.Wait(second)
		}
	}
	h.Wait(c.rng.Around(3*second, &spreadSlow))
	h.Run(run)
	h.cue(cueTurn.ref(p.ply))
	return h.Take()
}

// replaceByQueen replaces the pawn by a queen; the promotion counts.
func (p *pair) replaceByQueen(d *possibleOffence) {
	after := p.pos.After(d.queen)
	p.require(d.queen)
	p.way = func(Transfer) { p.hands.Arrange(after.Placement()) }
	p.perform(0)
}

// edit draws how correctly the arbiter sets the clocks.
func (c *conduct) edit() ClockEdit {
	switch way := c.rng.Below(1000); {
	case way < 600:
		return EditedAsRuled
	case way < 850:
		return KeptIncrement
	case way < 900:
		return WrongSide
	case way < 950:
		return WrongAmount
	}
	return NotEdited
}

func (p *pair) editClocks(d *possibleOffence, edit ClockEdit, later func(func(*Offence, int64))) {
	h, c := p.hands, p.conduct
	to, amount := d.side.Other(), c.penalty
	switch edit {
	case NotEdited:
		return
	case WrongSide:
		to = d.side
	case WrongAmount:
		amount = c.penalty / 2
		if c.rng.Permille(500) {
			amount = c.penalty * 2
		}
	}
	h.Wait(c.rng.Around(4*second, &spreadSlow))
	if edit == EditedAsRuled && d.queen == legal.NoMove && c.bonus > 0 {
		h.AddTime(d.side, -c.bonus)
		h.Wait(c.rng.Around(3*second, &spreadSlow))
	}
	h.AddTime(to, amount)
	later(func(o *Offence, _ int64) { o.Clock = edit })
}

// pressedBack plans an opponent who does not stop the clock but restarts the offender's.
func (p *pair) pressedBack(d *possibleOffence, table legal.Placement, left int64, later func(func(*Offence, int64))) []emulator.Act {
	h, c := p.hands, p.conduct
	p.liftAt, p.before = emulator.Never, h.table
	h.Wait(p.notice(left))
	h.Press(d.side.Other())
	h.Wait(c.rng.Around(2*second, &spreadSlow))
	p.liftAt = h.Now
	c.hurryUS = c.rng.Between(500_000, 2*second)
	switch {
	case d.queen != legal.NoMove:
		p.require(d.queen)
		p.way = func(t Transfer) {
			h.Lift(t.To)
			h.Drop()
			h.Wait(h.scaled(h.rng.Around(fetchUS, &spreadHand)))
			h.PutPiece(t.To, t.Put)
		}
	case d.touched == legal.NoSquare: // no piece was moved
	default:
		p.replace(d.touched)
		if wrong := p.onlyMoved(d, &table); wrong != legal.NoSquare && c.rng.Permille(500) {
			p.way = func(t Transfer) {
				t.From = wrong
				h.Move(t, p.habits)
			}
		} else {
			h.Arrange(table)
		}
		later(restored)
	}
	h.cue(cueTurn.ref(p.ply))
	return h.Take()
}

// onlyMoved returns the square of the touched piece, if it may go directly from there to the target of the replacement
// move.
func (p *pair) onlyMoved(d *possibleOffence, table *legal.Placement) legal.Square {
	m := p.game.moves[p.ply].move
	at, differ := legal.NoSquare, 0
	for sq := legal.A1; sq < legal.NoSquare; sq++ {
		if p.hands.table[sq] != table[sq] {
			differ++
			if p.hands.table[sq] != legal.NoPiece && table[sq] == legal.NoPiece {
				at = sq
			}
		}
	}
	if differ != 2 || m.From() != d.touched || !plainMove(m) {
		return legal.NoSquare
	}
	return at
}

// putRight plans an offender who notices the offence just after the press.
func (p *pair) putRight(d *possibleOffence, table legal.Placement, later func(func(*Offence, int64))) []emulator.Act {
	h, c := p.hands, p.conduct
	p.liftAt, p.before = emulator.Never, h.table
	h.Wait(c.rng.Between(seenUS, 4*second))
	p.liftAt = h.Now
	h.Arrange(table)
	later(restored)
	p.replace(d.touched)
	h.Wait(c.rng.Between(300_000, 1_500_000))
	p.perform(0)
	h.cue(cueTurn.ref(p.ply))
	return h.Take()
}
