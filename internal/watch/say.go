package watch

import (
	"strconv"

	"boardwatchd/detector"
	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file turns the tracker's outcomes into the objects of contract section 3. The order of the fields is the order
// in the bytes.

// Seconds is a time in microseconds that is written as a decimal number of seconds.
type Seconds int64

// MarshalJSON writes at most six decimals and no trailing zeros.
func (s Seconds) MarshalJSON() ([]byte, error) { return s.AppendTo(nil), nil }

// AppendTo appends the decimal text.
func (s Seconds) AppendTo(b []byte) []byte {
	if s < 0 {
		b, s = append(b, '-'), -s
	}
	b = strconv.AppendInt(b, int64(s)/1_000_000, 10)
	frac := int64(s) % 1_000_000
	if frac == 0 {
		return b
	}
	b = append(b, '.')
	for unit := int64(100_000); frac > 0; unit /= 10 {
		b = append(b, byte('0'+frac/unit))
		frac %= unit
	}
	return b
}

// head are the fields that every object begins with.
type head struct {
	Type  string  `json:"type"`
	Seq   int64   `json:"seq"`
	T     Seconds `json:"t"`
	Board string  `json:"board"`
	Game  int     `json:"game"`
}

type gameSaid struct {
	head
	FEN      string `json:"fen"`
	Reversed bool   `json:"reversed"`
	Chess960 bool   `json:"chess960"`
}

type clockSaid struct {
	White int `json:"white"`
	Black int `json:"black"`
}

type moveSaid struct {
	head
	Ply         int        `json:"ply"`
	Side        string     `json:"side"`
	UCI         string     `json:"uci"`
	SAN         string     `json:"san"`
	Clock       *clockSaid `json:"clock"`
	CommittedBy string     `json:"committed_by"`
	Corrects    bool       `json:"corrects,omitempty"` // said again: this ply is replaced, those behind it stay
}

// stoodSaid is a move that was illegal and stood: no piece, or more than one, has moved where uci and san are null.
type stoodSaid struct {
	head
	Ply         int        `json:"ply"`
	Side        string     `json:"side"`
	UCI         *string    `json:"uci"`
	SAN         *string    `json:"san"`
	Clock       *clockSaid `json:"clock"`
	CommittedBy string     `json:"committed_by"`
	Illegal     bool       `json:"illegal"` // false: what was found has been withdrawn, and what was played is not known
	Finding     *string    `json:"finding"`
	FENAfter    string     `json:"fen_after"`
	Corrects    bool       `json:"corrects,omitempty"`
}

type pressSaid struct {
	head
	Side   *string `json:"side"`
	Judged string  `json:"judged"`
}

type resultSaid struct {
	head
	Result string `json:"result"`
	By     string `json:"by"`
	State  string `json:"state"`
}

type takebackSaid struct {
	head
	Ply int `json:"ply"`
}

type findingSaid struct {
	head
	ID         string     `json:"id"`
	Kind       kinds.Kind `json:"kind"`
	Side       *string    `json:"side"`
	Ply        int        `json:"ply"`
	State      string     `json:"state"`
	Proof      string     `json:"proof"`
	Confidence permille   `json:"confidence"`
	Articles   []string   `json:"articles"`
	Edition    string     `json:"edition"`
	Reason     string     `json:"reason"`
	UCI        *string    `json:"uci"`
	Squares    []string   `json:"squares"`
	FENBefore  *string    `json:"fen_before"`
	FENAt      *string    `json:"fen_at"`
	Window     windowSaid `json:"window"`
	Alert      string     `json:"alert"`
	Evidence   []int64    `json:"evidence"`
	Decided    *string    `json:"decided"`
	Timeline   []spanSaid `json:"timeline,omitempty"`
	InAir      string     `json:"in_air,omitempty"`
	Timing     string     `json:"timing,omitempty"` // of a person's report of two hands: what the timing says for and against
}

type windowSaid struct {
	Lo Seconds `json:"lo"`
	Hi Seconds `json:"hi"`
}

type rulingSaid struct {
	head
	Finding           string     `json:"finding"`
	Profile           string     `json:"profile"`
	Kind              string     `json:"kind"`
	Position          *string    `json:"position"`
	PositionFEN       *string    `json:"position_fen"`
	MustPlay          []string   `json:"must_play"`
	Bonus             sidesSaid  `json:"bonus"`
	TakeBackIncrement sidesSaid  `json:"take_back_increment"`
	ClocksToSet       *clockSaid `json:"clocks_to_set"`
	RunClock          *string    `json:"run_clock"`
	StrikesAfter      clockSaid  `json:"strikes_after"`
	Result            *string    `json:"result"`
	Deadline          *string    `json:"deadline"`
	Text              string     `json:"text"`
	Until             *string    `json:"until"`
	UntilSide         *string    `json:"until_side"`
	StrikesBefore     clockSaid  `json:"strikes_before"`
	StrikesToLose     int        `json:"strikes_to_lose"`
	Advice            *string    `json:"advice"`
	Mate              *mateSaid  `json:"mate"`
}

// mateSaid is whether the side that would win can ever mate.
type mateSaid struct {
	Side    string   `json:"side"`
	Verdict string   `json:"verdict"`
	Reason  string   `json:"reason"`
	Line    []string `json:"line"`
	FEN     string   `json:"fen"`
	Text    string   `json:"text"`
}

// sidesSaid has only the sides that get something.
type sidesSaid struct {
	White int `json:"white,omitempty"`
	Black int `json:"black,omitempty"`
}

// permille is written as a decimal number from 0 to 1.
type permille int

func (p permille) MarshalJSON() ([]byte, error) { return Seconds(p * 1000).AppendTo(nil), nil }

type healthSaid struct {
	head
	What   string `json:"what"`
	Detail string `json:"detail"`
	FEN    string `json:"fen,omitempty"` // record_broken: the position that the game goes on from
}

func (m *Machine) headed(kind string, st detector.Stamp, game int) head {
	return head{Type: kind, Seq: int64(st.Seq), T: Seconds(st.At), Board: m.board, Game: game}
}

// said returns the object for an outcome, or nil.
func (m *Machine) said(o detector.Outcome) any {
	h := m.headed
	switch o := o.(type) {
	case detector.GameStarted:
		return gameSaid{h("game", o.Stamp, o.Game), o.FEN, o.Reversed, o.Chess960()}
	case detector.Moved:
		s := moveSaid{
			head: h("move", o.Stamp, o.Game), Ply: o.Ply, Side: o.Before.Turn().String(),
			UCI: o.Before.UCI(o.Move), SAN: o.Before.SAN(o.Move), CommittedBy: o.By.String(),
			Corrects: o.Corrects,
		}
		if o.Clock.Known {
			s.Clock = &clockSaid{o.Clock.White, o.Clock.Black}
		}
		return s
	case detector.Stood:
		s := stoodSaid{
			head: h("move", o.Stamp, o.Game), Ply: o.Ply, Side: o.Side.String(), UCI: known(o.UCI), SAN: known(o.SAN),
			CommittedBy: detector.ByPress.String(), Illegal: o.Finding != "", Finding: known(o.Finding), FENAfter: o.After.FEN(),
			Corrects: o.Corrects,
		}
		if o.Clock.Known {
			s.Clock = &clockSaid{o.Clock.White, o.Clock.Black}
		}
		return s
	case detector.NotKnown:
		return m.notKnownSaid(&o)
	case detector.Pressed:
		return pressSaid{h("press", o.Stamp, o.Game), sideName(o.Side), o.Judged}
	case detector.Result:
		state := o.State.String()
		if o.By == "arbiter" && o.State == detector.Proposed {
			state = m.resultState()
		}
		return resultSaid{h("result", o.Stamp, o.Game), o.Result, o.By, state}
	case detector.TakenBack:
		return takebackSaid{h("takeback", o.Stamp, o.Game), o.Ply}
	case detector.Note:
		return healthSaid{h("health", o.Stamp, o.Game), o.What, o.Detail, o.FEN}
	case detector.HandsJudged:
		return m.handsSaid(&o)
	case detector.HandsHeld:
		return m.heldSaid(&o)
	case detector.ScanKnown:
		return scanSaid{healthSaid{h("health", o.Stamp, o.Game), "scan", o.Detail(), ""}, scanOf(&o)}
	case detector.Found, detector.Turn:
		return nil // told by the docket, see judge.go
	}
	panic("watch: internal error: unknown outcome")
}

func sideName(s legal.Side) *string {
	if s == legal.NoSide {
		return nil
	}
	n := s.String()
	return &n
}

// known is null in JSON for what is not known.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// notNull makes an empty list [] in JSON.
func notNull(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func (m *Machine) findingSaid(st detector.Stamp, e *rules.Entry, p *proof) findingSaid {
	w, evidence := p.window, p.evidence
	s := findingSaid{
		head: m.headed("finding", st, e.Game),
		ID:   e.ID, Kind: e.Kind, Side: sideName(e.Side), Ply: e.Ply, State: e.State.String(), Proof: e.Proof.String(),
		Confidence: permille(e.Permille), Articles: notNull(e.Articles), Edition: e.Edition, Reason: e.Reason,
		UCI: known(e.UCI), Squares: []string{}, Window: windowSaid{Seconds(w.Lo), Seconds(w.Hi)}, Alert: e.Alert.String(),
		Evidence: []int64{}, Decided: known(e.Decided), Timeline: spans(p.timeline), InAir: airWord(p.air), Timing: p.timing,
	}
	for _, sq := range e.Squares {
		s.Squares = append(s.Squares, sq.String())
	}
	for _, seq := range evidence {
		s.Evidence = append(s.Evidence, int64(seq))
	}
	if e.Known {
		s.FENBefore = known(e.Before.FEN())
		at := e.Before.Setup()
		at.Placement, at.EnPassant = e.At, legal.NoSquare
		if e.Completed {
			at.Turn = at.Turn.Other()
		}
		if e.Stands {
			at.Castling = e.After.Setup().Castling
		}
		s.FENAt = known(at.FEN())
	}
	return s
}

func (m *Machine) rulingSaid(st detector.Stamp, e *rules.Entry) rulingSaid {
	r := e.Ruling
	s := rulingSaid{
		head:    m.headed("ruling", st, e.Game),
		Finding: e.ID, Profile: r.Profile, Kind: r.Kind, Position: known(r.Position), PositionFEN: known(r.PositionFEN),
		MustPlay: notNull(r.MustPlay), Bonus: sides(r.Bonus), TakeBackIncrement: sides(r.TakeBack),
		RunClock: sideName(r.RunClock), StrikesAfter: clockSaid{r.Strikes[legal.White], r.Strikes[legal.Black]},
		Result: known(r.Result), Deadline: known(r.Deadline), Text: r.Text,
		Until: known(string(r.Until)), UntilSide: sideName(r.Closer),
		StrikesBefore: clockSaid{r.Before[legal.White], r.Before[legal.Black]}, StrikesToLose: r.Limit, Advice: known(string(r.Advice)),
	}
	if a := r.Mate; a != nil {
		s.Mate = &mateSaid{a.Side.String(), a.Verdict, a.Reason, notNull(a.Line), a.FEN, a.Text}
	}
	if r.Clocks.Known {
		s.ClocksToSet = &clockSaid{r.Clocks.White, r.Clocks.Black}
	}
	return s
}

func sides(v [3]int) sidesSaid { return sidesSaid{White: v[legal.White], Black: v[legal.Black]} }
