package detector

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardwatchd/rules"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// The stories in testdata/wanted-*.txt are known failures: reports that the detector should make and does not make yet.
// Below their line is a summary, because only the findings and their sides are settled today, not their times. See
// summary. A line of the comment that begins with "# today: " shows the differences: "-" is missing, "+" is too much.
// With -update it is written anew.
//
// A story that the detector reports as wanted fails: it is then moved to the ordinary files, with its exact words.

// wantedPrefix begins the names of these files.
const wantedPrefix = "wanted-"

// ordinaryFiles are the files of stories that the detector reports exactly.
func ordinaryFiles(t *testing.T) (files []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(all, func(path string) bool { return strings.HasPrefix(filepath.Base(path), wantedPrefix) })
	if len(files) == 0 {
		t.Fatal("no stories")
	}
	return files
}

// summary returns the final reports, one fact a line and without times: the presses in their order ("press white
// illegal.knight"; every press that is in order is "ok"), the plies of the record as they were last reported ("ply 3
// white Nf3"), the findings that were confirmed and not withdrawn ("found illegal.knight white ply 3") without the
// hints that a touched piece gives, and the result. Facts that the outcomes cannot express yet are written so: "ply 3
// white f3d5 illegal.knight" for an illegal move that became a ply, "plies 3 to 5 not known" for a span of them.
// "record has ply 6 in time" answers the verb ply: a record that is more than one ply behind for more than two seconds
// is of no use to an arbiter.
func summary(outcomes []Outcome) (lines []string) {
	record := map[int]string{}
	found := map[string]Found{}
	var order []string
	result := ""
	for _, o := range outcomes {
		switch o := o.(type) {
		case Pressed:
			judged, _, _ := strings.Cut(o.Judged, "+")
			if strings.HasPrefix(judged, "ok") {
				judged = "ok"
			}
			lines = append(lines, fmt.Sprintf("press %s %s", o.Side, judged))
		case Moved:
			record[o.Ply] = fmt.Sprintf("ply %d %s %s", o.Ply, o.Before.Turn(), o.Before.SAN(o.Move))
		case IllegalMoveStands:
			_, kind, _ := strings.Cut(o.Finding, ":")
			uci := o.UCI
			if uci == "" {
				uci = "null"
			}
			record[o.Ply] = fmt.Sprintf("ply %d %s %s %s", o.Ply, o.Side, uci, kind)
		case NotKnown:
			record[o.From] = fmt.Sprintf("plies %d to %d not known", o.From, o.To)
		case TakenBack:
			maps.DeleteFunc(record, func(ply int, _ string) bool { return ply > o.Ply })
		case Found:
			if _, known := found[o.ID]; !known {
				order = append(order, o.ID)
			}
			found[o.ID] = o
		case Result:
			if result = ""; o.State == Proposed {
				result = fmt.Sprintf("result %s by %s", o.Result, o.By)
			}
		}
	}
	for _, ply := range slices.Sorted(maps.Keys(record)) {
		lines = append(lines, record[ply])
	}
	for _, id := range order {
		f := found[id]
		if f.State != rules.Confirmed || f.Proof == rules.Hint && strings.HasPrefix(string(f.Kind), "irreg.") || f.Kind.Family() == kinds.End {
			continue
		}
		who := ""
		if f.Side != legal.NoSide {
			who = " " + f.Side.String()
		}
		lines = append(lines, fmt.Sprintf("found %s%s ply %d", f.Kind, who, f.Ply))
	}
	if result != "" {
		lines = append(lines, result)
	}
	return lines
}

// differences lists the lines that are in one list only, in order.
func differences(got, want []string) (list []string) {
	count := map[string]int{}
	for _, l := range got {
		count[l]++
	}
	for _, l := range want {
		if count[l]--; count[l] < 0 {
			list = append(list, "-"+l)
		}
	}
	for _, l := range slices.Backward(got) {
		if count[l] > 0 {
			count[l]--
			list = append(list, "+"+l)
		}
	}
	return list
}

// today returns the story's comment with what differs today, in lines of some length.
func (s *story) today(differ []string) (comment []string) {
	for _, l := range s.comment {
		if !strings.HasPrefix(l, "# today:") {
			comment = append(comment, l)
		}
	}
	line := "# today:"
	for i, d := range differ {
		if len(line)+len(d) > 118 {
			comment, line = append(comment, line), "# today:"
		}
		if line += " " + d; i+1 < len(differ) {
			line += ";"
		}
	}
	return append(comment, line)
}

func TestWantedStories(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", wantedPrefix+"*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		var text strings.Builder
		for _, s := range readStories(t, path) {
			tb := newTable()
			if _, err := s.tellAt(tb); err != nil {
				t.Fatalf("%s:%d: %v", path, s.line, err)
			}
			got, want := append(summary(tb.outcomes), tb.looks...), strings.Split(strings.TrimSpace(s.want), "\n")
			differ := differences(got, want)
			if *update {
				if text.Len() > 0 {
					text.WriteByte('\n')
				}
				fmt.Fprintf(&text, "%s\n%s\n----\n%s", strings.Join(s.today(differ), "\n"), strings.Join(s.input, "\n"), s.want)
			}
			t.Run(filepath.Base(path)+"/"+s.name(), func(t *testing.T) {
				switch {
				case s.want == "" || len(s.input) == 0:
					t.Error("a story without an input or without an end")
				case len(differ) == 0:
					t.Errorf("%s:%d: this is told as wanted now: move it to the ordinary stories", path, s.line)
				case !*update && !slices.ContainsFunc(s.comment, func(l string) bool { return strings.HasPrefix(l, "# today: ") }):
					t.Errorf("%s:%d: the comment does not say what differs today", path, s.line)
				default:
					t.Logf("known failure: %s", strings.Join(differ, "; "))
				}
			})
		}
		if *update {
			writeStories(t, path, text.String())
		}
	}
}
