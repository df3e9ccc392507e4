package scenario

import (
	"slices"
	"strings"
	"testing"

	"boardwatchd/internal/said"
)

// expectation reads one `expect` in the notation of a file.
func expectation(t *testing.T, expect string) *Case {
	t.Helper()
	src := strings.Replace(oneCase, "{finding: none, ruling: free text, completed: true}", expect, 1)
	f, err := Read("a.yaml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if p := f.Cases[0].Problems; len(p) > 0 {
		t.Fatal(p)
	}
	return &f.Cases[0]
}

// answered returns a finding and its ruling, all as for an ordinary illegal move.
func answered() *Finding {
	return &Finding{
		Any: said.Any{
			Brief: said.Brief{
				ID: "7:illegal.knight", Kind: "illegal.knight", Side: "white", State: "confirmed", Proof: "certain", Alert: "now",
			},
			Articles: []string{"3.6", "7.5.1"},
		},
		Ruling: &Ruling{Any: said.Any{
			Brief: said.Brief{
				Kind: illegalMove, Position: "restore", MustPlay: []string{"Nh4", "Nd4"}, StrikesAfter: said.Sides{White: 1},
			},
			PositionFEN: "F", Bonus: said.Given{Black: 120}, TakeBack: said.Given{White: 30}, RunClock: "white",
		}},
	}
}

const asAnswered = `{finding: illegal.knight, kind: illegal_move, by: W, proof: certain, alert: now, articles: "7.5.1, 7.5.5", window: open until the end,
    position: restore, position_fen: F, must_play: "touched: Nd4, Nh4", bonus: {B: 120}, take_back_increment: {W: 30}, run_clock: W,
    strikes_after: {W: 1, B: 0}, result: none, never: [illegal.rook, strike for Black]}`

func TestEachDifferenceIsOneLine(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(f *Finding)
		want   string
	}{
		{"none", func(*Finding) {}, ""},
		{"kind of finding", func(f *Finding) { f.Kind = "illegal.rook" }, "finding: expected illegal.knight, got illegal.rook by white (confirmed, now, illegal_move)|never illegal.rook: got illegal.rook by white (confirmed, now, illegal_move)"},
		{"side", func(f *Finding) { f.Side = "black" }, "by: expected white, got black"},
		{"no side", func(f *Finding) { f.Side = "" }, "by: expected white, got none"},
		{"proof", func(f *Finding) { f.Proof = "hint" }, "proof: expected certain, got hint"},
		{"alert", func(f *Finding) { f.Alert = "log" }, "alert: expected now, got log"},
		{"articles", func(f *Finding) { f.Articles = []string{"3.6"} }, "articles: expected one of [7.5.1, 7.5.5], got [3.6]"},
		{"window", func(f *Finding) { f.State = expired }, "window: expected open, got a finding that is expired"},
		{"kind of ruling", func(f *Finding) { f.Ruling.Kind = "fact" }, "kind: expected illegal_move, got fact"},
		{"position", func(f *Finding) { f.Ruling.Position = "" }, "position: expected restore, got none"},
		{"position to set up", func(f *Finding) { f.Ruling.PositionFEN = "G" }, "position_fen: expected F, got G"},
		{"moves", func(f *Finding) { f.Ruling.MustPlay = nil }, "must_play: expected [Nd4, Nh4], got []"},
		{"bonus", func(f *Finding) { f.Ruling.Bonus = said.Given{} }, "bonus: expected {black: 120}, got {}"},
		{"increment", func(f *Finding) { f.Ruling.TakeBack.Black = 30 }, "take_back_increment: expected {white: 30}, got {white: 30, black: 30}"},
		{"clock", func(f *Finding) { f.Ruling.RunClock = "black" }, "run_clock: expected white, got black"},
		{"result", func(f *Finding) { f.Ruling.Result = "0-1" }, "result: expected none, got 0-1"},
		{"strikes", func(f *Finding) { f.Ruling.StrikesAfter.Black = 1 }, "strikes_after: expected {white: 1}, got {white: 1, black: 1}|never strike for Black: got illegal.knight by white (confirmed, now, illegal_move)"},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := answered()
			row.change(f)
			got := Compare(expectation(t, asAnswered), []string{"ok"}, f, []*Finding{f})
			if strings.Join(got, "|") != row.want {
				t.Errorf("%q\nwant %q", got, row.want)
			}
		})
	}
}

func TestPressesAndNothing(t *testing.T) {
	f := answered()
	c := expectation(t, "{finding: none}")
	for _, row := range []struct {
		c       *Case
		presses []string
		f       *Finding
		want    string
	}{
		{c, []string{"ok"}, nil, ""},
		{c, []string{"ok2"}, nil, "press_results: expected [ok], got [ok2]"},
		{c, nil, nil, "press_results: expected [ok], got []"},
		{c, []string{"ok"}, f, "finding: expected none, got illegal.knight by white (confirmed, now, illegal_move)"},
		{expectation(t, asAnswered), []string{"ok"}, nil, "finding: expected illegal.knight, got none"},
	} {
		if got := strings.Join(Compare(row.c, row.presses, row.f, nil), "|"); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}

func TestWhatMustNeverHappen(t *testing.T) {
	made := func(change func(*Finding)) *Finding {
		f := answered()
		change(f)
		return f
	}
	for _, row := range []struct {
		entry     string
		bad, good *Finding
	}{
		{"illegal.knight", answered(), made(func(f *Finding) { f.State = withdrawn })},
		{"illegal.knight", answered(), made(func(f *Finding) { f.Alert, f.Ruling.Kind = "log", noKind })},
		{"strike", answered(), made(func(f *Finding) { f.Ruling.StrikesAfter = said.Sides{} })},
		{"automatic strike for White", answered(), made(func(f *Finding) { f.Ruling.StrikesAfter = said.Sides{Black: 1} })},
		{"strike for Black", made(func(f *Finding) { f.Ruling.StrikesAfter = said.Sides{Black: 1} }), answered()},
		{"forced queen", made(func(f *Finding) { f.Ruling.Position = "queen" }), answered()},
		{"clock.flag loss", made(func(f *Finding) { f.Kind, f.Ruling.Result = "clock.flag", "0-1" }), made(func(f *Finding) { f.Kind, f.Ruling.Result = "clock.flag", "1/2-1/2" })},
		{"push alert", answered(), made(func(f *Finding) { f.Alert = "advise" })},
		{"push accusation", answered(), made(func(f *Finding) { f.Alert = "log" })},
		{"game cancelled", made(func(f *Finding) { f.Kind = "setup.wrong_array" }), made(func(f *Finding) { f.Kind, f.Alert, f.Ruling.Position = "setup.wrong_array", "log", "" })},
		{"missing press", made(func(f *Finding) { f.Kind = "irreg.press_before_done" }), answered()},
		{"a phrase for people", nil, answered()},
	} {
		c := expectation(t, "{finding: none, never: ["+row.entry+"]}")
		if row.bad != nil && len(broken(c, []*Finding{row.bad})) != 1 {
			t.Errorf("%s: %s is allowed", row.entry, row.bad.describe())
		}
		if got := broken(c, []*Finding{row.good}); len(got) != 0 {
			t.Errorf("%s: %v", row.entry, got)
		}
	}
	c := expectation(t, "{finding: none, never: [second illegal move for Nd4]}")
	other := made(func(f *Finding) { f.Side = "black" })
	if got := broken(c, []*Finding{answered(), other}); len(got) != 0 {
		t.Errorf("one for each side: %v", got)
	}
	if got := broken(c, []*Finding{answered(), other, answered()}); len(got) != 1 {
		t.Errorf("two for one side: %v", got)
	}
}

func TestArticleNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"3.6, 3.10.2, 7.5.1":                  "3.6 3.10.2 7.5.1",
		"7.5.5 last sentence":                 "7.5.5",
		"A.5.2, 7.5.1; 4.8 concerns only 4.1": "A.5.2 7.5.1 4.8 4.1",
		"US 11A, 10, 11D":                     "11A 10 11D",
		"US 8F7, 9D":                          "8F7 9D",
		"Blitz 7c, 7d, 14":                    "7c 7d 14",
		"draft A.4.2.1 (never in force)":      "A.4.2.1",
		"AM 2025 note to 7.5.5":               "7.5.5",
		"WBCA (source 003)":                   "",
		"none (DGT convention)":               "",
		"3.7.1-3.7.3":                         "3.7.1 3.7.3",
	} {
		if got := strings.Join(articleNumbers(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestMustPlay(t *testing.T) {
	for text, want := range map[string][]string{
		"touched piece f3: Nh4, Nd4":        {"Nd4", "Nh4"},
		"no legal move: any legal move (4)": nil,
	} {
		if got, definite := mustPlay(text); !definite || !slices.Equal(got, want) {
			t.Errorf("%q: %v", text, got)
		}
	}
	if _, definite := mustPlay("as the arbiter says"); definite {
		t.Error("prose is taken for moves")
	}
}
