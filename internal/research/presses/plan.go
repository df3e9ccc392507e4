package presses

import "boardwatchd/rules/legal"

// planner plays the whole game in advance. All events at the table are planned here in the order of time; the reports
// of the board and the clock are computed afterwards and do not depend on the host.
type planner struct {
	o     Options
	r     *rng
	pos   legal.Position
	board legal.Placement // after all acts so far
	acts  []act
	clock *clock
	truth *Truth
	seen  map[uint64]int // number of appearances of a position

	base     int64 // the player to move begins to think
	lastAct  int64
	owed     int    // ply whose press will be made after the reply; -1 for none
	pair     bool   // the last two plies did not move the lever
	forgot   [2]int // plies in which the side is more likely to forget again
	scramble int    // fast plies to come

	disturbAt int // ply in whose think a square is disturbed; -1 for none
}

// tempo holds the times for thinking and for the hand. Section 11.2: lift to place mostly within one second, and the
// field updates before the press in 198 of 198 turns, so that the press seldom comes within one scan.
type tempo struct{ think, grip, reach, press span }

var tempos = [...]tempo{
	{span{30 * ms, 600 * ms}, span{80 * ms, 260 * ms}, span{60 * ms, 160 * ms}, span{50 * ms, 260 * ms}}, // scramble
	Blitz:     {span{300 * ms, 7 * sec}, span{120 * ms, 500 * ms}, span{100 * ms, 350 * ms}, span{230 * ms, 1100 * ms}},
	Rapid:     {span{1200 * ms, 30 * sec}, span{200 * ms, 1200 * ms}, span{150 * ms, 700 * ms}, span{250 * ms, 1800 * ms}},
	Classical: {span{4 * sec, 180 * sec}, span{300 * ms, 2000 * ms}, span{200 * ms, 1200 * ms}, span{300 * ms, 3 * sec}},
	Quick:     {span{150 * ms, 500 * ms}, span{100 * ms, 250 * ms}, span{60 * ms, 160 * ms}, span{120 * ms, 350 * ms}},
}

func (p *planner) tempo() tempo {
	if p.scramble > 0 || p.clock.left[index(p.pos.Turn())] < 20*sec {
		return tempos[0]
	}
	return tempos[p.o.Pace]
}

// per returns true in that many of 10,000 cases.
func (p *planner) per(rate int) bool { return p.r.chance(rate, 10000) }

// put changes one square; an instant before the last act is moved after it.
func (p *planner) put(at int64, square legal.Square, piece legal.Piece) int64 {
	if at <= p.lastAct {
		at = p.lastAct + ms
	}
	p.lastAct = at
	p.board[square] = piece
	p.acts = append(p.acts, act{at, square, piece})
	return at
}

func (p *planner) lift(at int64, square legal.Square) int64 {
	return p.put(at, square, legal.NoPiece)
}

// push presses the lever. Pushes are in the order of time: one that would come before an earlier one waits for it.
func (p *planner) push(side legal.Side, ply int, at int64, kind PressKind) int {
	if at <= p.clock.at {
		at = p.clock.at + p.r.between(60*ms, 250*ms)
	}
	n := len(p.truth.Presses)
	moved := p.clock.push(side, at, n)
	p.truth.Presses = append(p.truth.Presses, Press{At: at, Side: side, Kind: kind, Ply: ply, Moved: moved})
	return n
}

func plan(o Options, r *rng) (*planner, *Truth) {
	p := &planner{o: o, r: r, pos: legal.StartPosition(), owed: -1, seen: map[uint64]int{}, disturbAt: -1}
	p.truth = &Truth{Options: o, Start: p.pos.FEN()}
	p.board = p.pos.Setup().Placement
	p.clock = &clock{turn: legal.White, press: -1, bonus: o.Increment.Seconds() * sec}
	for i := range p.clock.left {
		p.clock.left[i] = o.BaseSec*sec + p.clock.bonus
	}
	p.start()
	p.chooseDisturbance()
	for len(p.truth.Plies) < o.Plies && p.truth.Reason == "" {
		p.ply()
		p.judge()
	}
	if p.truth.Reason == "" {
		p.truth.Reason = "plies"
	}
	if p.truth.Reason == "flag" {
		p.clock.advance(p.clock.at + p.clock.left[index(p.clock.turn)] + sec)
	} else {
		p.stop(max(p.base, p.clock.at, p.lastAct)+r.between(sec, 5*sec), "end of the game")
	}
	p.truth.Final = p.board
	p.truth.EndAt = max(p.lastAct, p.clock.at) + 5*sec
	p.late()
	return p, p.truth
}

// start begins the game: with the lever right, or with the wrong side up, which is corrected before or after.
func (p *planner) start() {
	at := p.o.LeadInSec * sec
	wrong := p.r.chance(p.o.Habits.WrongStart, 100)
	if wrong {
		p.clock.turn = legal.Black
	}
	p.clock.note()
	if wrong && p.r.chance(50, 100) {
		p.push(legal.Black, -1, at-p.r.between(sec, 4*sec), InPause)
		wrong = false
	}
	p.clock.run(at, true)
	p.truth.StartedAt = at
	p.base = at
	if wrong {
		n := p.push(legal.Black, -1, at+p.r.between(300*ms, 3*sec), StartWhite)
		p.base = p.truth.Presses[n].At
	}
}

// judge ends the game where the Laws end it, and before a flag would fall in the middle of a move.
func (p *planner) judge() {
	key := p.pos.Key()
	// A position restored after an offence does not count as another appearance.
	if n := p.truth.Plies[len(p.truth.Plies)-1].Offence; n < 0 || p.truth.Offences[n].Outcome != Restored {
		p.seen[key]++
	}
	outcome := p.pos.Outcome()
	switch {
	case p.clock.flag != legal.NoSide:
		p.truth.Reason = "flag"
	case outcome != legal.Ongoing:
		p.truth.Reason = outcome.String()
	case p.seen[key] >= 5:
		p.truth.Reason = "repetition"
	case p.bare():
		p.truth.Reason = "dead"
	case p.clock.left[index(p.clock.turn)] < 8*sec:
		p.truth.Reason = "flag"
	}
}

// bare reports whether both sides have at most a king and one bishop or knight.
func (p *planner) bare() bool {
	pieces := 0
	for _, piece := range p.board {
		switch piece.Kind() {
		case legal.Pawn, legal.Rook, legal.Queen:
			return false
		case legal.Bishop, legal.Knight:
			pieces++
		}
	}
	return pieces < 2
}

// ply plans one turn of the player to move, with all events before the move.
func (p *planner) ply() {
	if p.scramble > 0 {
		p.scramble--
	} else if rate := p.o.Habits.Scramble; p.per(rate) || p.o.Pace == Blitz && p.per(4*rate) {
		p.scramble = int(p.r.between(6, 21))
	}
	t := p.tempo()
	t.think.hi = min(t.think.hi, max(t.think.lo+ms, min(p.clock.left[0], p.clock.left[1])/25))
	start := p.base + p.r.skewed(t.think)
	if len(p.truth.Plies) == p.disturbAt {
		start = p.disturb(start)
	}
	if p.scramble == 0 {
		start = p.before(start)
	}
	rate := p.o.Offences
	if p.pair {
		rate = p.o.OffencesAfterPair
	}
	if rate > 0 {
		rate *= p.occasion()
	}
	if p.owed < 0 && p.clock.turn == p.pos.Turn() && p.per(rate) && p.offend(start, t) {
		p.pair = false
		return
	}
	p.pair = false
	m := p.choose()
	mover := p.pos.Turn()
	first, placed := p.perform(m, start, t)
	p.truth.Plies = append(p.truth.Plies, Ply{
		Side: mover, UCI: p.pos.UCI(m), FirstTouch: first, Placed: placed,
		Press: -1, Offence: -1, Scramble: p.scramble > 0,
	})
	n := len(p.truth.Plies) - 1
	p.pos = p.pos.After(m)
	p.truth.Plies[n].After = p.pos.FEN()
	p.finish(n, mover, placed, t)
}

// choose returns a random legal move; castling, captures and promotions to a queen are preferred, so that a game
// contains everything.
func (p *planner) choose() legal.Move {
	var list legal.MoveList
	p.pos.Moves(&list)
	var castlings, captures, others []legal.Move
	for _, m := range list.Slice() {
		switch {
		case m.IsCastling(), m.IsEnPassant():
			castlings = append(castlings, m)
		case m.Promotion() != legal.NoKind && m.Promotion() != legal.Queen && !p.r.chance(10, 100):
		case m.Captured() != legal.NoKind:
			captures = append(captures, m)
		default:
			others = append(others, m)
		}
	}
	pick := func(l []legal.Move) legal.Move { return l[p.r.between(0, int64(len(l)))] }
	switch {
	case len(castlings) > 0 && p.r.chance(40, 100):
		return pick(castlings)
	case len(captures) > 0 && p.r.chance(25, 100):
		return pick(captures)
	case len(others) > 0:
		return pick(others)
	}
	return list.At(int(p.r.between(0, int64(list.Len()))))
}

// late corrects the class of presses that came after the reply, or after the flag.
func (p *planner) late() {
	plies := p.truth.Plies
	for i := range plies {
		if plies[i].Class == Pressed && !p.truth.Presses[plies[i].Press].Moved {
			plies[i].Class = Dead
		}
	}
	for i := range plies[:max(len(plies)-1, 0)] {
		if plies[i].Class == Pressed && plies[i+1].Placed < plies[i].PressAt && plies[i].Offence < 0 {
			plies[i].Class = Late
		}
	}
}
