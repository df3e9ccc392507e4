package report

import (
	"strings"
	"testing"

	"boardwatchd/internal/said"
	"boardwatchd/rules/words"
)

// Health lines can also reveal suspicions, or the actions of a side: an anonymous report leaves them out.
func TestAnonymousHealthAccusesNobody(t *testing.T) {
	for _, c := range []struct {
		what, key   string
		named, told int // lines in the report with names, and in the other
		words       bool
	}{
		{"hands_held", "row.hands_paused", 1, 0, false},
		{"instruction_refused", "row.refused_strikes", 1, 0, false},
		{"claim_noted", "row.claim_noted", 1, 0, false},
		{"report_noted", "row.report_noted", 1, 0, false},
		{"cannot_judge", "row.press_unread", 1, 1, false},
		{"record_broken", "row.press_from_nowhere", 1, 1, false},
		{"clock_missing", "row.clock_missing", 1, 1, true},
	} {
		sentence := words.Say(c.key, 2)
		detail := sentence.In("en")
		for _, anonymous := range []bool{false, true} {
			r := reader{j: &Journal{Board: "1", State: "closed"}, opt: Options{Anonymous: anonymous, Lang: "en"}}
			r.health(said.Any{Brief: said.Brief{What: c.what, Detail: detail}, Say: &sentence})
			r.narrow()
			lines, shown := c.named, true
			if anonymous {
				lines, shown = c.told, c.words
			}
			if len(r.j.Health) != lines {
				t.Errorf("%s, anonymous %t: %d lines, not %d", c.what, anonymous, len(r.j.Health), lines)
			}
			var html, json strings.Builder
			page := Report{Journals: []*Journal{r.j}, Anonymous: anonymous, opt: r.opt}
			if err := page.HTML(&html); err != nil {
				t.Fatal(err)
			}
			if err := page.JSON(&json); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(html.String(), detail) != shown || strings.Contains(json.String(), detail) != shown {
				t.Errorf("%s, anonymous %t: its words are there, or are not: %q", c.what, anonymous, detail)
			}
		}
	}
}

// An offence that has decided a game is no word of an anonymous report; how the others ended is.
func TestAnonymousEndsNameNoOffence(t *testing.T) {
	j := Journal{Board: "1", Games: []Game{{Game: 1, Result: "1-0", By: "illegal.pawn"}, {Game: 2, Result: "0-1", By: "mate"}}}
	j.anonymize()
	if j.Games[0].By != "" || j.Games[0].Result != "1-0" || j.Games[1].By != "mate" {
		t.Errorf("%+v", j.Games)
	}
}
