package watch

import (
	"boardwatchd/detector"
	"boardwatchd/rules"
)

// handsSettings are the figures of the suspicion of two hands, as internal/config writes them.
type handsSettings struct {
	Enabled   bool         `json:"enabled"`
	Most      int32        `json:"most_ppm"`
	Capture   handsFigures `json:"capture"`
	Castling  handsFigures `json:"castling"`
	Promotion handsFigures `json:"promotion"`
}

type handsFigures struct {
	Slope    int32    `json:"slope_permille"`
	Offset   int32    `json:"offset"`
	Advisory int32    `json:"advisory"`
	Prior    [3]int32 `json:"prior_ppm"`
	Cap      [3]int32 `json:"cap"`
}

// Hands returns the figures that a machine with this opening record uses for the suspicion of two hands.
func (o Opening) Hands() detector.Hands { return o.settings().params().Hands }

func (s *handsSettings) hands() detector.Hands {
	return detector.Hands{
		On: s.Enabled, MostPPM: s.Most,
		Capture: s.Capture.kind(), Castling: s.Castling.kind(), Promotion: s.Promotion.kind(),
	}
}

func (f *handsFigures) kind() (k detector.HandsKind) {
	for i := range k.Play {
		k.Play[i] = detector.HandsClass{
			PriorPPM: f.Prior[i], Slope: f.Slope, Offset: f.Offset, Cap: f.Cap[i], Advisory: f.Advisory,
		}
	}
	return k
}

// control returns the class of the configured time control, NoClass if not given. All periods count together (FIDE Laws
// A.1, B.1).
func (s Settings) control() rules.Class {
	if len(s.Periods) == 0 {
		return rules.NoClass
	}
	const second = 1_000_000
	base := int64(0)
	for _, p := range s.Periods {
		base += p.Base
	}
	return rules.ClassOf(int(base/second), int(s.Periods[0].Increment/second), int(s.Periods[0].Delay/second), false)
}
