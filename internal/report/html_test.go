package report

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

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
		heads := regexp.MustCompile(`<th[^>]*>([^<]+)</th>`).FindAllStringSubmatch(html.String(), -1)
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
