package lab

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"boardwatchd/detector"
	detect "boardwatchd/detector/hands"
	"boardwatchd/internal/hands/score"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// This file reads what a journal of ordinary games says about two hands, and what the arbiters made of it (timing notes 4.6). Nothing is
// labelled there: the lines `hands` and the findings of the journal are counted as they are, and nothing is judged anew.

// InPlay is what came of the suspicions in games.
type InPlay struct {
	Games    int        `json:"games"`
	Kinds    []PlayLine `json:"by_kind"`
	Boards   []PlayLine `json:"by_board"`
	Players  []PlayLine `json:"by_player"`
	Arbiters []PlayLine `json:"by_arbiter"` // only what they have decided
}

// A PlayLine counts what was judged of one kind, at one board, of one player, or what one arbiter has decided.
type PlayLine struct {
	Name      string  `json:"name"`
	Judged    int     `json:"judged"`
	Unusual   Share   `json:"unusual"`  // at detector.HandsUnusual or above
	Expected  float64 `json:"expected"` // such a share, by calibration and prior
	Told      Share   `json:"told"`     // suspicions
	Held      int     `json:"held_back"`
	Confirmed int     `json:"confirmed"`
	Dismissed int     `json:"dismissed"`
	NotSeen   int     `json:"not_seen"`
	Open      int     `json:"undecided"`

	expected float64 // sum
}

// judgedInPlay is one line `hands`.
type judgedInPlay struct {
	board, player string
	kind          detect.Kind
	play          detector.Play
	unusual, held bool
}

// toldInPlay is one suspicion.
type toldInPlay struct {
	board, player string
	kind          detect.Kind
	move          moveInPlay
	id            string
	said          bool // to somebody
	verdict, by   string
}

type moveInPlay struct {
	game, ply int
	side      string
}

// played is what one journal says.
type played struct {
	games  int
	judged []judgedInPlay
	told   []toldInPlay

	board        string
	game, plies  int
	over         bool
	names, usual [2]string             // of the present game; those of the last one
	reports      map[string]moveInPlay // of people, by the finding
}

// saidInPlay are the keys of the lines that matter here.
type saidInPlay struct {
	Type, Board, Side, Kind, Play, State, ID, Untold string
	Game, Ply                                        int
	LLR, Confidence                                  *float64
}

// wanted are the beginnings of the lines that are read.
var wanted = [...]string{`{"type":"hands"`, `{"type":"finding"`, `{"type":"game"`, `{"type":"move"`, `{"type":"result"`}

func (p *played) say(body []byte) {
	if !slices.ContainsFunc(wanted[:], func(w string) bool { return bytes.HasPrefix(body, []byte(w)) }) {
		return
	}
	var l saidInPlay
	if json.Unmarshal(body, &l) != nil {
		return
	}
	p.board = l.Board
	switch l.Type {
	case "game":
		p.begin()
		p.game = l.Game
	case "move":
		p.plies = max(p.plies, l.Ply)
	case "result":
		p.over = l.State != "withdrawn"
	case "hands":
		p.hands(l)
	case "finding":
		p.finding(l)
	}
}

// begin opens a game. Names that were told for a game that was played are not those of the next one (as in internal/live).
func (p *played) begin() {
	const begun = 20 // plies: a game was played
	if (p.over || p.plies >= begun) && p.names == p.usual {
		p.names = [2]string{}
	}
	p.usual = p.names
	p.games++
	p.plies, p.over = 0, false
}

func (p *played) hands(l saidInPlay) {
	if l.LLR == nil || l.Confidence == nil {
		return // not judged, or for the record only
	}
	p.judged = append(p.judged, judgedInPlay{
		board: l.Board, player: p.player(l.Side), kind: kindNamed(l.Kind), play: playNamed(l.Play),
		unusual: *l.LLR >= float64(detector.HandsUnusual)/1000, held: l.Untold != "",
	})
}

func (p *played) finding(l saidInPlay) {
	move := moveInPlay{l.Game, l.Ply, l.Side}
	if l.Kind == "illegal.two_hands" || l.Kind == "irreg.two_hands_wbca" {
		if p.reports == nil {
			p.reports = map[string]moveInPlay{}
		}
		p.reports[l.ID] = move
		return
	}
	kind, ok := strings.CutPrefix(l.Kind, "suspect.two_hands_")
	if !ok || slices.ContainsFunc(p.told, func(t toldInPlay) bool { return t.id == l.ID }) {
		return
	}
	p.told = append(p.told, toldInPlay{
		board: l.Board, player: p.player(l.Side), kind: kindNamed(kind), move: move, id: l.ID, said: l.State != "withdrawn",
	})
}

// decided takes a decision on a suspicion, or on a person's report of the same move.
func (p *played) decided(body []byte) {
	var d watch.Decision
	if json.Unmarshal(body, &d) != nil {
		return
	}
	move, reported := p.reports[d.Finding]
	for i := range p.told {
		t := &p.told[i]
		if t.id != d.Finding && !(reported && t.move == move) {
			continue
		}
		switch d.Decision {
		case "confirm", "reject", "accident", "sensor", "unseen":
			t.verdict, t.by = d.Decision, d.By
		case "undo":
			t.verdict, t.by = "", ""
		}
	}
}

func (p *played) named(body []byte) {
	var i watch.Instruction
	if json.Unmarshal(body, &i) == nil && i.Do == watch.DoNames {
		p.names = [2]string{string(i.White), string(i.Black)}
	}
}

func (p *played) take(rec record.Record) {
	switch rec.Kind {
	case record.Say:
		p.say(rec.Body)
	case record.Decide:
		p.decided(rec.Body)
	case record.Instruct:
		p.named(rec.Body)
	}
}

// player is who plays a side: by name, or by where he sits.
func (p *played) player(side string) string {
	i := 0
	if side == "black" {
		i = 1
	}
	if p.names[i] != "" {
		return p.names[i]
	}
	return "board " + p.board + ", game " + itoa(p.game) + ", " + side
}

func kindNamed(word string) detect.Kind {
	for _, k := range kinds {
		if k.String() == word {
			return k
		}
	}
	return detect.NoKind
}

func playNamed(word string) detector.Play {
	for _, p := range []detector.Play{detector.RapidPlay, detector.ClassicalPlay} {
		if p.String() == word {
			return p
		}
	}
	return detector.BlitzPlay
}

// inPlay adds up what journals of games say; nil: there is none.
func inPlay(list []Recording, conf *detector.Hands) *InPlay {
	var out InPlay
	var byKind, byBoard, byPlayer, byArbiter ledger
	for _, rec := range list {
		p := rec.played
		if p == nil {
			continue
		}
		out.Games += p.games
		for _, j := range p.judged {
			e := float64(conf.Expected(j.kind, j.play, false)) / detect.Million
			for _, l := range []*PlayLine{byKind.line(j.kind.String()), byBoard.line(j.board), byPlayer.line(j.player)} {
				l.judge(j, e)
			}
		}
		for _, t := range p.told {
			if !t.said {
				continue
			}
			for _, l := range []*PlayLine{byKind.line(t.kind.String()), byBoard.line(t.board), byPlayer.line(t.player)} {
				l.tell(t.verdict)
			}
			if t.verdict != "" {
				byArbiter.line(cmp.Or(t.by, "nobody's name")).tell(t.verdict)
			}
		}
	}
	if out.Games == 0 && len(byKind) == 0 {
		return nil
	}
	out.Kinds, out.Boards, out.Players, out.Arbiters = byKind.done(), byBoard.done(), byPlayer.done(), byArbiter.done()
	return &out
}

// A ledger is lines by name, in the order in which they were met.
type ledger []*PlayLine

func (g *ledger) line(name string) *PlayLine {
	for _, l := range *g {
		if l.Name == name {
			return l
		}
	}
	*g = append(*g, &PlayLine{Name: name})
	return (*g)[len(*g)-1]
}

func (l *PlayLine) judge(j judgedInPlay, expected float64) {
	l.Judged++
	l.expected += expected
	if j.unusual {
		l.Unusual.Count++
	}
	if j.held {
		l.Held++
	}
}

func (l *PlayLine) tell(verdict string) {
	l.Told.Count++
	switch verdict {
	case "confirm":
		l.Confirmed++
	case "":
		l.Open++
	case "unseen":
		l.NotSeen++
	default:
		l.Dismissed++
	}
}

func (g ledger) done() []PlayLine {
	out := make([]PlayLine, len(g))
	for i, l := range g {
		l.Unusual, l.Told = shareOf(score.ShareOf(l.Unusual.Count, l.Judged)), shareOf(score.ShareOf(min(l.Told.Count, l.Judged), l.Judged))
		if l.Judged > 0 {
			l.Expected = l.expected / float64(l.Judged)
		}
		out[i] = *l
	}
	return out
}

// tooMany: more look like two hands than twice what is expected, beyond chance.
func (l PlayLine) tooMany() bool { return l.Judged > 0 && l.Unusual.Low > 2*l.Expected }
