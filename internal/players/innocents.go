package players

import "boardwatchd/rules/legal"

// Innocents is the frequency of actions by honest players that look like an offence but are none, in addition to their
// Habits. They need a clock.
type Innocents struct {
	PerMille int    // of the turns in which a common one is possible; 0: never
	Kinds    []Rate // nil means every row of InnocentNames with its usual share
}

// lookalike is one such action for one turn. Each part may be nil.
type lookalike struct {
	kind   string
	detail string
	before func()           // before the move
	way    func(t Transfer) // the way of making the move
	after  func()           // between the move and the press
	press  func()           // instead of the press
	reply  bool             // the opponent answers before a late press
}

// innocentRow is one kind of look-alike; find reports whether it is possible with the next move.
type innocentRow struct {
	name  string
	share int
	find  func(p *pair, t Transfer) (lookalike, bool)
}

// postMortem is the look-alike outside any turn.
const postMortem = "post_mortem"

var innocentRows = []innocentRow{
	{"late_en_passant", 20_000, victimLast},
	{"pawn_first", 2_000, pawnFirst},
	{"queen_first", 2_000, queenFirst},
	{"queen_fetched", 2_000, queenFetched},
	{"slow_castling", 5_000, slowCastling},
	{"ghost_victim", 300, ghostVictim},
	{"illegal_corrected", 150, illegalCorrected},
	{"adjusts_several", 100, adjustsSeveral},
	{"knocked_and_stood", 100, knockedAndStood},
	{"late_press", 80, latePress},
	{"press_bounce", 80, pressBounce},
	{"pause_resume", 50, pauseResume},
	{"clocks_set_in_pause", 50, clocksSetInPause},
	{"lever_in_pause", 50, leverInPause},
	{postMortem, 10_000, nil},
}

// InnocentNames lists the names allowed in Innocents.Kinds.
func InnocentNames() []string {
	var names []string
	for i := range innocentRows {
		names = append(names, innocentRows[i].name)
	}
	return names
}

// drawLookalike draws the look-alike of a turn, at most one.
func (p *pair) drawLookalike() (l lookalike, ok bool) {
	c := p.conduct
	t := transferOf(&p.pos, p.game.moves[p.ply].move)
	for i, ppm := range c.innocents {
		row := &innocentRows[i]
		if !c.rng.PPM(ppm) || ok || row.find == nil {
			continue
		}
		if l, ok = row.find(p, t); ok {
			l.kind = row.name
		}
	}
	return l, ok
}

// noteInnocent records a look-alike when it begins.
func (p *pair) noteInnocent(ply int, kind, detail string) {
	side := p.pos.Turn()
	p.note(func(now int64, g *GameTruth) {
		g.Innocents = append(g.Innocents, Innocent{Ply: ply, Side: side, Kind: kind, Detail: detail, At: now})
	})
}

func victimLast(p *pair, t Transfer) (lookalike, bool) {
	h, c := p.hands, p.conduct
	return lookalike{way: func(t Transfer) {
		h.fly(t.From, t.To)
		h.Wait(c.rng.Between(second, 2*second))
		h.Lift(t.Victim)
		h.Drop()
	}}, t.Victim != legal.NoSquare && t.Victim != t.To
}

func pawnFirst(p *pair, t Transfer) (lookalike, bool) {
	h, c := p.hands, p.conduct
	return lookalike{way: func(t Transfer) {
		pawn := t
		pawn.Put = legal.NoPiece
		h.Move(pawn, p.habits)
		h.Wait(c.rng.Between(second, 4*second)) // the pawn stays there while a queen is fetched
		h.Lift(t.To)
		h.Drop()
		h.PutPiece(t.To, t.Put)
	}}, t.Put != legal.NoPiece
}

func queenFirst(p *pair, t Transfer) (lookalike, bool) {
	return lookalike{way: func(t Transfer) {
		p.hands.promote(t, Habits{QueenFirst: 1000})
	}}, t.Put != legal.NoPiece
}

// queenFetched stops the clock to ask for a queen (FIDE Laws 6.11.2), with the pawn on the last rank or off the board.
func queenFetched(p *pair, t Transfer) (lookalike, bool) {
	h, c, side := p.hands, p.conduct, p.pos.Turn()
	return lookalike{way: func(t Transfer) {
		pawn := t
		pawn.Put = legal.NoPiece
		h.Move(pawn, p.habits)
		h.Wait(c.rng.Between(500_000, 2*second))
		off := c.rng.Permille(400)
		if off {
			h.Lift(t.To)
			h.Drop()
			h.Wait(second)
		}
		h.Pause()
		h.Wait(c.rng.Around(arbiterUS, &spreadSlow))
		resumeFirst := c.rng.Permille(400)
		if resumeFirst {
			h.Run(side)
			h.Wait(c.rng.Between(500_000, 2*second))
		}
		if !off {
			h.Lift(t.To)
			h.Drop()
		}
		h.PutPiece(t.To, t.Put)
		if !resumeFirst {
			h.Wait(c.rng.Between(500_000, 3*second))
			h.Run(side)
		}
		h.Wait(c.rng.Between(300_000, second))
	}}, t.Put != legal.NoPiece
}

func slowCastling(p *pair, t Transfer) (lookalike, bool) {
	h, c := p.hands, p.conduct
	return lookalike{way: func(t Transfer) {
		h.fly(t.From, t.To)
		h.Wait(c.rng.Between(second, 2*second))
		h.fly(t.RookFrom, t.RookTo)
	}}, t.RookFrom != legal.NoSquare && !p.pos.Chess960()
}

// ghostVictim carries the captured piece low over two squares, the second time just before the press.
func ghostVictim(p *pair, t Transfer) (lookalike, bool) {
	h := p.hands
	return lookalike{way: func(t Transfer) {
		if h.rng.Permille(500) {
			h.Lift(t.Victim)
			h.drag(t.Victim, t.From)
			h.drag(t.Victim, t.From)
			h.Drop()
			h.fly(t.From, t.To)
			return
		}
		h.Lift(t.From)
		h.Wait(h.scaled(h.rng.Around(swapReachUS, &spreadHand)))
		h.swapIn(t.Victim)
		h.drag(t.To, t.From)
		h.drag(t.To, t.From)
		h.Drop()
	}}, t.Victim != legal.NoSquare && t.Victim == t.To && t.Put == legal.NoPiece
}

// illegalCorrected puts the piece on an illegal square, and corrects this before the press.
func illegalCorrected(p *pair, t Transfer) (lookalike, bool) {
	if t.RookFrom != legal.NoSquare || t.Put != legal.NoPiece {
		return lookalike{}, false
	}
	h, c := p.hands, p.conduct
	at, kind := legal.NoSquare, ""
	for range 20 {
		sq := legal.Square(c.rng.Below(64))
		if h.table[sq] != legal.NoPiece || sq == t.From || sq == t.To || distance(t.From, sq) > 4 {
			continue
		}
		if v := p.pos.Explain(t.From.String() + sq.String()); !v.Legal && !v.Doubt {
			at, kind = sq, string(v.Kind)
			break
		}
	}
	return lookalike{detail: kind, way: func(t Transfer) {
		h.fly(t.From, at)
		h.Wait(c.rng.Between(400_000, 2*second))
		if c.rng.Permille(500) {
			h.fly(at, t.From)
			h.Wait(c.rng.Between(200_000, second))
		} else {
			t.From = at
		}
		h.Move(t, p.habits)
	}}, at != legal.NoSquare
}

// adjustsSeveral adjusts two to four pieces of either side before the move (FIDE Laws 4.2.1).
func adjustsSeveral(p *pair, _ Transfer) (lookalike, bool) {
	h, c := p.hands, p.conduct
	return lookalike{before: func() {
		for range c.rng.Between(2, 4) {
			side := p.pos.Turn()
			if c.rng.Permille(400) {
				side = side.Other()
			}
			if sq := p.someOf(&c.rng, side, legal.NoSquare); sq != legal.NoSquare {
				h.fly(sq, sq)
				h.Wait(h.scaled(c.rng.Around(hesitationUS, &spreadSlow)))
			}
		}
	}}, true
}

func knockedAndStood(p *pair, t Transfer) (lookalike, bool) {
	sq := p.near(t)
	h, c := p.hands, p.conduct
	return lookalike{after: func() {
		h.Knock(sq)
		h.Wait(c.rng.Between(600_000, 2*second))
		h.Stand(sq)
		h.Wait(c.rng.Between(200_000, 600_000))
	}}, sq != legal.NoSquare
}

// latePress omits the press until the opponent has answered (FIDE Laws 6.2.1.2).
func latePress(p *pair, _ Transfer) (lookalike, bool) {
	return lookalike{reply: true}, p.ply+2 < len(p.game.moves)
}

// pressBounce lets the lever come back and presses it again within 0.3 s.
func pressBounce(p *pair, _ Transfer) (lookalike, bool) {
	h, c, side := p.hands, p.conduct, p.pos.Turn()
	return lookalike{press: func() {
		h.Press(side)
		h.cue(cuePressed.ref(p.ply))
		h.Wait(c.rng.Between(60_000, 150_000))
		h.Press(side.Other())
		h.Wait(c.rng.Between(60_000, 140_000))
		h.Press(side)
	}}, true
}

func (p *pair) inPause(f func()) (lookalike, bool) {
	h, c, side := p.hands, p.conduct, p.pos.Turn()
	return lookalike{before: func() {
		h.Pause()
		h.Wait(c.rng.Around(arbiterUS, &spreadSlow))
		f()
		h.Run(side)
		h.Wait(c.rng.Around(2*second, &spreadSlow))
	}}, true
}

func pauseResume(p *pair, _ Transfer) (lookalike, bool) { return p.inPause(func() {}) }

func clocksSetInPause(p *pair, _ Transfer) (lookalike, bool) {
	h, c := p.hands, p.conduct
	return p.inPause(func() {
		for _, side := range [...]legal.Side{legal.White, legal.Black} {
			h.AddTime(side, c.rng.Between(-5, 120)*second)
			h.Wait(c.rng.Around(3*second, &spreadSlow))
		}
	})
}

// leverInPause moves the lever while the clock is stopped, and back.
func leverInPause(p *pair, _ Transfer) (lookalike, bool) {
	h, c, side := p.hands, p.conduct, p.pos.Turn()
	return p.inPause(func() {
		h.Lever(side.Other())
		h.Wait(c.rng.Around(3*second, &spreadSlow))
		h.Lever(side)
		h.Wait(c.rng.Around(2*second, &spreadSlow))
	})
}

// analyse simulates the time after the game: pieces go anywhere, and the lever of the stopped clock is moved.
func (p *pair) analyse() {
	h, c := p.hands, p.conduct
	p.noteInnocent(p.ply, postMortem, "")
	h.Wait(c.rng.Around(5*second, &spreadSlow))
	turn := p.pos.Turn()
	for range c.rng.Between(4, 20) {
		from := p.someOf(&c.rng, turn, legal.NoSquare)
		to := legal.Square(c.rng.Below(64))
		if from == legal.NoSquare || from == to || h.table[to].Kind() == legal.King {
			continue
		}
		t := plainTransfer(from, to)
		if h.table[to] != legal.NoPiece {
			t.Victim = to
		}
		h.Move(t, p.habits)
		h.Wait(c.rng.Around(second, &spreadSlow))
		if c.rng.Permille(300) {
			h.Lever(turn.Other())
		}
		turn = turn.Other()
	}
}
