package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// claim marks the finding that a player claims. The claim itself is a reason to have stopped the clock.
func (d *Docket) claim(e Claim) {
	d.explain(words.Say("explained.claim"))
	m := d.latest(func(m *matter) bool { return m.live() && m.sameAs == "" && e.concerns(&m.c) })
	d.claimMet = m != nil
	if m == nil || m.closed != stillOpen || m.kept != nil {
		d.early = earlyClaim{claim: e, at: d.serial}
	}
	if m != nil {
		m.claim(d.serial)
	}
}

func (m *matter) claim(at int) {
	if !m.claimed {
		m.claimedAt = at
	}
	m.claimed = true
	if m.decision == doUnseen {
		m.decision = ""
	}
}

// ClaimMet reports whether there is a finding that the last claim can be about.
func (d *Docket) ClaimMet() bool { return d.claimMet }

// An earlyClaim is a claim for which there was no open finding: a player sees an illegal move at once, and the board
// reports it a second later.
type earlyClaim struct {
	claim Claim
	at    int // serial number
}

// claimedEarly gives an early claim to the finding about it, if the claim came after the press or the clock's message.
func (d *Docket) claimedEarly(m *matter) {
	if c := d.early; c.claim.concerns(&m.c) && numberOf(m.c.ID) < c.claim.Seq {
		m.claim(c.at)
		d.early = earlyClaim{}
	}
}

// concerns reports whether a claim can be about such a case.
func (e *Claim) concerns(c *Case) bool {
	return claimed(e.What, c) && (e.Side == legal.NoSide || c.Side == legal.NoSide || c.Side == e.Side.Other())
}

// claimed reports whether a claim of that name is about such a case.
func claimed(what string, c *Case) bool {
	switch f := familyOf(c); what {
	case "illegal":
		return f == kinds.Illegal || f == kinds.Displacement || c.Kind == kinds.PromoWrongColour
	case "two-hands":
		return f == kinds.Hand || c.Kind == kinds.IllegalTwoHands
	case "touch":
		return f == kinds.Touch
	case "flag":
		return f == kinds.Flag
	}
	return false
}

// report handles a person's observation.
func (d *Docket) report(e Report) {
	d.explain(words.Say("explained.report"))
	switch e.What {
	case "two-hands":
		d.reportTwoHands(e)
	case "other-hand":
		d.reported(e, kinds.OtherHand, Reported)
	case "press-before-release":
		d.reported(e, kinds.PressBeforeDone, Reported).c.Reason = words.Say("reason.pressed_holding", e.Side)
	case "foreign-press":
		m := d.reported(e, kinds.ForeignPress, Reported)
		if press := d.excuse(e.Side); press != nil {
			d.count(press)
			m.idlePress = press.c.ID
		}
	case "clock-setting-wrong":
		d.reported(e, kinds.ClockSetting, Certain) // the clock shows it
	case "displaced":
		d.reported(e, kinds.DisplacedFound, Certain) // the record shows it
	case "colours-reversed":
		d.reported(e, kinds.ColoursReversed, Reported)
	case "draw-offer":
		d.reported(e, kinds.DrawOfferTiming, Reported)
	case "found":
		d.foundAt(e.Move)
	case ReportAssistant:
		d.assisted = true
	}
}

// reported opens a matter that only a person has observed.
func (d *Docket) reported(e Report, kind kinds.Kind, proof Proof) *matter {
	c := Case{
		ID: kinds.ID(e.Seq, kind), Kind: kind, Game: d.game, Ply: d.ply, Side: e.Side, State: Confirmed, Proof: proof,
		Permille: 1000, Known: d.known, Clock: d.clock.shows, Gained: -1, Move: e.Move, Note: words.Verbatim(e.Note),
	}
	if d.known {
		c.Before, c.At = d.pos, d.pos.Placement()
	}
	l := &d.last[e.Side]
	if l.on {
		c.Ply = l.ply
	}
	c.Squares = squaresIn(e.Note)
	if m := d.find(c.ID); m != nil {
		return m
	}
	m := d.add(c)
	m.found = d.ply/2 + 1
	switch hands := handsReported(&m.c); {
	case hands && e.InProgress && e.Side != legal.NoSide && (e.Move == 0 || !d.known || e.Move == d.pos.FullMoves()):
		d.holdForPress(m)
	case hands && l.on:
		d.bindToMove(m, l)
	}
	return m
}

// reportedByPerson reports whether a person has reported an incident that the sensors also found, before or after. One
// incident is one finding.
func (d *Docket) reportedByPerson(m *matter) bool {
	return m.c.Proof != Reported && d.latest(func(n *matter) bool {
		return n != m && n.live() && n.c.Proof == Reported && n.c.Kind == m.c.Kind && n.c.Side == m.c.Side && n.c.Ply == m.c.Ply && n.c.Side != legal.NoSide
	}) != nil
}

// squaresIn reads the squares of a text such as "d2-d3".
func squaresIn(note string) (list []legal.Square) {
	for i := 0; i+2 <= len(note) && len(list) < 64; {
		if sq, ok := legal.ParseSquare(note[i : i+2]); ok {
			list = append(list, sq)
			i += 2
			continue
		}
		i++
	}
	return list
}

// reportTwoHands binds the report to the side's last committed move, or to the one in progress (FIDE Laws 7.5.4). Where
// the clock was not pressed and the opponent has not answered, nothing was completed.
func (d *Docket) reportTwoHands(e Report) {
	kind := kinds.IllegalTwoHands
	if d.p.TwoHands == "counter" {
		kind = kinds.TwoHandsWBCA
	}
	m := d.reported(e, kind, Reported)
	if m.held {
		return
	}
	c := &m.c
	if w := d.latest(func(w *matter) bool {
		return w != m && w.live() && familyOf(&w.c) == kinds.Illegal && w.c.Side == e.Side && w.c.Ply >= d.ply && !w.restored && w.decision == ""
	}); w != nil {
		m.merged = w.c.ID
	}
	l := &d.last[e.Side]
	if m.merged != "" {
		return
	}
	if l.on && (e.Move == 0 || e.Move == l.before.FullMoves()) {
		d.closeLateReport(m)
		return
	}
	c.Known, c.Stands, c.Completed, c.UCI, c.Squares = false, false, false, "", nil
	if now := d.ply/2 + 1; e.Side != legal.NoSide && e.Move > 0 && e.Move < now {
		c.Ply, c.Completed = 2*e.Move-1, true // an earlier move: the game has gone on from it
		if e.Side == legal.Black {
			c.Ply++
		}
		d.closeLateReport(m)
	}
}

// excuse attributes a press without a move to another person (laws notes 1.2: the board never knows who pressed). All
// presses that left the same position on the board belong together; the first of them is returned.
func (d *Docket) excuse(s legal.Side) (first *matter) {
	for i := len(d.matters) - 1; i >= 0; i-- {
		m := d.matters[i]
		switch {
		case !m.live() || m.kept != nil || m.c.Kind != kinds.IllegalNoMove || s != legal.NoSide && m.c.Side != s:
		case first != nil && (m.c.At != first.c.At || m.c.Ply < first.c.Ply-2):
			return first
		default:
			m.excused = true
			first = m
		}
	}
	if first == nil {
		d.stranger = stranger{on: true, ply: d.ply, side: s} // it is not found yet: the board is still being examined
	}
	return first
}

// stranger is a report that a person outside the game pressed, if it came before the press was found to be one without
// a move.
type stranger struct {
	on   bool
	ply  int // plies played at that time
	side legal.Side
}

// pressed reports whether the report is about this case.
func (s stranger) pressed(c *Case) bool {
	return s.on && c.Kind == kinds.IllegalNoMove && c.Ply == s.ply+1 && (s.side == legal.NoSide || s.side == c.Side)
}

// foundAt notes the move number at which an error of the set-up was found.
func (d *Docket) foundAt(move int) {
	if m := d.latest(func(m *matter) bool { return m.live() && familyOf(&m.c) == kinds.SetUp }); m != nil && move > 0 {
		m.found, m.c.Move = move, move
	}
}

// displacedBy makes a displaced piece a matter of its own: the opponent has started the offender's clock again, so that
// it is put back in the offender's time (FIDE Laws 7.4).
func (d *Docket) displacedBy(m *matter) {
	if m.c.Kind != kinds.Unreadable || d.p.Restart == "nothing" || promotionUnread(&m.c) {
		return
	}
	c := m.c
	c.Kind, c.Proof, c.Permille = kinds.Displaced, Hint, 500
	c.ID = kinds.ID(numberOf(m.c.ID), c.Kind)
	if d.find(c.ID) != nil {
		return
	}
	n := d.add(c)
	n.from, n.back = m.c.ID, true
}

// promotionUnread reports whether the square that reads empty is that of a promotion.
func promotionUnread(c *Case) bool {
	if len(c.UCI) != 5 {
		return false
	}
	sq, ok := legal.ParseSquare(c.UCI[2:4])
	return ok && c.At[sq] == legal.NoPiece
}
