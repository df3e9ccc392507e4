package lab

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/populations"
	"boardwatchd/internal/research/score"
)

// lookalikes are ways with one hand that look like two, with their frequency, by the timing notes, 3.3. A protocol
// deals many of them, to measure them. They count in the earned ratio by this weight; otherwise they would count a
// hundred times too much.
var lookalikes = map[string]float64{populations.Scoop.String(): 0.001, populations.BothInOne.String(): 0.01}

// A Report is an evaluation.
type Report struct {
	Recordings []SensorLine `json:"recordings"`
	Groups     []Group      `json:"groups"`
	Warnings   []string     `json:"warnings"`
}

// SensorLine describes the board of a recording.
type SensorLine struct {
	Recording string  `json:"recording"`
	Made      string  `json:"made,omitempty"`
	Cards     int     `json:"cards"`
	Void      int     `json:"void"`
	PeriodMS  float64 `json:"period_ms"`
	Order     string  `json:"order"`
	Fit       float64 `json:"fit"` // R, timing notes 1.4
	Trusted   bool    `json:"trusted"`
}

// A Group holds the manipulations of one kind and one class of play.
type Group struct {
	Kind      string                 `json:"kind"`
	Class     string                 `json:"class"`
	One       int                    `json:"one_hand"` // without the look-alikes
	Two       int                    `json:"two_hands"`
	Abstained map[string]int         `json:"abstained_by_reason,omitempty"`
	Threshold float64                `json:"threshold"` // advisory, nats; 0: never
	Found     score.Share            `json:"found"`
	False     score.Share            `json:"false_alarms"`
	Earned    float64                `json:"earned_ratio"` // 1: nothing
	Styles    map[string]score.Share `json:"styles"`       // alerted, with one hand or with two
}

// A Verdict is the model's answer about one labelled manipulation.
type Verdict struct {
	Case
	Judgement hands.Judgement
	Said      detector.Statement // with the figures of the configuration
}

// Evaluate judges recordings with the shipped model, and with the figures of a configuration.
func Evaluate(list []Recording, conf detector.Hands) Report {
	var r Report
	groups := map[[2]string][]Verdict{}
	for _, rec := range list {
		verdicts, line := rec.judge(conf)
		for _, v := range verdicts {
			key := [2]string{v.Handling.Kind.String(), v.class().String()}
			groups[key] = append(groups[key], v)
		}
		r.Recordings = append(r.Recordings, line)
		if !line.Trusted {
			r.warn("%s: the scan is not known (R = %.2f, %d cards), so nothing is judged: too few ordinary moves, bus mode, a radio link?", rec.Name, line.Fit, line.Cards)
		}
		if rec.Made != "" {
			r.warn("%s: the cards are of generated people: what they earn is earned on a computer, and claims nothing about hands at a board", rec.Name)
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(groups), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		g := newGroup(key, groups[key], conf)
		r.Groups = append(r.Groups, g)
		const enough = 3000 // timing notes, 4.2
		if g.One < enough {
			r.warn("%s, %s: %d one-handed cases can show a bad model, and cannot certify one false alarm per 1,000: without a single one that takes %d", g.Kind, g.Class, g.One, enough)
		}
	}
	return r
}

func (r *Report) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// judge judges a recording as in live play: scan and tempo are those of the moves before.
func (r Recording) judge(conf detector.Hands) (list []Verdict, line SensorLine) {
	var scan hands.Scan
	type hand struct {
		person string
		class  populations.Pace
	}
	tempo := map[hand]*hands.Tempo{}
	for i := range r.Cases {
		c := &r.Cases[i]
		key := hand{c.Person, c.class()}
		if tempo[key] == nil {
			t := hands.NewTempo(c.class().Tempo())
			tempo[key] = &t
		}
		playersTempo := tempo[key]
		if c.Handling.Kind != hands.NoKind {
			v := Verdict{Case: *c, Judgement: hands.Standard().Judge(&c.Handling, scan.Sensor(), playersTempo.Pace(false))}
			if !v.Judgement.Silent() {
				v.Said = conf.State(&v.Judgement, c.class())
			}
			list = append(list, v)
		}
		if c.What != Plain && c.What != Press {
			playersTempo = nil // a piece dropped or slid on purpose does not show how a person moves
		}
		c.Handling.Teach(&scan, playersTempo)
	}
	s := scan.Sensor()
	return list, SensorLine{
		Recording: r.Name, Made: r.Made, Cards: len(r.Cases), Void: r.Void,
		PeriodMS: float64(s.PeriodUS) / 1000, Order: s.Order.String(), Fit: float64(s.Fit) / 1000, Trusted: s.Trusted(),
	}
}

func newGroup(key [2]string, list []Verdict, conf detector.Hands) Group {
	class := conf.Of(list[0].Handling.Kind).Play[list[0].class()]
	g := Group{Kind: key[0], Class: key[1], Abstained: map[string]int{}, Styles: map[string]score.Share{}, Threshold: float64(class.Advisory) / 1000}
	const one, two, alike = "one hand", "two hands", "look-alikes" // no style has these names
	count, weight := map[string][2]int{}, 0.0                      // alerted, and all
	for _, v := range list {
		group := map[bool]string{false: one, true: two}[v.Two()]
		if rare := lookalikes[v.Style]; rare > 0 {
			group, weight = alike, rare
		}
		for _, name := range [...]string{v.Style, group} {
			c := count[name]
			if c[1]++; v.Said.Advisory {
				c[0]++
			}
			count[name] = c
		}
		if v.Judgement.Abstain != hands.Spoke {
			g.Abstained[v.Judgement.Abstain.String()]++
		}
	}
	for name, c := range count {
		g.Styles[name] = score.ShareOf(c[0], c[1])
	}
	g.Found, g.False, g.One, g.Two = score.ShareOf(count[two][0], count[two][1]), score.ShareOf(count[one][0], count[one][1]), count[one][1], count[two][1]
	rare := score.ShareOf(count[alike][0], count[alike][1])
	g.Earned = score.Earned(g.Found, score.Part{Weight: 1 - weight, False: g.False}, score.Part{Weight: weight, False: rare})
	for _, name := range [...]string{one, two, alike} {
		delete(g.Styles, name)
	}
	return g
}

// Print writes the report for people.
func (r Report) Print(w io.Writer) error {
	var b bytes.Buffer
	for _, l := range r.Recordings {
		trust := map[bool]string{true: "trusted", false: "not trusted"}[l.Trusted]
		fmt.Fprintf(&b, "%s %s\n  %d cards, %d void; scan %.1f ms, order %s, R %.2f: %s\n", l.Recording, l.Made, l.Cards, l.Void, l.PeriodMS, l.Order, l.Fit, trust)
	}
	for _, g := range r.Groups {
		g.print(&b)
	}
	b.WriteString("\nTo be honest:\n")
	for _, text := range r.Warnings {
		fmt.Fprintf(&b, "  ! %s\n", text)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (g Group) print(b *bytes.Buffer) {
	fmt.Fprintf(b, "\n%s, %s: %d one-handed, %d two-handed\n", strings.ToUpper(g.Kind), g.Class, g.One, g.Two)
	for _, why := range slices.Sorted(maps.Keys(g.Abstained)) {
		fmt.Fprintf(b, "  not judged, %s: %d\n", why, g.Abstained[why])
	}
	if g.Threshold > 0 {
		fmt.Fprintf(b, "  reported from %.1f nats on: found %s, false alarms %s\n", g.Threshold, share(g.Found), share(g.False))
		fmt.Fprintf(b, "  earned ratio %.1f (lower bound of what is found / upper bound of the false alarms; 1: nothing may be claimed)\n", g.Earned)
		for _, style := range slices.Sorted(maps.Keys(g.Styles)) {
			fmt.Fprintf(b, "    reported %3d of %3d  %s\n", g.Styles[style].Count, g.Styles[style].Of, style)
		}
	}
}

func share(s score.Share) string {
	return fmt.Sprintf("%d of %d (%.3g to %.3g %%)", s.Count, s.Of, 100*s.Low, 100*s.High)
}
