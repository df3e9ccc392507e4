package playback

import (
	"encoding/json"
	"slices"
)

// A WhatIf has the differences that another rule profile would make with the same inputs.
type WhatIf struct {
	Profile     string       `json:"profile"`
	Differences []Difference `json:"differences"`
}

// A Difference is a finding, or without one the result of a game, that differs.
type Difference struct {
	Game int    `json:"game"`
	T    int64  `json:"t"`
	Ply  int    `json:"ply"`
	Kind string `json:"kind"` // of the finding; "": the result
	Was  *Sight `json:"was"`  // under the recording's own rules; null: absent
	Now  *Sight `json:"now"`
}

// A Sight is one side of a difference.
type Sight struct {
	Finding json.RawMessage `json:"finding"`
	Ruling  json.RawMessage `json:"ruling"`
	Result  string          `json:"result"`
	By      string          `json:"by"`
}

// Compare lists the differences between a recording under its own rules and the same one under others, in order of
// time.
func Compare(own, other *Recording, profile string) *WhatIf {
	w := &WhatIf{Profile: profile, Differences: []Difference{}}
	theirs := other.byID()
	for _, g := range own.Games {
		for _, f := range g.Findings {
			o := theirs[f.head.ID]
			if o == nil || !f.sameMeaning(o.Finding) {
				w.add(g.Game, f, o)
			}
			delete(theirs, f.head.ID)
		}
	}
	for _, g := range other.Games {
		for _, f := range g.Findings {
			if theirs[f.head.ID] != nil {
				w.add(g.Game, nil, &found{f, g.Game})
			}
		}
	}
	for i, g := range own.Games {
		if i < len(other.Games) && (g.Result != other.Games[i].Result || g.By != other.Games[i].By) {
			o := other.Games[i]
			w.Differences = append(w.Differences, Difference{
				Game: g.Game, T: g.To, Was: &Sight{Result: g.Result, By: g.By}, Now: &Sight{Result: o.Result, By: o.By},
			})
		}
	}
	slices.SortStableFunc(w.Differences, func(a, b Difference) int {
		if a.Game != b.Game {
			return a.Game - b.Game
		}
		return int(a.T - b.T)
	})
	return w
}

type found struct {
	*Finding
	game int
}

func (r *Recording) byID() map[string]*found {
	all := map[string]*found{}
	for _, g := range r.Games {
		for _, f := range g.Findings {
			all[f.head.ID] = &found{f, g.Game}
		}
	}
	return all
}

// sameMeaning reports whether two findings mean the same to an arbiter: state, level of the alert, and proposed ruling.
// The profile's name and the cited articles alone are no difference.
func (f *Finding) sameMeaning(o *Finding) bool {
	a, b := &f.head, &o.head
	if a.State != b.State || a.Alert != b.Alert || a.Kind != b.Kind {
		return false
	}
	x, y := &f.ruling, &o.ruling
	return (f.Ruling == nil) == (o.Ruling == nil) && x.Kind == y.Kind && x.Position == y.Position && x.Bonus == y.Bonus &&
		x.TakeBack == y.TakeBack && x.StrikesAfter == y.StrikesAfter && x.Result == y.Result && x.Text == y.Text
}

func (w *WhatIf) add(game int, was *Finding, now *found) {
	d := Difference{Game: game}
	for _, f := range [...]*Finding{was, now.finding()} {
		if f != nil {
			d.T, d.Ply, d.Kind = f.t, f.head.Ply, string(f.head.Kind)
		}
	}
	d.Was, d.Now = was.sight(), now.finding().sight()
	w.Differences = append(w.Differences, d)
}

func (f *found) finding() *Finding {
	if f == nil {
		return nil
	}
	return f.Finding
}

func (f *Finding) sight() *Sight {
	if f == nil {
		return nil
	}
	return &Sight{Finding: f.Finding, Ruling: f.Ruling}
}
