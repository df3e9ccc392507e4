package lab

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/populations"
	"boardwatchd/internal/research/score"
)

func itoa(n int) string { return strconv.Itoa(n) }

// lookalikes are ways with one hand that look like two, and how often they happen, by the timing notes, 3.3. A protocol deals
// many of them, so that they are known. They have lines of their own and count in the earned ratio by this weight; in
// the curves and in the calibration they would count a hundred times too much.
var lookalikes = map[hands.Kind]struct {
	styles []populations.Style
	weight float64
}{
	hands.Capture:  {[]populations.Style{populations.Scoop, populations.Knock}, 0.001},
	hands.Castling: {[]populations.Style{populations.BothInOne}, 0.01},
}

func (v Verdict) lookalike() bool {
	s, ok := populations.StyleOf(v.Style)
	return ok && v.Dealt && slices.Contains(lookalikes[v.Deed.Kind].styles, s)
}

var kinds = []hands.Kind{hands.Capture, hands.Castling, hands.Promotion}

// A Report is an evaluation.
type Report struct {
	Recordings []SensorLine `json:"recordings"`
	Generated  string       `json:"generated,omitempty"` // how the people were made, if they were
	Groups     []Group      `json:"groups"`
	Warnings   []string     `json:"warnings"`

	conf detector.Hands
}

// A Group is the deeds of one kind, of one class of play.
type Group struct {
	Kind      string         `json:"kind"`
	Class     string         `json:"class"` // "all", or a class of play
	One       int            `json:"one_hand"`
	Alike     int            `json:"lookalikes"` // dealt with one hand, and not among those
	Two       int            `json:"two_hands"`
	People    int            `json:"people"`
	Silent    int            `json:"abstained"`
	Abstained map[string]int `json:"abstained_by_reason,omitempty"`
	Area      float64        `json:"auc"`
	At1       Point          `json:"at_1_percent"`
	At01      Point          `json:"at_0.1_percent"`
	Over      []Point        `json:"at_configured_thresholds"`
	Families  []FamilyLine   `json:"advisory_by_family,omitempty"` // of generated people
	Earned    float64        `json:"earned_ratio"`                 // 1: nothing
	EarnedAt  string         `json:"earned_at"`                    // the configured threshold that earns it
	Slope     float64        `json:"slope"`
	Offset    float64        `json:"offset"`
	HeldOut   bool           `json:"held_out"` // the bins are of people on whom nothing was fitted
	Loss      float64        `json:"log_loss"`
	BaseLoss  float64        `json:"log_loss_base"`
	Prior     float64        `json:"prior,omitempty"` // of a class of play, as configured
	Cap       float64        `json:"cap,omitempty"`
	Bins      []Bin          `json:"bins,omitempty"`       // of calibrated ratios, at the data's own share: is the ratio right?
	FieldBins []Bin          `json:"field_bins,omitempty"` // of a class of play: the confidence as live play states it
	Styles    []StyleLine    `json:"styles,omitempty"`     // of all classes only

	kind  hands.Kind
	conf  *detector.HandsKind
	curve score.Curve
}

// A Point is one threshold. Intervals are Clopper and Pearson's, 95 %.
type Point struct {
	Name      string   `json:"name"`
	Threshold *float64 `json:"threshold"` // nats; null: above all of them
	Found     Share    `json:"found"`
	False     Share    `json:"false_alarms"`
}

// A Share of a count.
type Share struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Rate  float64 `json:"rate"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// A Bin of stated confidence.
type Bin struct {
	Cases    int     `json:"cases"`
	Stated   float64 `json:"stated"`
	Observed float64 `json:"observed"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Holds    bool    `json:"holds"`
	Bold     bool    `json:"bold"` // more was stated than came true, beyond chance
}

// A StyleLine is what the threshold does to one style: false alarms, or hits.
type StyleLine struct {
	Style    string `json:"style"`
	Two      bool   `json:"two_hands"`
	Cases    int    `json:"cases"`
	Silent   int    `json:"abstained"`
	Advisory *Share `json:"advisory"` // null: no such threshold
}

// A FamilyLine is what the advisory threshold does to people of one make.
type FamilyLine struct {
	Family string `json:"family"`
	Found  Share  `json:"found"`
	False  Share  `json:"false_alarms"`
}

// Evaluate judges recordings with a model, and with the figures of a configuration.
func Evaluate(list []Recording, model populations.Judge, conf detector.Hands) Report {
	var verdicts []Verdict
	r := Report{conf: conf}
	real := 0
	for _, rec := range list {
		v, line := rec.judge(model)
		verdicts = append(verdicts, v...)
		r.Recordings = append(r.Recordings, line)
		switch {
		case !line.Trusted && (line.PeriodMS == 0 || line.Cards < hands.MovesSure):
			r.warn("%s: the scan is not known (%d cards; mostly 10 to 20 ordinary moves are enough, %d always), so nothing is judged", rec.Name, line.Cards, hands.MovesSure)
		case !line.Trusted:
			r.warn("%s: the reports do not follow a scan well (R = %.2f), so nothing is judged: bus mode, a radio link?", rec.Name, line.Fit)
		case line.PeriodMS > hands.PeriodMost/1000:
			r.warn("%s: a scan of %.0f ms is too slow for captures and promotions; they are judged for the record", rec.Name, line.PeriodMS)
		}
		if rec.Made == "" {
			real++
		}
	}
	if len(list) > 0 && real < len(list) {
		r.warn("%d of %d recordings are of generated people: what they earn is earned on a computer, and claims nothing about hands at a board", len(list)-real, len(list))
	}
	r.fill(verdicts)
	return r
}

// EvaluateGenerated evaluates generated people.
func EvaluateGenerated(n int, seed uint64, board populations.Board, model populations.Judge, conf detector.Hands) Report {
	r := Report{conf: conf, Generated: fmt.Sprintf("%d deeds with one hand and %d with two, for each kind, class (blitz, classical) and family (%s), seed %d", n, max(n/3, 1), populations.FamilyNames(), seed)}
	r.warn("generated people: what they earn is earned on a computer, and claims nothing about hands at a board")
	r.fill(Generated(n, seed, board, model))
	return r
}

func (r *Report) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// fill makes the groups: each kind as a whole, and by class.
func (r *Report) fill(list []Verdict) {
	for i := range list {
		if v := &list[i]; !v.Judgement.Silent() {
			v.Said = r.conf.State(v.Deed.Kind, v.Class.Play(), v.Judgement.LLR)
		}
	}
	for _, kind := range kinds {
		mine := filter(list, func(v Verdict) bool { return v.Deed.Kind == kind })
		if len(mine) == 0 {
			continue
		}
		conf := r.conf.Of(kind)
		all := newGroup(kind, "all", conf, mine)
		all.Styles = styleLines(conf, mine)
		r.Groups = append(r.Groups, all)
		r.doubt(all)
		for _, class := range []populations.Pace{populations.Blitz, populations.Rapid, populations.Classical} {
			if part := filter(mine, func(v Verdict) bool { return v.Class == class }); len(part) > 0 {
				g := newGroup(kind, class.String(), conf, part)
				g.state(&conf.Play[class.Play()], part)
				r.Groups = append(r.Groups, g)
			}
		}
	}
	if len(r.Groups) == 0 {
		r.warn("no capture, castling or promotion is labelled: there is nothing to evaluate")
	}
}

func filter(list []Verdict, keep func(Verdict) bool) (out []Verdict) {
	for _, v := range list {
		if keep(v) {
			out = append(out, v)
		}
	}
	return out
}

// Figures of the timing notes, 4.2.
const (
	enoughForMille = 3000 // one-handed cases without a false alarm that claim 1 per 1,000
	enoughTwo      = 30
)

// doubt says plainly what the numbers cannot claim.
func (r *Report) doubt(g Group) {
	judged := g.curve.One
	if judged < enoughForMille {
		r.warn("%s: %d one-handed cases. They can show a bad model, and cannot certify one false alarm per 1,000: without a single false alarm that takes %d",
			g.Kind, judged, enoughForMille)
	}
	if g.Two < enoughTwo {
		r.warn("%s: %d two-handed cases are too few to say what share of them is found", g.Kind, g.Two)
	}
	if !g.HeldOut {
		r.warn("%s: calibration needs at least two people with both kinds of deeds; it is left as configured", g.Kind)
	}
	if g.Silent*2 > g.One+g.Two {
		r.warn("%s: of %d cases %d were not judged", g.Kind, g.One+g.Two, g.Silent)
	}
}

func newGroup(kind hands.Kind, class string, conf *detector.HandsKind, list []Verdict) Group {
	g := Group{Kind: kind.String(), Class: class, Abstained: map[string]int{}, kind: kind, conf: conf}
	alike := filter(list, Verdict.lookalike)
	list = chosen(list)
	cases := casesOf(list)
	people := map[string]bool{}
	for _, v := range list {
		people[v.Person] = true
		if why := v.Judgement.Abstain; why != hands.Spoke {
			g.Abstained[why.String()]++
		}
	}
	g.People, g.Alike = len(people), len(alike)
	g.curve = score.NewCurve(cases)
	g.One, g.Two, g.Silent = g.curve.One, g.curve.Two, g.curve.Silent
	g.Area = g.curve.Area()
	g.At1, g.At01 = pointOf("1 %", g.curve.At(0.01)), pointOf("0.1 %", g.curve.At(0.001))
	g.earn(list, alike)
	g.calibrate(list, cases)
	return g
}

// chosen leaves out the look-alikes that were dealt.
func chosen(list []Verdict) []Verdict {
	return filter(list, func(v Verdict) bool { return !v.lookalike() })
}

func casesOf(list []Verdict) []score.Case {
	cases := make([]score.Case, len(list))
	for i, v := range list {
		cases[i] = v.score()
	}
	return cases
}

// fitWeight is the number of cases for which "as configured" counts in the fit. Timing notes, 4.1: few labels change little.
const fitWeight = 10

// folds bounds how often the calibration is fitted: people beyond that share a fold.
const folds = 20

// calibrate fits slope and offset on top of the configured ones, and scores them on people whom the fit has not seen (timing notes,
// 4.3).
func (g *Group) calibrate(list []Verdict, cases []score.Case) {
	held := slices.Clone(cases)
	fold := foldsOf(list)
	n := 0
	for _, f := range fold {
		n = max(n, f+1)
	}
	g.HeldOut = n > 1
	for f := range n {
		var rest []score.Case
		for i, c := range cases {
			if fold[i] != f {
				rest = append(rest, c)
			}
		}
		k := score.Calibrate(rest, fitWeight)
		if k == score.Plain && !both(rest) {
			g.HeldOut = false
		}
		for i, c := range cases {
			if fold[i] == f && g.HeldOut {
				held[i].LLR = k.Of(c.LLR)
			}
		}
	}
	k := score.Plain
	if g.HeldOut {
		k = score.Calibrate(cases, fitWeight)
	} else {
		held = cases
	}
	c := g.conf.Play[detector.BlitzPlay] // all classes of play have one calibration
	g.Slope, g.Offset = k.A*float64(c.Slope)/1000, k.Of(float64(c.Offset)/1000)
	g.Loss, g.BaseLoss = score.Loss(held)
	share := float64(g.Two) / float64(max(g.One+g.Two, 1))
	if share > 0 && share < 1 {
		g.Bins = binsOf(score.Reliability(held, share, math.Exp(20)))
	}
}

func both(cases []score.Case) bool {
	one, two := false, false
	for _, c := range cases {
		if !c.Silent {
			one, two = one || !c.Two, two || c.Two
		}
	}
	return one && two
}

// foldsOf numbers the people.
func foldsOf(list []Verdict) []int {
	number := map[string]int{}
	out := make([]int, len(list))
	for i, v := range list {
		if _, ok := number[v.Person]; !ok {
			number[v.Person] = len(number) % folds
		}
		out[i] = number[v.Person]
	}
	return out
}

func pointOf(name string, p score.Point) Point {
	out := Point{Name: name, Found: shareOf(p.Found), False: shareOf(p.False)}
	if !math.IsInf(p.Threshold, 0) {
		out.Threshold = &p.Threshold
	}
	return out
}

func shareOf(s score.Share) Share {
	return Share{Count: s.Count, Of: s.Of, Rate: s.Rate(), Low: s.Low, High: s.High}
}

func binsOf(list []score.Bin) (out []Bin) {
	for _, b := range list {
		out = append(out, Bin{Cases: b.True.Of, Stated: b.Stated, Observed: b.Observed, Low: b.From, High: b.To, Holds: b.Holds(), Bold: b.Bold()})
	}
	return out
}
