package lab

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"boardwatchd/detector"
	detect "boardwatchd/detector/hands"
	"boardwatchd/internal/hands"
)

var kinds = []detect.Kind{detect.Capture, detect.Castling, detect.Promotion}

// lines is what may be pasted into the configuration (internal/config, handsKeys): what was earned and fitted, and the
// thresholds at which it was. What has earned nothing is left as it is, and says so.
func (r Report) lines() string {
	if len(r.Groups) == 0 {
		return ""
	}
	var caps, fits []string
	for _, kind := range kinds {
		earned := map[string]float64{}
		for _, g := range r.Groups {
			switch {
			case g.kind != kind:
			case g.Class != "all":
				earned[g.Class] = g.Earned
			case g.HeldOut:
				fits = append(fits, fmt.Sprintf("%s: {slope: %g, offset: %g}", kind, within(g.Slope, 0, 3), within(g.Offset, -5, 5)))
			default:
				fits = append(fits, fmt.Sprintf("# %s: as configured", kind))
			}
		}
		if len(earned) > 0 {
			caps = append(caps, capLines(kind.String(), earned)...)
		}
	}
	var b bytes.Buffer
	if r.Generated != "" || slices.ContainsFunc(r.Recordings, func(l SensorLine) bool { return l.Made != "" }) {
		b.WriteString("# earned by generated people: not for a tournament\n")
	}
	b.WriteString("two_hands:\n")
	part(&b, "cap", "of the likelihood ratio, earned by labelled data", caps)
	b.WriteString(r.mostLine())
	part(&b, "calibration", "of the model's log ratio, in nats", fits)
	part(&b, "advisory", "unchanged: the figures above hold at these thresholds", r.levels(func(c *detector.HandsClass) int32 { return c.Advisory }))
	part(&b, "amber", "unchanged", r.levels(func(c *detector.HandsClass) int32 { return c.Amber }))
	return b.String()
}

// part is a section; one in which nothing stands but remarks is a remark too: the configuration takes no empty sections.
func part(b *bytes.Buffer, name, doc string, list []string) {
	lead := ""
	if !slices.ContainsFunc(list, func(s string) bool { return !strings.HasPrefix(s, "#") }) {
		lead = "# "
	}
	fmt.Fprintf(b, "  %s%s: # %s\n", lead, name, doc)
	for _, l := range list {
		fmt.Fprintf(b, "    %s\n", l)
	}
}

func (r Report) levels(of func(*detector.HandsClass) int32) (list []string) {
	for _, kind := range kinds {
		list = append(list, fmt.Sprintf("%s: %g", kind, float64(of(&r.conf.Of(kind).Play[detector.BlitzPlay]))/1000))
	}
	return list
}

// The limits of internal/config: what lies beyond is no better.
const mostCap = 1_000_000

// within is v with two decimals, and no minus before a zero.
func within(v, low, high float64) float64 { return math.Round(100*min(max(v, low), high))/100 + 0 }

func capLines(kind string, earned map[string]float64) (lines []string) {
	if _, ok := earned["rapid"]; !ok && len(earned) == 2 {
		earned["rapid"] = min(earned["blitz"], earned["classical"]) // nobody was asked to play at that speed
	}
	var parts, none []string
	for _, class := range []string{hands.Blitz.String(), hands.Rapid.String(), hands.Classical.String()} {
		switch v, ok := earned[class]; {
		case !ok:
		case v > 1:
			parts = append(parts, fmt.Sprintf("%s: %.1f", class, min(max(math.Floor(v*10)/10, 1), mostCap))) // a cap is not rounded up
		default:
			none = append(none, class)
		}
	}
	if len(parts) > 0 {
		lines = append(lines, fmt.Sprintf("%s: {%s}", kind, strings.Join(parts, ", ")))
	}
	if len(none) > 0 {
		lines = append(lines, fmt.Sprintf("# %s, %s: nothing earned; as configured", kind, strings.Join(none, ", ")))
	}
	return lines
}
