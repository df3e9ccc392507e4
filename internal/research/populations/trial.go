package populations

import (
	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/score"
)

// A Judge says how much the reports of a deed speak for two hands. hands.Model is one.
type Judge interface {
	Judge(d *hands.Deed, s hands.Sensor, p hands.Pace) hands.Judgement
}

// A Trial is an evaluation on generated hands: many persons, each of whom plays some ordinary moves, from which scan and tempo are
// measured as they are in a game, and then what is to be judged.
type Trial struct {
	Options  // Seed is the first person's
	Kind     hands.Kind
	One, Two int // deeds with one hand and with two
	Ordinary int // moves before the first deed; 0: 60
	Person   int // deeds of one person; 0: 20
}

// A Verdict is one judged sample.
type Verdict struct {
	Sample
	Judgement hands.Judgement
}

// Case is the verdict for the statistics. A slow scan is judged for the record, and counts as judged.
func (v Verdict) Case() score.Case {
	return score.Case{LLR: float64(v.Judgement.LLR) / 1000, Two: v.Two, Silent: v.Judgement.Silent()}
}

// Run lets the judge judge. What people do is the same for every judge.
func (t Trial) Run(judge Judge) []Verdict {
	t.Options = t.filled()
	if t.Ordinary == 0 {
		t.Ordinary = 60
	}
	if t.Person == 0 {
		t.Person = 20
	}
	total := t.One + t.Two
	list := make([]Verdict, 0, total)
	for len(list) < total {
		s := Sit(t.Options)
		t.Seed++
		sensor, pace := s.known(t.Ordinary)
		for range min(t.Person, total-len(list)) {
			// Spread evenly, so that every person does both.
			n := len(list)
			two := (n+1)*t.Two/total > n*t.Two/total
			x := s.Do(t.Kind, two)
			list = append(list, Verdict{x, judge.Judge(&x.Deed, sensor, pace)})
		}
	}
	return list
}

// known is what so many ordinary moves tell of board and person.
func (s *Session) known(moves int) (hands.Sensor, hands.Pace) {
	var scan hands.Scan
	tempo := hands.NewTempo(s.options.Pace.Play().Tempo())
	for range moves {
		d := s.Plain().Deed
		d.Teach(&scan, &tempo)
	}
	return scan.Sensor(), tempo.Pace(false)
}

// Cases are the verdicts for the statistics.
func Cases(list []Verdict) []score.Case {
	cases := make([]score.Case, len(list))
	for i, v := range list {
		cases[i] = v.Case()
	}
	return cases
}
