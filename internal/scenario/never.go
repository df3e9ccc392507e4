package scenario

import (
	"slices"
	"strings"

	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// broken checks the events that a case excludes. An entry is the code of a finding, or one of the phrases of the table.
//
//	CODE                         no finding of that code is shown
//	strike                       no ruling proposes one: strikes_after is the earlier count
//	[automatic] strike for SIDE  the same, for that side
//	forced queen                 no ruling says that the pawn becomes a queen
//	CODE loss                    no finding of that code comes with a decisive result
//	push …                       nothing is alerted at once
//	game cancelled               a wrong array is not alerted at once, and nothing is restored
//	second illegal move …        at most one finding about an illegal move for each side
//	missing press                no finding complains about a press
//
// Other phrases are for people and are not checked. Findings that are withdrawn, or not shown (see Principal), do not
// count.
func broken(c *Case, all []*Finding) (lines []string) {
	var shown []*Finding
	for _, f := range all {
		if f.shown() {
			shown = append(shown, f)
		}
	}
	for _, entry := range c.Expect.Never {
		if f := offender(c, entry, shown); f != nil {
			lines = append(lines, "never "+entry+": got "+f.describe())
		}
	}
	return lines
}

// offender returns the finding that breaks an entry.
func offender(c *Case, entry string, shown []*Finding) *Finding {
	find := func(bad func(f *Finding) bool) *Finding {
		if i := slices.IndexFunc(shown, bad); i >= 0 {
			return shown[i]
		}
		return nil
	}
	code, loss := strings.CutSuffix(entry, " loss")
	switch phrase := strings.TrimPrefix(entry, "automatic "); {
	case findingCode.MatchString(entry):
		return find(func(f *Finding) bool { return string(f.Kind) == entry })
	case loss && findingCode.MatchString(code):
		return find(func(f *Finding) bool { return string(f.Kind) == code && f.Ruling != nil && decisive(f.Ruling.Result) })
	case phrase == "strike" || strings.HasPrefix(phrase, "strike for "):
		whose := strings.TrimPrefix(phrase, "strike for ")
		return find(func(f *Finding) bool { return f.strikes(c, whose) })
	case entry == "forced queen":
		return find(func(f *Finding) bool { return f.Ruling != nil && f.Ruling.Position == "queen" })
	case strings.HasPrefix(entry, "push"):
		return find(func(f *Finding) bool { return f.Alert == "now" })
	case entry == "game cancelled":
		return find(func(f *Finding) bool {
			return f.Kind.Family() == kinds.SetUp && (f.Alert == "now" || f.Ruling != nil && f.Ruling.Position == "restore")
		})
	case strings.HasPrefix(entry, "second illegal move"):
		seen := map[string]bool{}
		return find(func(f *Finding) bool {
			again := f.Kind.Illegal() && seen[f.Side]
			seen[f.Side] = seen[f.Side] || f.Kind.Illegal()
			return again
		})
	case entry == "missing press":
		return find(func(f *Finding) bool { return strings.Contains(string(f.Kind), "press") })
	}
	return nil
}

func decisive(result string) bool { return result == "1-0" || result == "0-1" }

// strikes reports whether the ruling proposes a strike for the side ("White", "Black"; anything else: for either).
func (f *Finding) strikes(c *Case, whose string) bool {
	if f.Ruling == nil {
		return false
	}
	after := f.Ruling.StrikesAfter
	white, black := after.White > c.Strikes.White, after.Black > c.Strikes.Black
	switch strings.ToLower(whose) {
	case legal.White.String():
		return white
	case legal.Black.String():
		return black
	}
	return white || black
}
