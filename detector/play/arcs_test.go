package play

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// guarded are the rows that apply only under a condition.
var guarded = []Arc{
	ArcLater, ArcVictimNext, ArcVictimFirst, ArcReplyBegun, ArcDrag, ArcTakeBack, ArcUnknown, ArcUnknownGap,
}

func TestEveryRowOfTheTable(t *testing.T) {
	names := map[string]Arc{}
	for a := ArcPly; a < arcCount; a++ {
		row := arcs[a]
		if row.name == "" || strings.Trim(row.name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			t.Errorf("row %d: the name %q is none for a machine", a, row.name)
		}
		if old, taken := names[row.name]; taken {
			t.Errorf("rows %d and %d are both named %s", old, a, row.name)
		}
		names[row.name] = a
		if row.source == "" {
			t.Errorf("%v has no source", a)
		}
		if row.cost < 0 {
			t.Errorf("%v costs %d", a, row.cost)
		}
		if is := strings.Contains(row.source, "guard: "); is != slices.Contains(guarded, a) {
			t.Errorf("%v names a guard: %v", a, is)
		}
		if a.String() != row.name {
			t.Errorf("%v is called %s", row.name, a)
		}
	}
	if NoArc.String() != "none" || arcCount.String() != "none" {
		t.Errorf("what is no row is called %s, %s", NoArc, arcCount)
	}
}

// A set of arcs is 64 bits wide.
func TestASetHoldsEveryRow(t *testing.T) {
	for a := ArcPly; a < arcCount; a++ {
		if got := mark(a).Arcs(); !slices.Equal(got, []Arc{a}) {
			t.Errorf("the set of %v holds %v", a, got)
		}
	}
}

// Expensive rows are expensive enough: nobody is accused where one fault of the equipment explains the board.
func TestOffencesAreDearerThanFaults(t *testing.T) {
	for _, dear := range []Arc{ArcOffence, ArcNoMove, ArcPromotionOpen} {
		for _, fault := range []Arc{ArcAir, ArcGhost, ArcMisread, ArcOnWay, ArcVictimFirst, ArcVictimNext, ArcReply, ArcUnpressed, ArcMerged} {
			if dear.cost() <= fault.cost() {
				t.Errorf("%v costs %d, %v %d", dear, dear.cost(), fault, fault.cost())
			}
		}
	}
}

// A row that no code uses explains nothing.
func TestEveryRowIsTaken(t *testing.T) {
	table, err := os.ReadFile("arcs.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var code []byte
	for _, path := range files {
		if path == "arcs.go" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		code = append(code, text...)
	}
	rows := regexp.MustCompile(`(?m)^\t(Arc\w+): +\{`).FindAllSubmatch(table, -1)
	if len(rows) != int(arcCount)-1 {
		t.Fatalf("%d rows are read from arcs.go, not %d", len(rows), arcCount-1)
	}
	for _, row := range rows {
		if !regexp.MustCompile(`\b` + string(row[1]) + `\b`).Match(code) {
			t.Errorf("%s is taken nowhere", row[1])
		}
	}
}
