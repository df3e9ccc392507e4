package rules

import (
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
	"boardwatchd/rules/words"
)

// illegal rules on a completed illegal move (FIDE Laws 7.5 and the corresponding rules of the other books).
func (s *sheet) illegal() {
	c := &s.m.c
	switch {
	case c.Kind == kinds.IllegalKingCapture && s.m.proves != "":
		s.nothing(words.Say("rule.claims_check"))
	case s.m.merged != "" && s.d.counts(s.m.merged):
		s.propose(Log, kindNone, words.Say("rule.one_strike"))
	case c.Proof < Strong:
		s.propose(Log, kindFact, words.Say("rule.suggested"))
		s.stand()
	case !c.Completed && s.m.claimed:
		s.unfinished()
	case !c.Completed:
		s.propose(Log, kindNone, words.Say("rule.not_completed"))
		s.r.Deadline, s.r.Until, s.r.Closer = words.Say("due.press"), UntilPress, c.Side
	case s.m.settledBy != "" && s.m.decision == "":
		s.gone()
	case s.flagFirst():
		s.e.Alert, s.r.Kind = Log, kindFact
		s.stand()
		s.r.Text = words.Say("rule.flag_first")
		s.cite("6.8", "6.9", "7.5.1")
	case s.m.closed == bySigning:
		s.afterTheGame()
	case s.m.closed != stillOpen:
		s.tooLate()
	default:
		s.inTime()
	}
}

// counts reports whether a finding has been neither withdrawn nor rejected.
func (d *Docket) counts(id string) bool {
	m := d.find(id)
	return m != nil && m.live() && m.decision != doReject && m.decision != doSensor
}

// flagFirst reports whether a flag had fallen, and can be acted on, before the press.
func (s *sheet) flagFirst() bool {
	if s.p.FlagCall == "players" || s.m.c.Proof == Reported {
		return false
	}
	for _, m := range s.d.matters {
		if m.order < s.m.order && familyOf(&m.c) == kinds.Flag && m.live() && m.decision != doReject && m.decision != doSensor {
			return true
		}
	}
	return false
}

// afterTheGame rules on an illegal move found after the players have signed: an entry in the record (7.5.1, 8.7).
func (s *sheet) afterTheGame() {
	s.e.State = Expired
	s.propose(Log, kindFact, words.Say("rule.after_game"))
	s.asItStands()
	s.r.RunClock, s.r.Result, s.r.Deadline, s.r.Until = legal.NoSide, s.d.result, words.Say("due.game_over"), UntilClosed
	s.cite(s.book("late-signed")...)
}

// asItStands keeps the position of an illegal move that is not corrected: a pawn on the last rank is a pawn. The queen
// of 7.5.2 applies only to an illegal move that is dealt with.
func (s *sheet) asItStands() {
	s.stand()
	c := &s.m.c
	if c.Kind != kinds.IllegalPromoIncomplete || s.r.PositionFEN == "" {
		return
	}
	after := c.After.Setup()
	after.Placement = c.At
	s.r.PositionFEN = after.FEN()
}

// tooLate rules on an illegal move that stands.
func (s *sheet) tooLate() {
	s.e.State = Expired
	s.propose(Log, kindFact, words.Sentence{})
	s.asItStands()
	s.cite(s.book("late")...)
	s.r.Until = UntilClosed
	switch s.m.closed {
	case byMoves:
		s.r.Deadline = words.Say("due.moves_since")
		s.r.Text = words.Say("rule.too_late")
	default:
		s.r.Deadline = words.Say("due.replied", s.opponent())
		s.r.Text = s.closedByReply()
	}
	switch {
	case s.p.Arbiter == "never":
		s.e.Alert = NoAlert
	case s.m.position == positionGone:
		s.propose(Log, kindNone, words.Say("rule.position_gone"))
		if s.p.IllegalPosition == "draw_after_next" {
			s.cite("A.5.4")
		}
	case s.p.IllegalPosition == "draw_after_next" && leavesIrregular(&s.m.c):
		s.r.Advice = Wait
		s.r.Text = words.Say("rule.wait")
		s.e.Articles = append(s.e.Articles, "A.5.4")
	case s.p.IllegalPosition == "arbiter" && s.m.position == stillThere:
		s.e.Alert = Now
		s.r.Text = words.Say("rule.illegal_position")
	case s.m.recalled && s.m.closed == byReply:
		s.e.Alert = Now // the clock has been stopped: the arbiter must know that there is nothing to correct
	}
	if s.m.closed == byReply && (s.m.claimed && s.p.Arbiter != "never" || s.m.c.Proof == Reported) {
		s.e.Alert = max(s.e.Alert, OnClaim) // a claim gets an answer
	}
}

// closedByReply says that the opponent's next move has closed the window, and what happened to the illegal move.
func (s *sheet) closedByReply() words.Sentence {
	text := words.Say("rule.window_closed", s.opponent())
	switch {
	case s.m.replaced && s.m.c.Kind != kinds.IllegalTwoHands:
		return words.Say("rule.window_put_right", s.opponent())
	case s.m.c.Kind == kinds.IllegalTwoHands:
		text = words.Say("rule.window_hands", s.opponent())
	}
	if s.p.Agreement {
		return beside(text, words.Say("rule.may_agree"))
	}
	return text
}

// inTime rules on an illegal move that can be dealt with now.
func (s *sheet) inTime() {
	c := &s.m.c
	if s.afterTheEnd() {
		return
	}
	s.r.Deadline, s.r.Until = s.deadline()
	if s.r.Until == UntilReply {
		s.r.Closer = s.opponent()
	}
	switch s.treatment() {
	case treatNothing:
		s.nothing(words.Say("rule.not_here"))
		s.stand()
		s.cite(s.book("improper")...)
		return
	case treatImproper:
		s.improper()
		return
	case treatPenalty:
		s.penalty()
		return
	}
	if c.Kind == kinds.IllegalTwoHands && s.mateByTwoHands() {
		return
	}
	s.strike()
}

// treatment is the rule set's treatment of an offence.
type treatment uint8

const (
	treatStrike treatment = iota
	treatDecide
	treatUnit // time, and the arbiter decides
	treatImproper
	treatPenalty
	treatNothing
)

func (s *sheet) treatment() treatment {
	p := s.p
	word := ""
	switch s.m.c.Kind.Row().Treatment {
	case kinds.NoMoveKey:
		word = p.NoMove
		if s.m.excused {
			return treatNothing
		}
	case kinds.PromotionKey:
		word = p.Promotion
	case kinds.TwoHandsKey:
		word = p.TwoHands
		if s.m.castled && p.TwoHandsCastling {
			return treatNothing
		}
	case kinds.EPPawnLeftKey:
		word = p.EPPawnLeft
	case kinds.KingOnlyKey:
		word = p.KingOnly
	case kinds.PromoTwoKey:
		word = p.PromoTwo
	}
	switch word {
	case "improper":
		return treatImproper
	case "unregulated", "nothing":
		return treatNothing
	case "penalty":
		return treatPenalty
	case "unit":
		return treatUnit
	case "decide":
		return treatDecide
	}
	return treatStrike
}

// improper rules on a press that US Chess calls improper and not illegal (8F7, 11C, 16J).
func (s *sheet) improper() {
	s.stand()
	s.cite(s.book("improper")...)
	switch {
	case s.m.c.Kind == kinds.IllegalPromoIncomplete:
		s.propose(NoAlert, kindNone, words.Say("rule.improper_promo"))
	case s.m.back:
		s.nothing(words.Say("rule.may_press_back"))
	default:
		s.propose(Log, kindIrregular, words.Say("rule.improper", clockTime(s.p.BonusS)))
	}
}

// penalty rules on a fault that costs time and is no strike.
func (s *sheet) penalty() {
	s.propose(s.alertUnlessNever(), kindIrregular, words.Sentence{})
	s.stand()
	s.r.Bonus[s.opponent()] = s.p.OtherPenaltyS
	s.r.Text = words.Say("rule.penalty", s.opponent(), clockTime(s.p.OtherPenaltyS))
	s.clocks()
}

func (s *sheet) alertUnlessNever() Alert {
	if s.p.Arbiter == "never" {
		return OnClaim
	}
	return Now
}

// mateByTwoHands rules on a move with two hands that ended the game when it was made (5.1.1): no strike. A rule set
// that makes it a draw does so only if the strike would lose the game.
func (s *sheet) mateByTwoHands() bool {
	after, ok := s.after()
	if !ok || !s.d.over(&after) {
		return false
	}
	if s.p.TwoHandsMate == "draw" && s.losing() {
		return false
	}
	s.propose(Log, kindNone, words.Say("rule.over_hands"))
	s.stand()
	s.r.RunClock = legal.NoSide
	s.cite("5.1.1", "6.2.1.1", "7.5.4")
	return true
}

// strike rules on an illegal move: position, time, strikes, and the consequence of a losing strike.
func (s *sheet) strike() {
	how := s.treatment()
	s.propose(s.alertInTime(), kindIllegal, words.Sentence{})
	if how == treatDecide || how == treatUnit || s.disputed() {
		s.r.Kind = kindDecides
	}
	s.cite(s.book("illegal")...)
	s.place()
	side := s.m.c.Side
	s.r.Strikes = s.d.Strikes()
	if side != legal.NoSide {
		s.r.Strikes[side]++
	}
	if s.losing() {
		s.lost()
		return
	}
	s.goesBackFurther()
	s.deferToKingCapture()
	if gives := s.bonusOf(); gives.m.c.Side != legal.NoSide {
		who := gives.m.c.Side.Other()
		s.r.Bonus[who] = max(gives.unit()-gives.m.onClock.given[who], 0)
	}
	s.takeBack()
	s.overByQueen()
	s.clocks()
	s.r.Text = s.strikeText()
}

// goesBackFurther rules on an illegal move after another one that is still open, of either side: the game goes back to
// the earliest, and whether the later one counts as well is not regulated (laws notes, section 6 no 16 and no 19). One
// incident is one alert (togetherPlies) and one bonus (bonusOf), the earliest one's, whichever is confirmed first; but
// the capture of a king is obvious, and under the FIDE Laws an offence of its own (1.4.1).
func (s *sheet) goesBackFurther() {
	first := s.d.earliestBeneath(s.m)
	if first == nil {
		return
	}
	s.first, s.r.Kind = first, kindDecides
	if !s.laterAlerts() && s.m.c.Ply-first.c.Ply <= togetherPlies {
		s.e.Alert = min(s.e.Alert, Advise)
	}
	s.r.Position, s.r.MustPlay = restore, s.d.mustPlay(first)
	s.r.PositionFEN, s.r.RunClock = first.c.Before.FEN(), first.c.Before.Turn()
}

// bonusOf returns the ruling whose bonus is given: that on the first offence, if the game goes back before it.
func (s *sheet) bonusOf() *sheet {
	if s.first == nil || s.laterAlerts() {
		return s
	}
	return &sheet{d: s.d, p: s.p, m: s.first}
}

// togetherPlies is the number of plies within which an illegal move after an open one is the same incident. A later one
// raises its own alert: the arbiter has not come after the first.
const togetherPlies = 2

// laterAlerts reports whether the later of several offences raises the alert.
func (s *sheet) laterAlerts() bool { return s.m.c.Kind == kinds.IllegalKingCapture && !s.p.us() }

// earliestBeneath returns the first illegal move before a matter that can still be dealt with and whose ruling restores
// a position, or nil.
func (d *Docket) earliestBeneath(m *matter) *matter {
	if d.until() == untilReply {
		return nil
	}
	for _, first := range d.matters {
		switch {
		case first == m || first.order > m.order || first.c.Ply >= m.c.Ply || first.restored || !d.canDealWith(first) || !d.goesBack(first):
		case d.p.CheckStaysOpen && first.c.Kind.Row().Check && m.c.Kind.Row().Check && first.c.Side == m.c.Side: // see firstInCheck
		default:
			return first
		}
	}
	return nil
}

// later returns the open illegal moves that disappear when the game goes back to the position before this one.
func (s *sheet) later() (list []*matter) {
	for _, m := range s.d.matters {
		if m != s.m && m.order > s.m.order && m.c.Side != legal.NoSide && s.d.canDealWith(m) && !m.restored && s.d.earliestBeneath(m) == s.m {
			list = append(list, m)
		}
	}
	return list
}

// deferToKingCapture lowers the alert of a matter if the ruling on the capture of a king that followed names both.
func (s *sheet) deferToKingCapture() {
	for _, m := range s.later() {
		if above := (&sheet{d: s.d, p: s.p, m: m}); above.laterAlerts() {
			s.e.Alert = min(s.e.Alert, Advise)
		}
	}
}

// gone rules on an illegal move that disappeared when another ruling was carried out.
func (s *sheet) gone() {
	s.propose(Log, kindDecides, words.Say("rule.went_with", s.m.settledBy))
	s.r.Strikes = s.d.Strikes()
	if side := s.m.c.Side; side != legal.NoSide {
		s.r.Strikes[side]++
	}
}

// goesBack reports whether the ruling on an illegal move restores the position before it, and that position is known.
func (d *Docket) goesBack(m *matter) bool {
	row := m.c.Kind.Row()
	if row.Family == kinds.Illegal && (row.Position != kinds.Back || m.c.Kind == kinds.IllegalNoMove) {
		return false
	}
	return d.offence(&m.c) && m.c.State == Confirmed && m.c.Known && m.c.Before != (legal.Position{})
}

// unit returns the time given to the opponent.
func (s *sheet) unit() int {
	if s.treatment() == treatUnit {
		return s.p.BonusS
	}
	return s.p.bonus(s.d.class)
}

// limit returns the number of strikes that loses the game; 0: none does.
func (s *sheet) limit() int {
	if s.treatment() == treatUnit {
		return s.p.StrikesToLose
	}
	return s.p.strikes(s.d.class)
}

// losing reports whether this strike loses the game.
func (s *sheet) losing() bool {
	n, side := s.limit(), s.m.c.Side
	return n > 0 && side != legal.NoSide && !s.m.mild && s.d.Strikes()[side]+1 >= n
}

// disputed reports whether the opponent's press back may have accepted the move (laws notes, section 6 no 5).
func (s *sheet) disputed() bool {
	if !s.m.back || s.m.restored || s.d.until() != untilReply {
		return false
	}
	return s.p.Restart == "disputed" || s.p.Restart == "disputed_blitz" && s.d.class == Blitz
}

// place sets the position that the ruling leaves or restores, and the side whose clock is to run.
func (s *sheet) place() {
	switch s.m.c.Kind.Row().Position {
	case kinds.Queen:
		s.stand()
		s.r.Position = queen
	case kinds.Stands:
		s.stand()
	case kinds.CastlingDone:
		s.finishCastling()
	case kinds.PutBack:
		s.r.Position, s.r.RunClock = restore, s.m.c.Side
		if after, ok := s.after(); ok {
			s.posAfter, s.r.PositionFEN = after, after.FEN() // displaced pieces go back, the move stands
		}
	default:
		s.restorePosition()
	}
}

// finishCastling completes the castling with the rook (laws notes, section 6 no 7); if that castling is illegal as
// well, the king goes back.
func (s *sheet) finishCastling() {
	before, ok := s.before()
	if !ok {
		s.r.Position = stands
		return
	}
	m, legalMove := before.FindUCI(s.m.c.UCI)
	if !legalMove || s.p.KingOnly == "illegal" {
		s.restorePosition()
		return
	}
	after := before.After(m)
	s.posAfter = after
	s.r.Position, s.r.PositionFEN, s.r.RunClock = stands, after.FEN(), after.Turn()
}

// restorePosition goes back to the position before the move; the players may have done so already.
func (s *sheet) restorePosition() {
	if s.m.replaced && s.m.resumedFrom != (legal.Position{}) {
		s.posAfter = s.m.resumedFrom
		s.r.Position, s.r.PositionFEN, s.r.RunClock = stands, s.m.resumedFrom.FEN(), s.m.resumedFrom.Turn()
		return
	}
	first := s.d.firstInCheck(s.m)
	s.r.Position = restore
	if c := &first.c; c.Known && c.Before != (legal.Position{}) {
		s.posAfter, s.r.PositionFEN, s.r.RunClock = c.Before, c.Before.FEN(), c.Before.Turn()
		s.r.MustPlay = s.d.mustPlay(first)
	}
}

// firstInCheck returns the first of consecutive moves that left the king in check (US Chess 11A); under other rules,
// the matter itself.
func (d *Docket) firstInCheck(m *matter) *matter {
	if !d.p.CheckStaysOpen || !m.c.Kind.Row().Check {
		return m
	}
	for first := m; ; {
		before := d.latest(func(b *matter) bool {
			return b.live() && b.decision == "" && b.c.Side == m.c.Side && b.c.Ply == first.c.Ply-2 && b.c.Kind.Row().Check && !b.restored
		})
		if before == nil {
			return first
		}
		first = before
	}
}

// overByQueen rules on a forced queen that mates or stalemates: the game is over, and the time is moot (5.1.1, 5.2.1).
func (s *sheet) overByQueen() {
	after, ok := s.after()
	if s.m.c.Kind != kinds.IllegalPromoIncomplete || !ok {
		return
	}
	switch after.Outcome() {
	case legal.Checkmate:
		s.r.Result = wins(s.m.c.Side)
	case legal.Stalemate:
		s.r.Result = drawn
	default:
		if !s.d.over(&after) {
			return
		}
		s.r.Result = drawn
	}
	s.r.Bonus, s.r.TakeBack, s.r.RunClock = [3]int{}, [3]int{}, legal.NoSide
}
