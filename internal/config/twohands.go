package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// TwoHands holds the figures for the suspicion of two hands: see docs/hands.md. Ratios are natural logarithms in
// thousandths, as in the core.
type TwoHands struct {
	Enabled   bool      `json:"enabled"`
	Most      int64     `json:"most_ppm"` // parts per million: the greatest confidence that is stated
	Capture   HandsKind `json:"capture"`
	Castling  HandsKind `json:"castling"`
	Promotion HandsKind `json:"promotion"`

	TimeTrouble int64 `json:"time_trouble,omitempty"` // of earlier programs
}

// HandsKind are the figures of one kind of manipulation. Three of a kind are for blitz, rapid and classical play.
// internal/watch reads the canonical form.
type HandsKind struct {
	Slope    int64    `json:"slope_permille"`
	Offset   int64    `json:"offset"`
	Advisory int64    `json:"advisory"` // 0: never
	Prior    [3]int64 `json:"prior_ppm"`
	Cap      [3]int64 `json:"cap"`
	handsPast
}

// handsPast holds figures of earlier programs: they are read and ignored.
type handsPast struct {
	Trouble int64 `json:"trouble_permille,omitempty"`
	Amber   int64 `json:"amber,omitempty"`
}

// present returns the figures without obsolete ones; a journal from before the suspicion existed has none.
func (h *TwoHands) present() (now TwoHands) {
	if h != nil {
		now = *h
		now.TimeTrouble, now.Capture.handsPast, now.Castling.handsPast, now.Promotion.handsPast = 0, handsPast{}, handsPast{}, handsPast{}
	}
	return now
}

// micro is the unit of a decimal.
const micro = 1_000_000

// decimal reads a number with a point; value.number is in millionths.
func (k *key) decimal(s string) (value, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || strings.ContainsAny(s, "xXpPiIn_") {
		return value{}, fmt.Errorf("is not a number like %s (%s)", k.def, k.bounds())
	}
	n := int64(math.Round(max(min(f, 1e9), -1e9) * micro))
	if n < k.min || n > k.max {
		return value{}, fmt.Errorf("is out of range (%s)", k.bounds())
	}
	return value{number: n}, nil
}

func decimalString(n int64) string { return strconv.FormatFloat(float64(n)/micro, 'f', -1, 64) }

// ratio converts a likelihood ratio to thousandths of its logarithm.
func ratio(n int64) int64 { return int64(math.Round(1000 * math.Log(float64(n)/micro))) }

// handsNames are the written names of the kinds, with the place of their figures.
var handsNames = [...]struct {
	name string
	at   func(*Config) *HandsKind
}{
	{"capture", func(c *Config) *HandsKind { return &c.TwoHands.Capture }},
	{"castling", func(c *Config) *HandsKind { return &c.TwoHands.Castling }},
	{"promotion", func(c *Config) *HandsKind { return &c.TwoHands.Promotion }},
}

var playNames = [...]string{"blitz", "rapid", "classical"}

// fraction returns a row with a number.
func fraction(name, def string, least, most float64, doc string, set func(c *Config, n int64)) key {
	return key{name: name, kind: decimal, def: def, min: int64(least * micro), max: int64(most * micro), doc: doc,
		set: func(c any, v value) { set(cfg(c), v.number) }}
}

// perPlay returns a section with a number for each kind and class of play.
func perPlay(name, doc string, defs [3][3]string, least, most float64, what string, set func(k *HandsKind, play int, n int64)) key {
	k := key{name: name, kind: section, doc: doc}
	for i, h := range handsNames {
		kind := key{name: h.name, kind: section, doc: what + " " + h.name + "."}
		for play, name := range playNames {
			kind.sub = append(kind.sub, fraction(name, defs[i][play], least, most, "In "+name+" play.",
				func(c *Config, n int64) { set(h.at(c), play, n) }))
		}
		k.sub = append(k.sub, kind)
	}
	return k
}

// handsKeys are the rows of two_hands. Defaults: timing notes 3.2 and 3.7, and docs/hands.md for the measurements.
var handsKeys = []key{
	{name: "enabled", kind: boolean, def: "true",
		doc: "Whether captures, castlings and promotions are looked at for the timing of two hands. The rule profile may switch off what follows.",
		set: func(c any, v value) { cfg(c).TwoHands.Enabled = v.yes }},
	perPlay("prior", "How many manipulations are made with two hands, as a share, before anything is known of one.",
		[3][3]string{{"0.005", "0.002", "0.0005"}, {"0.015", "0.005", "0.001"}, {"0.075", "0.02", "0.005"}}, 0.000001, 0.5, "Shares of",
		func(k *HandsKind, play int, n int64) { k.Prior[play] = n }),
	calibration(),
	perPlay("cap", "The largest likelihood ratio that is ever stated: what labelled data have earned (boardwatchd lab).",
		[3][3]string{{"450", "450", "450"}, {"700", "700", "700"}, {"60", "60", "60"}}, 1, 1_000_000, "Caps for",
		func(k *HandsKind, play int, n int64) { k.Cap[play] = ratio(n) }),
	fraction("most", "0.9", 0.01, 1, "No confidence above this is stated.",
		func(c *Config, n int64) { c.TwoHands.Most = n }),
	{name: "advisory", kind: section, doc: alertsInGame + " From this logarithm (nats) on, after calibration and before the cap; 0: never.", sub: []key{
		fraction("capture", "6", 0, 30, "For a capture.", func(c *Config, n int64) { c.TwoHands.Capture.Advisory = n / 1000 }),
		fraction("castling", "6", 0, 30, "For a castling.", func(c *Config, n int64) { c.TwoHands.Castling.Advisory = n / 1000 }),
		{name: "promotion", kind: retired},
	}},
	{name: "time_trouble", kind: retired}, {name: "trouble_factor", kind: retired}, {name: "amber", kind: retired},
}

// alertsInGame is the sentence of the settings about the alerts during a game.
const alertsInGame = "Somebody is asked to look at a castling in every class of play and at a capture in blitz (time_control: 10 minutes or less); " +
	"all else is for the record and for claims."

// calibration returns slope and offset of each kind: one fit for all classes of play, which hardly differ
// (docs/hands.md).
func calibration() key {
	k := key{name: "calibration", kind: section, doc: "What the model's logarithm is worth on generated people, times slope, plus offset (nats), is what is stated."}
	for i, h := range handsNames {
		k.sub = append(k.sub, key{name: h.name, kind: section, doc: "For a " + h.name + ".", sub: []key{
			fraction("slope", [...]string{"1", "1", "1"}[i], 0, 3, "Factor.", func(c *Config, n int64) { h.at(c).Slope = n / 1000 }),
			fraction("offset", [...]string{"0", "0", "0"}[i], -5, 5, "Nats.", func(c *Config, n int64) { h.at(c).Offset = n / 1000 }),
		}})
	}
	return k
}
