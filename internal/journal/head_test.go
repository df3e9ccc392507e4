package journal

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/internal/record"
)

const someChain = "8c6aaa57f88b8c482aa2d218286bb69f"

func TestHeadsAreReadAsPeopleNoteThem(t *testing.T) {
	for _, row := range []struct {
		text    string
		seq     record.Seq
		journal string
	}{
		{"644:" + someChain, 644, ""},
		{"644: 8c6a aa57 f88b 8c48 2aa2 d218 286b b69f", 644, ""},
		{"  12\u202f644 : 8C6A AA57\u00a0F88B8C48 2AA2D218 286BB69F\t", 12644, ""},
		{someChain, 0, ""},
		{someChain + " board-12-r1", 0, "board-12-r1"},
		{"644:" + someChain + " 12-r1  # board 12, 2026-11-23 10:31", 644, "12-r1"},
		{"644:" + someChain + " abcdef", 644, "abcdef"},
		{"644:" + someChain + " Brett_Ä", 644, "Brett_Ä"},
	} {
		h, err := ParseHead(row.text)
		if err != nil || h.Seq != row.seq || h.Journal != row.journal || h.Chain.String() != someChain {
			t.Errorf("%q: %+v, %v", row.text, h, err)
		}
		if again, err := ParseHead(h.String() + " " + h.Journal); err != nil || again != h {
			t.Errorf("%q, written and read again: %+v, %v", row.text, again, err)
		}
	}
	for _, text := range []string{
		"", ":", "644", "644:", "0:" + someChain, "-1:" + someChain, "+1:" + someChain, "1.5:" + someChain, "99999999999999999999:" + someChain,
		"644:" + someChain[1:], "644:" + someChain + "0", "644:" + strings.Replace(someChain, "8", "g", 1), "x:" + someChain,
		"644:" + someChain + "journal", "644:" + someChain + " a.b", "644:" + someChain + " two names", "# " + someChain,
	} {
		if h, err := ParseHead(text); !errors.Is(err, errNoHead) {
			t.Errorf("%q is %+v, %v", text, h, err)
		}
	}
}

func FuzzParseHead(f *testing.F) {
	f.Add("644: 8c6a aa57 f88b 8c48 2aa2 d218 286b b69f 12-r1 # board 12")
	f.Fuzz(func(t *testing.T, text string) {
		h, err := ParseHead(text)
		if err != nil {
			return
		}
		if again, err := ParseHead(h.String() + " " + h.Journal); err != nil || again != h {
			t.Errorf("%q is %+v, and written and read again %+v, %v", text, h, again, err)
		}
	})
}

// The head is that of the newest record on the disk; records in memory are not claimed.
func TestTheHeadIsOnTheDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk(1)
		disk.failFrom, disk.failCount = 1, 1<<30
		w := start(t, disk, Options{})
		appendOne(t, w, 1)
		time.Sleep(time.Minute)
		if h := w.Head(); h != (Head{}) {
			t.Errorf("nothing is on the disk, and the head is %v", h)
		}
		disk.set(func() { disk.failFrom = 0 })
		time.Sleep(time.Minute)
		seq := appendOne(t, w, 2)
		if err := w.WaitDurable(context.Background(), seq); err != nil {
			t.Fatal(err)
		}
		h := w.Head()
		if h.Seq < seq || h.Journal != "b" {
			t.Errorf("record %d is on the disk, and the head is %v of %s", seq, h, h.Journal)
		}
		disk.set(func() { disk.failFrom, disk.failCount = disk.calls+1, 1<<30 })
		appendOne(t, w, 3)
		time.Sleep(time.Minute)
		if now := w.Head(); now != h {
			t.Errorf("the disk takes nothing, and the head went from %v to %v", h, now)
		}
		disk.set(func() { disk.failFrom = 0 })
		if err := w.Close(4, "stop"); err != nil {
			t.Fatal(err)
		}
		chains := chainsOf(t, disk)
		if end := w.Head(); chains[h.Seq] != h.Chain || chains[end.Seq] != end.Chain || int(end.Seq) != len(chains) {
			t.Errorf("heads %v and %v; the journal has %v", h, end, chains)
		}
	})
}

// chainsOf reads the chain of each record.
func chainsOf(t *testing.T, disk *simDisk) map[record.Seq]record.Chain {
	t.Helper()
	r, err := disk.open("b")
	if err != nil {
		t.Fatal(err)
	}
	all := map[record.Seq]record.Chain{}
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all[rec.Seq] = r.Last().Chain
	}
}
