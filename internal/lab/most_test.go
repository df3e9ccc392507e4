package lab

import (
	"bytes"
	"strings"
	"testing"

	"boardwatchd/detector"
)

// What is printed for two_hands.most is what the data bear out: the line fits the configuration, follows it where nothing is known, and goes
// no higher than what comes true on people whom no fit has seen.
func TestTheMostIsWhatHeld(t *testing.T) {
	score := func(one, two, wrong float64) func(int, bool) float64 {
		return func(i int, is bool) float64 {
			switch {
			case is:
				return two
			case i%10 == 1:
				return wrong
			}
			return one
		}
	}
	// Captures in blitz, a prior of 0.5 %: n one-handed ones without a false alarm support a ratio of n/3 or so, which makes 12 % of it
	// with 80, and 93 % with 8,000.
	for name, c := range map[string]struct {
		people int
		n      int
		llr    func(int, bool) float64
		least  int32
		most   int32
		says   string
	}{
		"as good as can be, few":           {2, 60, score(-3, 6, -3), 50_000, 100_000, "comes true at least"},
		"as good as can be, many":          {4, 3000, score(-3, 6, -3), 800_000, 900_000, "comes true at least"},
		"one hand is as sure as two":       {4, 3000, score(6, 6, 6), 10_000, 20_000, ""},
		"every tenth one-handed is as two": {4, 3000, score(-3, 6, 6), 10_000, 30_000, ""},
		"nobody says anything":             {2, 60, score(0, 0, 0), 123_000, 123_000, "# most: no stated confidence is borne out; as configured, 0.123"},
		"a handful":                        {2, 3, score(-3, 6, -3), 123_000, 123_000, "# most: no stated"},
	} {
		t.Run(name, func(t *testing.T) {
			var list []Verdict
			for i := range c.people {
				list = append(list, verdicts(string(rune('a'+i)), c.n, c.llr)...)
			}
			r := Report{conf: detector.DefaultHands()}
			r.conf.MostPPM = 123_000
			r.fill(list)
			got := pasted(t, r).MostPPM
			if strings.Contains(r.YAML, "# most:") {
				got = r.conf.MostPPM // nothing is pasted
			}
			if got < c.least || got > c.most || !strings.Contains(r.YAML, c.says) {
				t.Errorf("%d, want %d to %d and %q in\n%s", got, c.least, c.most, c.says, r.YAML)
			}
			var out bytes.Buffer
			if err := r.Print(&out); err != nil || len(r.Groups[1].proofs) > 0 != strings.Contains(out.String(), "stated and held:") {
				t.Errorf("%v in\n%s", err, out.String())
			}
		})
	}
}

// One class bears out much, another one states much and is wrong: the line says no more than both allow.
func TestTheMostIsThatOfTheWorst(t *testing.T) {
	right := Proof{Level: 0.3, True: Bin{Low: 0.4, High: 0.6}}
	wrong := Proof{Level: 0.05, True: Bin{Low: 0.001, High: 0.04}}
	unsure := Proof{Level: 0.05, True: Bin{Low: 0.001, High: 0.4}}
	low := Proof{Level: 0.02, True: Bin{Low: 0.03, High: 0.6}}
	for name, c := range map[string]struct {
		groups [][]Proof
		want   float64
	}{
		"nothing":                   {nil, 0},
		"one is right":              {[][]Proof{{right}}, 0.3},
		"and one is not sure":       {[][]Proof{{right}, {unsure}}, 0.3},
		"and one is wrong":          {[][]Proof{{right}, {wrong}}, 0.03},
		"right below what is wrong": {[][]Proof{{low, right}, {wrong}}, 0.02},
		"wrong from the beginning":  {[][]Proof{{Proof{Level: 0.01, True: Bin{High: 0.001}}}}, 0.01},
	} {
		t.Run(name, func(t *testing.T) {
			r := Report{conf: detector.DefaultHands()}
			for _, p := range c.groups {
				r.Groups = append(r.Groups, Group{proofs: p})
			}
			if got, _ := r.most(); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
