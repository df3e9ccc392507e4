package populations

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"boardwatchd/detector"
	"boardwatchd/detector/hands"
	"boardwatchd/internal/research/score"
)

var aboutHands = regexp.MustCompile(`speaks for (one hand|two hands|neither)(.* (\d+) or more were made)?`)

// TestMeasureClaims prints how often the answers to a claim are true, with as many manipulations by one hand as by two
// (docs/hands.md):
//
//	HANDS_CLAIMS=1000 go test ./internal/research/populations -run MeasureClaims -v     (manipulations with one hand, and with two, for each population, kind, pace and scan)
func TestMeasureClaims(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("HANDS_CLAIMS"))
	if n == 0 {
		t.Skip("a measurement: HANDS_CLAIMS=number of handlings with one hand")
	}
	for _, kind := range []hands.Kind{hands.Castling, hands.Capture, hands.Promotion} {
		for at, h := range []hurry{hurries[0], hurries[1], hurries[2]} {
			sum := map[string]*[7][2]int{} // by word: of each population, of the strangers, and of all
			tell := func(who int, two bool, word string) {
				if sum[word] == nil {
					sum[word] = &[7][2]int{}
				}
				sum[word][who][label(two)]++
				sum[word][6][label(two)]++
			}
			for family := range populations() {
				if kind == hands.Promotion && family == 0 {
					continue
				}
				for _, pace := range []Pace{Blitz, Rapid, Classical} {
					for _, ms := range liveScans {
						o := Options{Seed: 800_000, Family: Family(family), Pace: pace, Board: Board{PeriodUS: 1000 * ms}}
						claimed(o, kind, h, n, func(two bool, word string) { tell(family, two, word) })
					}
				}
			}
			for i := range strangers {
				for _, play := range []Pace{Blitz, Rapid, Classical} {
					if kind == hands.Promotion {
						continue
					}
					for _, ms := range liveScans {
						strangers[i].claimed(kind, play, &strangerPaces[at], float64(ms)/1000, n/len(strangers), 11, func(two bool, word string) { tell(5, two, word) })
					}
				}
			}
			for _, word := range []string{"one hand 97", "one hand 95", "one hand 90", "one hand 80", "neither", "two hands 80", "two hands 90", "two hands 95", "two hands 97"} {
				if sum[word] == nil {
					continue
				}
				true1, line := 1, ""
				stated, _ := strconv.ParseFloat(word[strings.LastIndex(word, " ")+1:], 64)
				if strings.HasPrefix(word, "one") {
					true1 = 0
				}
				for i, c := range sum[word] {
					if c[0]+c[1] > 0 {
						s := score.ShareOf(c[true1], c[0]+c[1])
						line += fmt.Sprintf(" %.0f", 100*shareRate(s))
						if 100*s.High < stated {
							line += "!" // fewer were true than stated
						}
						if i == 6 {
							line += fmt.Sprintf(" (%.0f to %.0f) in %d", 100*s.Low, 100*s.High, s.Of)
						}
					} else {
						line += " -"
					}
				}
				t.Logf("%v, %s: %s: of 100 came true%s", kind, h.name, word, line)
			}
		}
	}
}

// claimed lets many people make n manipulations with one hand and n with two, and reports the answer to each.
func claimed(o Options, kind hands.Kind, h hurry, n int, tell func(two bool, word string)) {
	conf, model := detector.DefaultHands(), hands.Standard()
	for done := 0; done < 2*n; {
		s := sitAmong(o)
		o.Seed++
		sensor, tempo := s.knownIn(h)
		for range 40 {
			two := done%2 == 1
			x := s.Do(kind, two)
			done++
			j := detector.HandsJudged{Judgement: model.Judge(&x.Handling, sensor, tempo.Pace(h.short))}
			if !j.Known {
				continue
			}
			tell(two, meant(&j, &conf, o.Pace))
		}
	}
}

// meant returns the answer to a claim.
func meant(j *detector.HandsJudged, conf *detector.Hands, play Pace) string {
	said := conf.State(&j.Judgement, play)
	j.Stated, j.Against = said.Ratio, said.Against
	m := aboutHands.FindStringSubmatch(j.Meaning().String())
	return strings.TrimSpace(m[1] + " " + m[3])
}
