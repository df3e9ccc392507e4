package detector

import (
	"strings"
	"testing"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/words"
	"boardwatchd/rules/words/wordstest"
)

// What is said of the timing is put together of words of package hands: each of them has a text.
func TestEveryWordOfTheTimingHasAText(t *testing.T) {
	said := func(s words.Sentence) {
		t.Helper()
		if wrong := wordstest.Faults(s); len(wrong) > 0 {
			t.Errorf("%s: %s", s, strings.Join(wrong, "; "))
		}
	}
	for kind := hands.Capture; kind <= hands.Promotion; kind++ {
		for why := hands.Spoke; why <= hands.NotThisKind; why++ {
			said((&HandsJudged{Judgement: hands.Judgement{Kind: kind, Abstain: why}}).Meaning())
		}
		for _, stated := range []int32{0, 3000} {
			said((&HandsJudged{Judgement: hands.Judgement{Known: true, Kind: kind}, Stated: stated, Against: stated}).Meaning())
		}
	}
	for order := hands.UnknownOrder; order <= hands.Batch; order++ {
		for verdict := ScanNew; verdict <= HandsBlind; verdict++ {
			s := ScanKnown{Sensor: hands.Sensor{PeriodUS: 225_000, Order: order, Fit: 990, Moves: 20}, Verdict: verdict}
			said(s.Detail())
			said(s.Hands())
		}
	}
	said(HandsHeld{Held: true}.Detail())
}
