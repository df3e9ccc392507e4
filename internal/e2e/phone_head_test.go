//go:build linux

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// apiHead is where a board's journal stands on the disk.
type apiHead struct {
	Board, Journal, Chain string
	Seq                   int64
}

// String is what a person notes.
func (h apiHead) String() string { return fmt.Sprintf("%d:%s", h.Seq, h.Chain) }

func (h *handset) head(t testing.TB) apiHead {
	t.Helper()
	var a struct{ Heads []apiHead }
	h.ask(t, "GET", "/api/v1/heads", nil, &a)
	if len(a.Heads) != 1 || a.Heads[0].Board != boardName {
		t.Fatalf("heads %+v", a.Heads)
	}
	return a.Heads[0]
}

// wantHead fails unless verify says this about heads and ends with the status.
func (v *venue) wantHead(t *testing.T, status int, says string, args ...string) {
	t.Helper()
	r := v.run(t, "", append([]string{"verify"}, args...)...)
	if r.status != status || !strings.Contains(r.out+r.err, says) {
		t.Errorf("verify %q: exit status %d, want %d and the words %q\n%s%s", args, r.status, status, says, clip(r.out), clip(r.err))
	}
}

// TestPhoneHeadsTellACutAndAForgedJournal: the head of an answer, or one that was asked for, shows later that records
// were cut off, or written anew with good checksums and chain. verify alone finds such a journal equal.
func TestPhoneHeadsTellACutAndAForgedJournal(t *testing.T) {
	long(t)
	t.Parallel()
	v := openVenue(t, "")
	ann := v.pair(t, "Ann")
	item := ann.awaitConfirmed(t)
	early := ann.head(t) // of an arbiter who decides nothing
	said := report("other-hand", "white")
	said.body["note"] = "the left one"
	ann.tell(t, said)
	d, ruled := ann.rule(t, item, "confirm")
	again := ann.tell(t, d)
	for _, h := range []apiHead{ruled.Head, again.Head} {
		if h.Journal != journalName || h.Seq < ruled.Seq || len(h.Chain) != 32 {
			t.Fatalf("saved as record %d, with the head %+v", ruled.Seq, h)
		}
	}
	v.kill()

	l := mustRead(t, v.state(), journalName)
	whole, late := segmentPath(v.state(), journalName, 1), ruled.Head.String()
	v.wantHead(t, 0, "holds head "+late+": record ", "--head", late, whole)
	v.wantHead(t, 0, "holds head "+early.String(), whole, "--head", early.String()+" "+early.Journal, "--head", ruled.Head.Chain)
	spoken := fmt.Sprintf("%d : %s %s", ruled.Head.Seq, ruled.Head.Chain[:16], strings.ToUpper(ruled.Head.Chain[16:]))
	v.wantHead(t, 0, "holds head "+late, "--head", spoken, whole)
	file := v.write(t, "heads.txt", fmt.Sprintf("# of my phone\n%s %s # board 1, 2026-11-23 10:31:05\n\n%s %s\n", late, journalName, early, journalName))
	v.wantHead(t, 0, "holds head "+early.String(), "--head", file, whole)

	// Other journals, and slips of the pen.
	v.wantHead(t, 1, "is of the journal 7-r1, which is not among the files", "--head", strings.Repeat("7", 32)+" 7-r1", whole)
	v.wantHead(t, 2, "they were mistyped", "--head", fmt.Sprintf("%d:%s%c", ruled.Head.Seq, ruled.Head.Chain[:31], otherDigit(ruled.Head.Chain[31])), whole)
	v.wantHead(t, 2, "not a head", "--head", late[:len(late)-1], whole)

	v.cutAfter(t, l, early, late)
	v.forgedHeads(t, l, early, late)
}

func otherDigit(c byte) rune {
	if c == '0' {
		return '1'
	}
	return '0'
}

// cutAfter cuts the end of the journal off: verify says equal, and the head tells.
func (v *venue) cutAfter(t *testing.T, l ledger, early apiHead, late string) {
	path := v.write(t, "cut.bwj", string(forge(l.entries[:early.Seq])))
	v.run(t, "", "verify", path).want(t, 0)
	v.wantHead(t, 0, "holds head "+early.String(), "--head", early.String(), path)
	v.wantHead(t, 3, fmt.Sprintf("ends with record %d", early.Seq), "--head", late, path)
	v.wantHead(t, 3, "records are missing at its end", "--head", late+" "+journalName, path)
}

// forgedHeads lets a report have another note, and writes everything after it anew with good checksums and chain.
func (v *venue) forgedHeads(t *testing.T, l ledger, early apiHead, late string) {
	changed := slices.Clone(l.entries)
	const note = `"note":"n-`
	n := slices.IndexFunc(changed, func(e entry) bool { return e.kind == "instruct" && strings.Contains(e.body, note) })
	if n < 0 {
		t.Fatal("the journal has no report with a note")
	}
	before, id, _ := strings.Cut(changed[n].body, note)
	changed[n].body = before + note + string(otherDigit(id[0])) + id[1:]
	if err := os.Mkdir(v.path("forged"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := v.write(t, filepath.Join("forged", journalName+".bwj"), string(forge(changed)))
	v.run(t, "", "verify", path).want(t, 0)
	v.wantHead(t, 0, "holds head "+early.String(), "--head", early.String(), path)
	v.wantHead(t, 5, "never held head "+late, "--head", late, path)
	v.wantHead(t, 5, fmt.Sprintf("at or before that record, after record %d", early.Seq), "--head", late, "--head", early.String(), path)

	r := v.run(t, "", "verify", "--format", "jsonl", "--head", late+" "+journalName, path, segmentPath(v.state(), journalName, 1)).want(t, 5)
	var lines []map[string]any
	for line := range strings.Lines(r.out) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		lines = append(lines, o)
	}
	if len(lines) != 4 || lines[0]["verdict"] != "equal" || lines[2]["state"] != "changed" || lines[3]["state"] != "held" || lines[3]["type"] != "head" {
		t.Errorf("a forged copy and the journal itself:\n%s", r.out)
	}
}
