package watch_test

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"boardwatchd/clockproto"
	"boardwatchd/dgt"
	"boardwatchd/internal/config"
	"boardwatchd/internal/emulator"
	"boardwatchd/internal/players"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// An accusation is a finding as reported, with all later reports about it.
type accusation struct {
	ID, Kind, Side, State, Proof, Alert, Reason string
	UCI                                         string
	Ply, Game                                   int
	T                                           float64

	alerted   int64 // µs: first time confirmed with alert now; 0: never
	confirmed bool  // at any time
	matched   bool  // by an offence of the truth
}

// serious reports whether it names an offender to the arbiter without a question.
func (a *accusation) serious() bool {
	return a.alerted != 0 && (a.Proof == "certain" || a.Proof == "strong")
}

// A trial is one watched seed: the truth, and the output.
type trial struct {
	truth players.Truth
	found []*accusation
	moves map[[2]int]string // game, ply → UCI, in their final state
	flips []int64           // times of messages that moved the lever of a running clock
	blind bool              // no rules: the machine reports findings without alerts
	rig   *rig
}

// lever notes the time when a press reaches the host.
type lever struct {
	dec   dgt.Decoder
	up    clockproto.Side
	flips []int64
}

func (l *lever) feed(at int64, rx []byte) {
	l.dec.Feed(rx)
	for f, ok := l.dec.Next(); ok; f, ok = l.dec.Next() {
		d, ok := f.Clock()
		if !ok {
			continue
		}
		r, err := clockproto.ParseReading(d)
		if err != nil || r.NoClock {
			continue
		}
		if l.up != clockproto.NoSide && r.Up != l.up && r.Running {
			l.flips = append(l.flips, at)
		}
		l.up = r.Up
	}
}

// A way of watching: with the whole protocol, or as a foreign recording.
type watching string

const (
	live    watching = "live"
	capture watching = "passive"
)

// rulesConfig returns the part of an opening record with the rules in force. BOARDWATCHD_RULES sets another rule set
// for all; "none" sets none, and then every finding counts as an alert.
func rulesConfig(t testing.TB, word string) json.RawMessage {
	t.Helper()
	if other := os.Getenv("BOARDWATCHD_RULES"); other == "none" {
		return nil
	} else if other != "" {
		word = other
	}
	_, sets, err := config.Rules(word)
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{"rules": sets})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// try plays one seed with the machine.
func try(t testing.TB, how watching, rules json.RawMessage, o players.Options) *trial {
	t.Helper()
	r := &rig{m: watch.New()}
	source := watch.Live
	if how == capture {
		source = watch.Capture
	}
	r.step(0, record.Open, watch.Opening{Format: watch.Format, Source: source, Board: "1", Config: rules}.Body())
	tr := &trial{rig: r, blind: rules == nil, moves: map[[2]int]string{}}
	var l lever
	if how == live {
		r.step(0, record.Up, watch.Annotation{Device: "emulated"}.Body())
		e, err := players.New(o)
		if err != nil {
			t.Fatal(err)
		}
		e.OnLink(r.link)
		emulator.Run(e.Emulator, func(at int64, rx []byte) ([]byte, int64) {
			l.feed(at, rx)
			return r.host(at, rx)
		}, 40*second, 1<<50)
		tr.truth = e.Truth()
	} else {
		last := int64(0)
		var err error
		tr.truth, err = players.Record(o, func(at int64, dir byte, p []byte) {
			last = at
			if dir == emulator.FromBoard {
				l.feed(at, p)
				r.step(at, record.Rx, p)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		r.step(last, record.Instruct, watch.Instruction{Do: watch.DoFinish}.Body())
	}
	tr.flips = l.flips
	tr.read(r.lines)
	return tr
}

// read extracts moves and findings from the effects.
func (tr *trial) read(lines []string) {
	byID := map[string]*accusation{}
	for _, line := range lines {
		body, said := strings.CutPrefix(line, "say ")
		if !said {
			continue
		}
		var v struct {
			Type string
			accusation
		}
		if err := json.Unmarshal([]byte(body), &v); err != nil {
			panic(err)
		}
		switch v.Type {
		case "takeback":
			for k := range tr.moves {
				if k[0] == v.Game && k[1] > v.Ply {
					delete(tr.moves, k)
				}
			}
		case "move":
			for k := range tr.moves {
				if k[0] == v.Game && k[1] >= v.Ply {
					delete(tr.moves, k)
				}
			}
			tr.moves[[2]int{v.Game, v.Ply}] = v.UCI
		case "finding":
			tr.finding(byID, v.accusation)
		}
	}
}

// finding stores the first and the last report about it.
func (tr *trial) finding(byID map[string]*accusation, now accusation) {
	id := fmt.Sprint(now.Game, " ", now.ID)
	a := byID[id]
	if a == nil {
		a = &accusation{T: now.T}
		byID[id] = a
		tr.found = append(tr.found, a)
	}
	first, alerted, confirmed := a.T, a.alerted, a.confirmed
	*a = now
	a.T, a.alerted = first, alerted
	a.confirmed = confirmed || now.State == "confirmed" || now.State == "expired"
	if now.State == "confirmed" && (now.Alert == "now" || tr.blind) && alerted == 0 {
		a.alerted = int64(now.T*1e6 + 0.5)
	}
}

// arrival returns the time when the press of an offence reached the host, and false if it never did.
func (tr *trial) arrival(o *players.Offence) (int64, bool) {
	for _, at := range tr.flips {
		if at >= o.PressAt {
			return at, at < o.PressAt+2*second
		}
	}
	return 0, false
}

// A row of the table: one kind of offence.
type score struct {
	n, found, exact   int
	alerts            int
	latencyLo, latest int64 // from the arrival of the press, µs
	pressLo, pressHi  int64 // from the press itself
	others            map[string]int
}

// A verdict is the sum of many trials.
type verdict struct {
	moves, right int
	kinds        map[string]*score
	afters       map[string]*score
	certain      score
	false        []string
	missed       []string
	wrongMoves   []string
	plies        []string       // found, but reported for another ply
	said         map[string]int // findings by kind, proof and alert
}

func newVerdict() *verdict {
	return &verdict{kinds: map[string]*score{}, afters: map[string]*score{}, said: map[string]int{}}
}

// certain reports whether position and lever prove the offence (laws notes 1.4), so that missing it has no excuse.
func certain(o *players.Offence) bool {
	if o.PressAt == players.NotPressed || o.Way == "empty" || o.Way == "knight" {
		return false
	}
	return o.Kind.Illegal() && o.Kind != kinds.IllegalNoMove || o.Kind == kinds.PromoWrongColour
}

// same reports whether the reported kind matches that of the truth. A move out of turn is a double move if the same
// player made both.
func same(said string, truth kinds.Kind) bool {
	return said == string(truth) || truth == kinds.OutOfTurn && said == "irreg.double_move"
}

// judge compares one trial with its truth.
func (v *verdict) judge(name string, tr *trial) {
	for i := range tr.truth.Games {
		g := &tr.truth.Games[i]
		for j := range g.Offences {
			v.offence(name, tr, i+1, &g.Offences[j])
		}
		v.line(name, tr, i+1, g)
	}
	for _, a := range tr.found {
		v.said[strings.Join([]string{a.Kind, a.Proof, a.Alert, a.State}, " ")]++
		if a.serious() && !a.matched && accuses(a.Kind) && !tr.near(a) {
			v.false = append(v.false, fmt.Sprintf("%s game %d ply %d: %s by %s at %.1f s%s: %s",
				name, a.Game, a.Ply, a.Kind, a.Side, a.T, tr.before(a), a.Reason))
		}
	}
}

// accuses reports whether a kind is an act of a player: not the end of a game, not a flag.
func accuses(kind string) bool {
	return strings.HasPrefix(kind, "illegal.") || strings.HasPrefix(kind, "irreg.") || strings.HasPrefix(kind, "suspect.") ||
		strings.HasPrefix(kind, "setup.")
}

// near reports whether the accused side did commit an offence at about that ply: the kind may be wrong, the alert is
// not.
func (tr *trial) near(a *accusation) bool {
	if a.Game < 1 || a.Game > len(tr.truth.Games) {
		return false
	}
	for _, o := range tr.truth.Games[a.Game-1].Offences {
		if o.Side.String() == a.Side && o.Ply-1 <= a.Ply && a.Ply <= o.Ply+1 {
			return true
		}
	}
	return false
}

// before names the last offence before an accusation, after which the reconstruction may have gone wrong.
func (tr *trial) before(a *accusation) (text string) {
	for i := range tr.truth.Games {
		for _, o := range tr.truth.Games[i].Offences {
			if float64(o.At)/1e6 < a.T {
				text = fmt.Sprintf(" (after %s %s %s at ply %d)", o.Kind, o.Way, o.After, o.Ply)
			}
		}
	}
	return text
}

// window is the number of seconds after an offence stood on the board, or was pressed, within which a report counts for
// it: the next one by the same side cannot have been pressed by then.
const window = 8

func (v *verdict) offence(name string, tr *trial, game int, o *players.Offence) {
	if o.PressAt == players.NotPressed && o.Kind != kinds.OutOfTurn {
		return // the flag fell first: not completed (FIDE Laws 7.5.1)
	}
	var best *accusation
	for _, a := range tr.found {
		if a.Game != game || a.Side != o.Side.String() || !a.confirmed || a.Proof == "hint" {
			continue
		}
		if from := float64(o.At)/1e6 - 1; a.T < from || a.T > float64(max(o.At, o.PressAt))/1e6+window {
			continue
		}
		if best == nil || same(a.Kind, o.Kind) && !same(best.Kind, o.Kind) {
			best = a
		}
	}
	kind := strings.TrimSuffix(string(o.Kind)+":"+o.Way, ":")
	rows := []*score{v.row(v.kinds, kind)}
	if certain(o) {
		rows = append(rows, &v.certain, v.row(v.afters, o.After.String()))
	}
	what := "nothing"
	if best != nil {
		best.matched, what = true, best.Kind
		if best.Ply < o.Ply-1 || best.Ply > o.Ply+1 {
			v.plies = append(v.plies, fmt.Sprintf("%s game %d: %s at ply %d said to be of ply %d", name, game, o.Kind, o.Ply, best.Ply))
		}
	}
	for _, s := range rows {
		s.count(tr, o, best, what)
	}
	if certain(o) && (best == nil || !same(best.Kind, o.Kind)) {
		v.missed = append(v.missed, fmt.Sprintf("%s game %d ply %d: %s %s (%s) in %s pressed %.1f s: found %s",
			name, game, o.Ply, kind, o.UCI, o.After, o.FEN, float64(o.PressAt)/1e6, what))
	}
}

func (v *verdict) row(rows map[string]*score, name string) *score {
	if rows[name] == nil {
		rows[name] = &score{}
	}
	return rows[name]
}

func (s *score) count(tr *trial, o *players.Offence, a *accusation, what string) {
	s.n++
	switch {
	case a == nil:
	case same(a.Kind, o.Kind):
		s.found++
		s.exact++
	default:
		s.found++
	}
	if a == nil || !same(a.Kind, o.Kind) {
		if s.others == nil {
			s.others = map[string]int{}
		}
		s.others[what]++
	}
	if a == nil || a.alerted == 0 || o.PressAt == players.NotPressed {
		return
	}
	arrived, ok := tr.arrival(o)
	if !ok {
		return
	}
	seen, press := a.alerted-arrived, a.alerted-o.PressAt
	if s.alerts++; s.alerts == 1 {
		s.latencyLo, s.latest, s.pressLo, s.pressHi = seen, seen, press, press
	}
	s.latencyLo, s.latest = min(s.latencyLo, seen), max(s.latest, seen)
	s.pressLo, s.pressHi = min(s.pressLo, press), max(s.pressHi, press)
}

// line compares the moves that count with those reported.
func (v *verdict) line(name string, tr *trial, game int, g *players.GameTruth) {
	steps, _ := g.Line()
	orthodox := g.Start.Placement == legal.StartSetup(518).Placement
	said := false
	for _, s := range steps {
		if s.Offence != nil {
			continue
		}
		want := s.UCI
		if orthodox && s.Move.IsCastling() {
			want = s.Move.From().String() + s.Move.To().String()
		}
		v.moves++
		if got := tr.moves[[2]int{game, s.Ply}]; got == want {
			v.right++
		} else if !said {
			said = true
			v.wrongMoves = append(v.wrongMoves, fmt.Sprintf("%s game %d from ply %d: %q, want %q", name, game, s.Ply, got, want))
		}
	}
}

// report prints the table.
func (v *verdict) report(t *testing.T) {
	t.Helper()
	t.Logf("%d moves that count, %d recorded right; %d serious accusations of the innocent", v.moves, v.right, len(v.false))
	table := func(rows map[string]*score) {
		var names []string
		for name := range rows {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			t.Log(rows[name].line(name))
		}
	}
	table(v.kinds)
	table(v.afters)
	t.Log(v.certain.line("CERTAIN"))
	t.Log("findings as they stand at the end:", v.said)
	for _, list := range [...]struct {
		what  string
		lines []string
	}{{"missed", v.missed}, {"moves", v.wrongMoves}, {"ply", v.plies}} {
		for i, line := range list.lines {
			if i == 15 {
				t.Logf("%s: … %d more", list.what, len(list.lines)-i)
				break
			}
			t.Log(list.what, line)
		}
	}
}

func (s *score) line(name string) string {
	text := fmt.Sprintf("%-34s %5d  found %6.2f %%  exact %6.2f %%", name, s.n, percent(s.found, s.n), percent(s.exact, s.n))
	if s.alerts > 0 {
		text += fmt.Sprintf("  alert %5.2f to %.2f s after its report, %.2f to %.2f s after the press",
			float64(s.latencyLo)/1e6, float64(s.latest)/1e6, float64(s.pressLo)/1e6, float64(s.pressHi)/1e6)
	}
	if len(s.others) > 0 {
		var names []string
		for k := range s.others {
			names = append(names, k)
		}
		sort.Strings(names)
		for _, k := range names {
			text += fmt.Sprintf("  %d× %s", s.others[k], k)
		}
	}
	return text
}

func percent(n, of int) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(n) / float64(of)
}
