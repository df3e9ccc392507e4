package watch

import (
	"strconv"

	"boardwatchd/detector"
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

type healthSaid struct {
	head
	What   string `json:"what"`
	Detail string `json:"detail"`
}

// said returns the object for an outcome.
func (m *Machine) said(o detector.Outcome) any {
	h := func(kind string, st detector.Stamp, game int) head {
		return head{Type: kind, Seq: int64(st.Seq), T: Seconds(st.At), Board: m.board, Game: game}
	}
	switch o := o.(type) {
	case detector.GameStarted:
		return gameSaid{h("game", o.Stamp, o.Game), o.FEN, o.Reversed, o.Chess960()}
	case detector.Moved:
		s := moveSaid{
			head: h("move", o.Stamp, o.Game), Ply: o.Ply, Side: o.Before.Turn().String(),
			UCI: o.Before.UCI(o.Move), SAN: o.Before.SAN(o.Move), CommittedBy: o.By.String(),
		}
		if o.Clock.Known {
			s.Clock = &clockSaid{o.Clock.White, o.Clock.Black}
		}
		return s
	case detector.Pressed:
		return pressSaid{h("press", o.Stamp, o.Game), sideName(o.Side), o.Judged}
	case detector.Result:
		return resultSaid{h("result", o.Stamp, o.Game), o.Result, o.By, o.State.String()}
	case detector.TakenBack:
		return takebackSaid{h("takeback", o.Stamp, o.Game), o.Ply}
	case detector.Note:
		return healthSaid{h("health", o.Stamp, o.Game), o.What, o.Detail}
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
