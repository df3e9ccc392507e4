package detector

import (
	"boardwatchd/detector/hands"
	"boardwatchd/rules"
)

// Play is the class of play as far as hands go: how fast they are, and how often two of them are used.
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

// Tempo is what hands of that class are expected to take (timing notes 3.6).
func (p Play) Tempo() int32 {
	return [plays]int32{hands.BlitzTempo, hands.RapidTempo, hands.ClassicalTempo}[min(p, ClassicalPlay)]
}

// Hands are the priors, the calibration and the thresholds of the suspicion of two hands. They stand in the journal's
// opening record. The zero value judges and suspects nothing.
type Hands struct {
	On        bool
	Control   rules.Class // of the configured time control; NoClass: by the clock
	MostPPM   int32       // no confidence above it is stated
	Capture   HandsKind
	Castling  HandsKind
	Promotion HandsKind
}

// HandsKind are those of one kind of manipulation.
type HandsKind struct{ Play [plays]HandsClass }

// HandsClass are those of one kind in one class of play. Ratios are natural logarithms in thousandths (milli-nats).
type HandsClass struct {
	PriorPPM int32 // two hands among so many manipulations, in parts per million: timing notes 3.2
	Slope    int32 // permille: what the model's logarithm is worth (hands.Worth), times this …
	Offset   int32 // … plus this is what a ratio is stated to be (timing notes 4.1)
	Cap      int32 // more is never stated: what labelled data have earned (timing notes 4.2)
	Advisory int32 // a suspicion from here on, before the cap, where anybody is told (toldLive); 0: never
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

// calibrated is what the model's logarithm is stated to be, before the cap: what it is worth on generated people, and
// what labelled data have made of that.
func (c *HandsClass) calibrated(k hands.Kind, p Play, llr int32) int32 {
	return int32(min(max(int64(hands.Worth(k, p.Tempo(), llr))*int64(c.Slope)/1000+int64(c.Offset), -maxRatio), maxRatio))
}

// What two hands did must show at any pace, because no clock says how fast a player suddenly is (docs/hands.md): both
// pieces are lifted early in the flight, or the rook as the king comes down, and they fly for about as long. All in
// permille, as in hands.Judgement. One hand does otherwise, and in blitz, where a scan is as long as a flight, less may
// be left to chance.
const (
	captureApart  = 230
	castlingApart = 400
)

var (
	maxFollows = [plays]int32{250, 400, 400}
	maxUneven  = [plays]int32{1500, 2000, 2000}
)

// anyPace: at no pace does one hand do the same.
func anyPace(j *hands.Judgement, p Play) bool {
	if j.Kind != hands.Castling {
		return j.Apart <= captureApart
	}
	return j.Uneven <= maxUneven[p] && (j.Apart <= castlingApart || j.Follows <= maxFollows[p])
}

// A Statement is what is said of one manipulation, live and by the laboratory.
type Statement struct {
	Ratio    int32 // milli-nats: after calibration
	Against  int32 // likewise, of the pace that speaks most for two hands
	Capped   int32 // … and no more than labelled data have earned
	PPM      int32 // the confidence that follows from it and the prior, in parts per million, and no more than MostPPM
	Advisory bool  // somebody is asked to look
}

// State is what a judgement is stated to be.
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
// generated hands that the tables are made of, the thresholds and caps that two other populations bear out.
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
