package report

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"boardwatchd/internal/said"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/words"
)

// TestHeadsOfTablesBeginAlike: in every language the words at the head of a table begin with a capital letter, where
// its script has any.
func TestHeadsOfTablesBeginAlike(t *testing.T) {
	for _, lang := range words.Languages() {
		r := Report{Journals: []*Journal{{Board: "1", State: "closed", Games: []Game{{Board: "1", Game: 1}}}}, opt: Options{Lang: lang}}
		var html strings.Builder
		if err := r.HTML(&html); err != nil {
			t.Fatal(err)
		}
		heads := regexp.MustCompile(`<th[^>]*>([^<]+)<(?:/th|br)>`).FindAllStringSubmatch(html.String(), -1)
		if len(heads) < 8 {
			t.Fatalf("%s: the heads of the table are %q", lang, heads)
		}
		for _, head := range heads {
			if first, _ := utf8.DecodeRuneInString(head[1]); unicode.IsLower(first) {
				t.Errorf("%s: %q begins with a small letter", lang, head[1])
			}
		}
	}
}

// TestTheProgramOfACapture: a capture states no version of the program, and the report has no blank in its place.
func TestTheProgramOfACapture(t *testing.T) {
	for version, want := range map[string]string{"": "boardwatchd, core 12", "0.1.0": "boardwatchd 0.1.0, core 12"} {
		j := &Journal{Board: "1", State: "capture", Core: []string{"12"}}
		if version != "" {
			j.Software = []string{version}
		}
		r := Report{Journals: []*Journal{j}, opt: Options{Lang: "en"}}
		var html strings.Builder
		if err := r.HTML(&html); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(html.String(), want) {
			t.Errorf("no %q for the version %q", want, version)
		}
	}
}

// TestAnEndHasOnePosition: of a mate there is no position before and none at a press, but the one in which the game
// ended. What was found before the first move has no number of a move.
func TestAnEndHasOnePosition(t *testing.T) {
	const mate, before = "3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 1 33", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 33"
	for _, c := range []struct {
		kind        string
		ply         int
		before, at  string
		have, never []string
	}{
		{"end.checkmate", 65, mate, mate, []string{"<figcaption>Position<", "33. Checkmate"}, []string{"<figcaption>Before<", "<figcaption>At the press<"}},
		{"illegal.no_move", 65, before, before, []string{"<figcaption>Before<", "<figcaption>At the press<"}, []string{"<figcaption>Position<"}},
		{"end.result_signal", 0, before, mate, []string{"<figcaption>Before<", "<figcaption>At the press<"}, []string{"0…"}},
	} {
		f := Finding{Board: "1", Game: 1, Open: true, f: said.Finding{Kind: kinds.Kind(c.kind), Ply: c.ply, FENBefore: &c.before, FENAt: &c.at, State: "confirmed"}}
		r := Report{Journals: []*Journal{{Board: "1", State: "closed", Findings: []Finding{f}}}, opt: Options{Lang: "en"}}
		var html strings.Builder
		if err := r.HTML(&html); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.have {
			if !strings.Contains(html.String(), want) {
				t.Errorf("%s: no %q", c.kind, want)
			}
		}
		for _, wrong := range c.never {
			if strings.Contains(html.String(), wrong) {
				t.Errorf("%s: %q", c.kind, wrong)
			}
		}
	}
}
