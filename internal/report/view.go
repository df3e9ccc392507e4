package report

import (
	"encoding/json"
	"slices"
	"strings"

	"boardwatchd/internal/said"
)

// This file has the methods that the template calls.

// Begun returns the beginning of the first journal, in milliseconds; 0: not known.
func (r *Report) Begun() int64 { return r.begun() }

// Games returns the games of all boards.
func (r *Report) Games() (list []Game) {
	for _, j := range r.Journals {
		list = append(list, j.Games...)
	}
	return list
}

// Played returns the games of all boards, without pieces that were only set up once more: most players do that after
// the game. A board on which nothing else happened has its game.
func (r *Report) Played() (list []Game) {
	for _, j := range r.Journals {
		for _, g := range j.Games {
			if g.Plies > 0 || g.Result != "" || len(j.Games) == 1 || j.concerns(g.Game) {
				list = append(list, g)
			}
		}
	}
	return list
}

// concerns reports whether something was found or entered in a game.
func (j *Journal) concerns(game int) bool {
	return slices.ContainsFunc(j.Findings, func(f Finding) bool { return f.Game == game }) ||
		slices.ContainsFunc(j.Entered, func(e Entry) bool { return e.Game == game }) ||
		slices.ContainsFunc(j.Spans, func(s Span) bool { return s.Game == game })
}

// Cut returns the journals of which something is left out.
func (r *Report) Cut() (list []*Journal) {
	for _, j := range r.Journals {
		if j.LeftOut != nil && *j.LeftOut != (LeftOut{}) {
			list = append(list, j)
		}
	}
	return list
}

// A ShownFinding is a finding for the template.
type ShownFinding struct {
	Finding
	Players *Players
}

// Players are the players of a game.
type Players struct{ White, Black string }

// Ply, Kind and the next ones return the fields of the finding.
func (s ShownFinding) Ply() int           { return s.f.Ply }
func (s ShownFinding) Kind() string       { return string(s.f.Kind) }
func (s ShownFinding) State() string      { return s.f.State }
func (s ShownFinding) Side() *string      { return s.f.Side }
func (s ShownFinding) Squares() []string  { return s.f.Squares }
func (s ShownFinding) Articles() []string { return s.f.Articles }

// Ruling returns nil if there is none, or if it has no text.
func (s ShownFinding) Ruling() *said.Ruling {
	if s.r == nil || s.r.Text == "" {
		return nil
	}
	return s.r
}

// Before returns the FEN of the position before, At the FEN of the position found.
func (s ShownFinding) Before() string { return or(s.f.FENBefore) }
func (s ShownFinding) At() string     { return or(s.f.FENAt) }

func or(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (r *Report) findings(which func(*Finding) bool) (list []ShownFinding) {
	for _, j := range r.Journals {
		for i := range j.Findings {
			if f := &j.Findings[i]; which(f) {
				list = append(list, ShownFinding{*f, j.players(f.Game)})
			}
		}
	}
	return list
}

// players returns the players of a game; nil: not known.
func (j *Journal) players(game int) *Players {
	i := slices.IndexFunc(j.Games, func(g Game) bool { return g.Game == game })
	if i < 0 || j.Games[i].White+j.Games[i].Black == "" {
		return nil
	}
	return &Players{j.Games[i].White, j.Games[i].Black}
}

func (f *Finding) settled() bool {
	return f.Decided != "" && f.Decided != "later" && f.Decided != "undo"
}

// Decided returns the findings that a person has decided.
func (r *Report) Decided() []ShownFinding { return r.findings((*Finding).settled) }

// Open returns the findings that wait for a person's decision.
func (r *Report) Open() []ShownFinding {
	return r.findings(func(f *Finding) bool { return !f.settled() && f.Open })
}

// Others returns the findings that are only in the record, except those that were withdrawn, that rest on timing alone,
// or that state the end of a game.
func (r *Report) Others() []ShownFinding {
	return r.findings(func(f *Finding) bool {
		family, _, _ := strings.Cut(string(f.f.Kind), ".")
		return !f.settled() && !f.Open && f.f.State != "withdrawn" && f.f.State != "suspected" && family != "suspect" && family != "end"
	})
}

// Entered returns people's entries at all boards.
func (r *Report) Entered() (list []Entry) {
	for _, j := range r.Journals {
		list = append(list, j.Entered...)
	}
	return list
}

// Spans returns the spans of all boards.
func (r *Report) Spans() (list []Span) {
	for _, j := range r.Journals {
		list = append(list, j.Spans...)
	}
	return list
}

// Unwell reports whether a board has health lines or damage to show.
func (r *Report) Unwell() bool {
	return slices.ContainsFunc(r.Journals, func(j *Journal) bool { return len(j.Health)+len(j.Damage) > 0 })
}

// Signatures returns one element for each line to sign: the arbiter's and the chief arbiter's.
func (r *Report) Signatures() []int { return []int{0, 1} }

// A Setting is the configuration that some boards have in common.
type Setting struct {
	*Journal
	Boards []string
}

// Settings puts boards with the same program, profile and rules together.
func (r *Report) Settings() (list []Setting) {
	var keys []string
	for _, j := range r.Journals {
		body, err := json.Marshal([]any{j.Software, j.Core, j.Profile, j.TimeControl, j.Rules})
		if err != nil {
			panic("report: internal error: " + err.Error()) // plain values
		}
		i := slices.Index(keys, string(body))
		if i < 0 {
			i = len(list)
			keys, list = append(keys, string(body)), append(list, Setting{Journal: j})
		}
		list[i].Boards = append(list[i].Boards, j.Board)
	}
	return list
}
