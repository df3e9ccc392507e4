package live

import (
	"math"

	"boardwatchd/rules/words"
)

// A Row is a summary as a list of hundreds of boards needs it: the keys and their values are those of a Summary. Left
// out are the position, what only a board's own screen shows, and what is as usual (watched, connected, well, nothing
// played).
type Row struct {
	Board string `json:"board"`
	// Part: the row has only the next three fields, because the board is not among the first of the list.
	Part         bool            `json:"part,omitempty"`
	Table        string          `json:"table,omitempty"`
	Name         string          `json:"name,omitempty"`
	Watching     *bool           `json:"watching,omitempty"` // nil: true
	Gone         bool            `json:"gone,omitempty"`
	Health       Health          `json:"health,omitempty"` // "": ok
	HealthWhat   string          `json:"health_what,omitempty"`
	HealthDetail string          `json:"health_detail,omitempty"`
	HealthSay    *words.Sentence `json:"health_say,omitempty"`
	HealthDo     *words.Sentence `json:"health_do,omitempty"`
	Link         string          `json:"link,omitempty"`    // "": up
	Journal      string          `json:"journal,omitempty"` // "": ok
	Game         int             `json:"game,omitempty"`
	Playing      bool            `json:"playing,omitempty"`
	Paused       bool            `json:"paused,omitempty"`
	Result       Word            `json:"result,omitempty"`
	Ply          int             `json:"ply,omitempty"`
	Turn         Word            `json:"turn,omitempty"`
	Last         Word            `json:"last,omitempty"`
	Clock        *Clock          `json:"clock,omitempty"` // its age is rounded to tenths
	ClockSides   *ClockSides     `json:"clock_sides,omitempty"`
	Names        *Names          `json:"names,omitempty"`
	Finish       *Finish         `json:"finish,omitempty"`
	Open         int             `json:"open,omitempty"`
	T            float64         `json:"t,omitempty"`       // this and the next only where a time of the board's time line is shown
	WallMS       int64           `json:"wall_ms,omitempty"` // (Finish, or the age of a clock that is not connected)
	Rate         int64           `json:"rate,omitempty"`    // 0: 1
}

// Row returns the summary as a row.
func (s *Summary) Row() Row {
	r := Row{
		Board: s.Board, Table: s.Table, Name: s.Name, Gone: s.Gone, HealthWhat: s.HealthWhat, HealthDetail: s.HealthDetail,
		HealthSay: s.HealthSay, HealthDo: s.HealthDo,
		Game: s.Game, Playing: s.Playing, Paused: s.Paused, Result: s.Result, Ply: s.Ply, Turn: s.Turn, Last: s.Last,
		ClockSides: s.ClockSides, Names: s.Names, Finish: s.Finish, Open: s.Open,
	}
	if !s.Watching {
		r.Watching = &s.Watching
	}
	r.Health, r.Link, r.Journal, r.Rate = unusual(s.Health, Good), unusual(s.Link, "up"), unusual(s.Journal, "ok"), unusual(s.Rate, 1)
	if s.Finish != nil || !s.Watching || s.Link != "up" {
		r.T, r.WallMS = s.T, s.WallMS
	}
	if s.Clock != nil {
		c := *s.Clock
		c.Age = math.Round(c.Age*10) / 10
		r.Clock = &c
	}
	return r
}

// PartOf returns what a list needs of a board that is not in sight: what it is called, and where it stands.
func (s *Summary) PartOf() Row {
	r := Row{Board: s.Board, Part: true, Table: s.Table, Name: s.Name, Gone: s.Gone}
	if !s.Watching {
		r.Watching = &s.Watching
	}
	return r
}

func unusual[T comparable](v, usual T) (w T) {
	if v != usual {
		return v
	}
	return w
}

// row returns what of the visible part a row shows.
func (v visible) row() visible {
	s := &v.summary
	s.FEN, s.Placement, s.LastUCI, s.Reversed, s.Chess960, s.Profile, s.Round = "", "", "", false, false, "", ""
	s.Strikes, s.StrikesToLose, s.Signed, s.WhiteClock = Sides{}, 0, false, ""
	s.AppendixD, s.Assistant, s.NoTouch, v.scan = false, false, false, Scan{}
	return v
}
