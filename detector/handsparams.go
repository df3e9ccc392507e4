package detector

import (
	"boardwatchd/detector/hands"
	"boardwatchd/rules"
)

// Play is the class of play as far as it concerns hands: how fast they are, and how often two of them are used.
type Play uint8

// The classes. Timing notes 3.2; US Chess dual and regular count as the FIDE class with the same time.
const (
	BlitzPlay Play = iota
	RapidPlay
	ClassicalPlay
	plays
)

var playNames = [plays]string{"blitz", "rapid", "classical"}

func (p Play) String() string {
	if p < plays {
		return playNames[p]
	}
	return "unknown"
}

// Tempo returns the expected tempo of hands in that class (timing notes 3.6).
func (p Play) Tempo() int32 {
	return [plays]int32{hands.BlitzTempo, hands.RapidTempo, hands.ClassicalTempo}[min(p, ClassicalPlay)]
}

// Hands are the priors, the calibration and the thresholds of the suspicion of two hands. The journal's opening record
// holds them. The zero value judges and suspects nothing.
type Hands struct {
	On        bool
	Control   rules.Class // of the configured time control; NoClass: by the clock
	MostPPM   int32       // no confidence above it is stated
	Capture   HandsKind
	Castling  HandsKind
	Promotion HandsKind
}

// HandsKind are the parameters of one kind of manipulation.
type HandsKind struct{ Play [plays]HandsClass }

// HandsClass are the parameters of one kind in one class of play. Ratios are natural logarithms in thousandths
// (milli-nats).
type HandsClass struct {
	PriorPPM int32 // two-handed manipulations, in parts per million of all: timing notes 3.2
	Slope    int32 // permille: the worth of the model's logarithm (hands.Worth), times this, plus Offset, is the stated ratio (timing notes 4.1)
	Offset   int32 // added to the product with Slope
	Cap      int32 // the greatest ratio that is stated: as much as labelled data support (timing notes 4.2)
	Advisory int32 // a suspicion from here on, before the cap, where a person is asked to look (toldLive); 0: never
}

// Of returns the parameters of a kind.
func (h *Hands) Of(k hands.Kind) *HandsKind {
	switch k {
	case hands.Castling:
		return &h.Castling
	case hands.Promotion:
		return &h.Promotion
	}
	return &h.Capture
}

// calibrated returns the stated logarithm, before the cap: the worth of the model's on generated people, corrected by
// labelled data.
func (c *HandsClass) calibrated(k hands.Kind, p Play, llr int32) int32 {
	return int32(min(max(int64(hands.Worth(k, p.Tempo(), llr))*int64(c.Slope)/1000+int64(c.Offset), -maxRatio), maxRatio))
}

// The bounds that two hands must meet at any pace, because no clock shows how fast a player suddenly is
// (docs/hands.md): both pieces are lifted early in the flight, or the rook as the king comes down, and they fly for
// about as long. All are in permille, as in hands.Judgement. One hand behaves otherwise, and in blitz, where a scan is
// as long as a flight, the bounds are tighter.
const (
	captureApart  = 230
	castlingApart = 400
)

var (
	maxFollows = [plays]int32{250, 400, 400}
	maxUneven  = [plays]int32{1500, 2000, 2000}
)

// anyPace reports whether one hand does not do the same at any pace.
func anyPace(j *hands.Judgement, p Play) bool {
	if j.Kind != hands.Castling {
		return j.Apart <= captureApart
	}
	return j.Uneven <= maxUneven[p] && (j.Apart <= castlingApart || j.Follows <= maxFollows[p])
}

// A Statement is what is stated of one manipulation, live and by the laboratory.
type Statement struct {
	Ratio    int32 // milli-nats: after calibration
	Against  int32 // the same for the pace most favourable to two hands
	Capped   int32 // Ratio, and no more than labelled data support (HandsClass.Cap)
	PPM      int32 // the confidence that follows from it and the prior, in parts per million; at most MostPPM
	Advisory bool  // a person is asked to look
}

// State returns the statement about a judgement.
func (h *Hands) State(j *hands.Judgement, p Play) (s Statement) {
	p = min(p, ClassicalPlay)
	c := &h.Of(j.Kind).Play[p]
	s.Ratio, s.Against = c.calibrated(j.Kind, p, j.LLR), c.calibrated(j.Kind, p, j.Most)
	s.Capped = min(s.Ratio, c.Cap)
	s.PPM = min(hands.Confidence(c.PriorPPM, s.Capped), h.MostPPM)
	s.Advisory = j.Known && c.Advisory > 0 && s.Ratio >= c.Advisory && anyPace(j, p)
	return s
}

// maxRatio is beyond any threshold: e to the 30th.
const maxRatio = 30_000

// DefaultHands are the documented defaults (docs/hands.md): priors of timing notes 3.2, the calibration of the
// generated hands that the tables are made of, and the thresholds and caps that two other populations support.
func DefaultHands() Hands {
	kind := func(c HandsClass, priors, caps [plays]int32) (k HandsKind) {
		for p := range k.Play {
			c.PriorPPM, c.Cap = priors[p], caps[p]
			k.Play[p] = c
		}
		return k
	}
	return Hands{
		On: true, MostPPM: 900_000,
		Capture:   kind(HandsClass{Slope: 1000, Advisory: 6000}, [plays]int32{5000, 2000, 500}, [plays]int32{6109, 6109, 6109}),
		Castling:  kind(HandsClass{Slope: 1000, Advisory: 6000}, [plays]int32{15000, 5000, 1000}, [plays]int32{6551, 6551, 6551}),
		Promotion: kind(HandsClass{Slope: 1000}, [plays]int32{75000, 20000, 5000}, [plays]int32{4094, 4094, 4094}),
	}
}
