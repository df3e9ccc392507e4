package detector

import (
	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hands"
	"boardwatchd/detector/offence"
	"boardwatchd/detector/play"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file measures how strongly the timing of a capture, a castling or a promotion suggests two hands (FIDE Laws
// 7.5.4). The result is a suspicion: a person is asked to look, and nothing else follows from it (timing notes, section
// 0; docs/hands.md).

// HandsJudged is the judgement of one manipulation's timing: for the record, whether or not a person is asked to look.
type HandsJudged struct {
	evidence.Stamp
	Game, Ply int
	Side      legal.Side
	UCI       string
	Play      Play
	hands.Judgement
	Stated     int32 // milli-nats: the logarithm after calibration, before the cap
	Against    int32 // the same for the pace most favourable to two hands: if negative, every pace suggests one hand
	PPM        int32 // the confidence that follows from prior and cap, in parts per million
	Suspected  bool
	Unreported bool // suspected, but for the journal only: suspicions are paused
	Later      bool // reported again, because the scan was unknown when the move was made
}

func (HandsJudged) outcome() {}

// suspicions are the kinds of the findings.
var suspicions = [...]kinds.Kind{
	hands.Capture: kinds.SuspectCapture, hands.Castling: kinds.SuspectCastling, hands.Promotion: kinds.SuspectPromotion,
}

// tellHands judges the move that is about to be committed, learns from it, and reports whether a suspicion was
// reported. At is as in commit.
func (t *Tracker) tellHands(m legal.Move, by CommittedBy, at int) (told bool) {
	if !t.hands.timed || by == ByArbiter {
		return false
	}
	d := t.handling(m, by, at)
	side := d.Mover.Side()
	if t.p.Hands.On && d.Kind != hands.NoKind && by == ByPress {
		told = t.judgeHands(m, &d, side, at)
	}
	if by != ByReply {
		t.learn(&d, side)
	}
	return told
}

// handling returns the move with the reports of the board.
func (t *Tracker) handling(m legal.Move, by CommittedBy, at int) hands.Handling {
	if at < 0 || at > len(t.b.Changes) {
		at = len(t.b.Changes)
	}
	d := hands.HandlingOf(&t.g.last().place, m)
	d.Reversed, d.Unpressed = t.reversed, by != ByPress
	d.Trouble = t.b.HistoryIncomplete || t.trust.bytesDamaged || t.sync.reportsLost || t.b.CountedUnread != 0
	d.Reports = make([]hands.Report, 0, at)
	for _, c := range t.b.Changes[:at] {
		d.Trouble = d.Trouble || c.FromDump || c.Waited
		d.Reports = append(d.Reports, hands.Report{Square: c.Square, Was: c.Was, Is: c.Is, Unread: c.UnknownCode, At: c.Window.Hi})
	}
	return d
}

// judgeHands judges a capture, a castling or a promotion that a press has completed.
func (t *Tracker) judgeHands(m legal.Move, d *hands.Handling, side legal.Side, at int) bool {
	base := t.g.last()
	class := t.classed()
	tempo := &t.hands.tempo[side]
	tempo.Reclass(class.Tempo())
	hurried := t.hurried(side)
	o := HandsJudged{
		Stamp: t.now, Game: t.games, Ply: base.ply + 1, Side: side, UCI: base.pos.UCI(m), Play: class,
		Judgement: hands.Standard().Judge(d, t.hands.judgedBy(), tempo.Pace(hurried)),
	}
	if o.Silent() {
		t.emit(o)
		t.hands.keep(&o)
		if o.Abstain == hands.NoSensor && len(t.hands.early) < maxEarly {
			t.hands.early = append(t.hands.early, earlyHands{handling: *d, told: o, hurried: hurried})
		}
		return false
	}
	said := t.state(&o)
	v := t.viewOf(at)
	o.Suspected = said.Advisory && t.hands.sensor.Trusted() && tempo.Known() && t.toldLive(o.Kind) && v.At == play.PlacementAfter(base.place, m)
	o.Unreported = o.Suspected && t.HandsPaused()
	t.emit(o)
	t.hands.count(&o)
	t.hands.keep(&o)
	if !o.Suspected || o.Unreported {
		return false
	}
	t.openCertain(t.suspicion(m, &o, said, &v))
	t.countUnanswered(o.Kind)
	return true
}

// toldLive reports whether a person is asked to look at a manipulation of a kind: always at a castling, at a capture
// only in blitz. The rest is for the record and for claims, because so few two-handed captures happen in slower games
// that most suspicions of them would be wrong, and a promotion shows nothing but its duration (docs/hands.md).
func (t *Tracker) toldLive(k hands.Kind) bool {
	return k == hands.Castling || k == hands.Capture && t.p.Hands.Control == rules.Blitz
}

// state adds to a judgement what is stated of it.
func (t *Tracker) state(o *HandsJudged) Statement {
	said := t.p.Hands.State(&o.Judgement, o.Play)
	o.Stated, o.Against, o.PPM = said.Ratio, said.Against, said.PPM
	return said
}

// earlyHands is a manipulation made before the scan of the board was known: in the first game of a round most castlings
// are.
type earlyHands struct {
	handling hands.Handling
	told     HandsJudged
	hurried  bool
}

// maxEarly bounds them; the moves until the scan is known hardly contain more captures.
const maxEarly = 24

// judgeEarly judges the first of them now, for the record: nobody is asked to look at a move of ten moves ago. It
// judges one with each ordinary move, so that no move costs more than another.
func (t *Tracker) judgeEarly() {
	e := t.hands.early[0]
	t.hands.early = t.hands.early[1:]
	o := e.told
	o.Stamp, o.Later = t.now, true
	o.Judgement = hands.Standard().Judge(&e.handling, t.hands.sensor, t.hands.tempo[o.Side].Pace(e.hurried))
	if !o.Silent() {
		t.state(&o)
	}
	t.emit(o)
	t.hands.count(&o)
	t.hands.keep(&o)
}

// hurrySec is the time of the player below which people are faster than before (timing notes 3.6 has half as much;
// honest players were already in a hurry with that: section 7).
const hurrySec = 60

// hurried reports whether a player may have been short of time at the press, before it added anything. An unknown time
// counts as short.
func (t *Tracker) hurried(s legal.Side) bool {
	c := t.pressClock
	left := c.White
	if s == legal.Black {
		left = c.Black
	}
	return !c.Known || left-max(t.pressGainedSec, 0) < hurrySec
}

// viewOf returns the turn with the changes that led to the move.
func (t *Tracker) viewOf(at int) offence.View {
	if at < 0 || at > len(t.b.Changes) {
		at = len(t.b.Changes)
	}
	v := t.view(at)
	v.Press.Lo -= t.p.ClockLagUS
	return v
}

// suspicion returns the finding.
func (t *Tracker) suspicion(m legal.Move, o *HandsJudged, said Statement, v *offence.View) Found {
	sh := offence.Shape{Kind: suspicions[o.Kind], Proof: rules.Hint, Side: o.Side, UCI: o.UCI, Permille: int(o.PPM / 1000)}
	sh.Squares = 1<<m.From() | 1<<m.To()
	if o.Kind == hands.Castling {
		sh.Squares |= 1<<m.RookFrom() | 1<<m.RookTo()
	}
	if sq := m.Victim(); sq < legal.NoSquare {
		sh.Squares |= 1 << sq
	}
	sh.Reason = t.reasonOfHands(m, o, said.Capped)
	after := v.Pos.After(m)
	sh.Stands, sh.After = true, after.Setup()
	f := t.newFinding(&sh, v)
	f.Timeline, f.InAir = o.Windows, o.InAir
	for i, w := range o.Windows {
		if i == 0 || w.LoUS < f.Window.Lo {
			f.Window.Lo = w.LoUS
		}
		if i == 0 || w.HiUS > f.Window.Hi {
			f.Window.Hi = w.HiUS
		}
	}
	return f
}
