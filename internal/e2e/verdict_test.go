//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// watched makes a journal: the program watches a recorded game through a port,
// a few messages at a time, and is asked to stop.
func watched(t *testing.T, w place) ledger {
	t.Helper()
	p := newPort(t)
	d := w.daemon(t, w.configure(t, p.path, calm))
	d.err.await(t, "board connected")
	sent := 0
	for some := range slices.Chunk(wire(t, recorded[0].name), 8) {
		for _, m := range some {
			p.put(t, m)
			sent += len(m)
		}
		w.awaitLedger(t, "all bytes", func(l ledger) bool { return l.received() >= sent })
	}
	d.out.await(t, recorded[0].last)
	w.awaitLedger(t, "a command to the board", func(l ledger) bool {
		return slices.ContainsFunc(l.entries, func(e entry) bool { return e.kind == "tx" })
	})
	d.stopped(t)
	return mustRead(t, w.state(), journalName)
}

// verdict writes a journal of one file, has it verified, and fails unless the
// status is as wanted and the file is untouched.
func (p place) verdict(t *testing.T, what string, journal []byte, status int, says ...string) result {
	t.Helper()
	path := p.path("case.bwj")
	if err := os.WriteFile(path, journal, 0o644); err != nil {
		t.Fatal(err)
	}
	r := p.run(t, "", "verify", path)
	if r.status != status || !containsAll(r.out+r.err, says) {
		t.Fatalf("%s: exit status %d, want %d and the words %q\n%s%s", what, r.status, status, says, clip(r.out), clip(r.err))
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, journal) {
		t.Fatalf("%s: verify changed the file (%v)", what, err)
	}
	return r
}

// TestVerdicts: what verify says to a journal that is whole, cut, flipped or
// forged. The verdicts and their statuses are the contract's.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	l := watched(t, w)
	whole := l.files[0]

	w.verdict(t, "the journal itself", whole, 0, "equal", "closed")
	if !bytes.Equal(forge(l.entries), whole) {
		t.Fatal("this reader does not write what it has read")
	}
	t.Run("a flipped bit", func(t *testing.T) { flipped(t, newPlace(t), whole) })
	t.Run("a cut tail", func(t *testing.T) { cutTail(t, newPlace(t), whole) })
	t.Run("read on", func(t *testing.T) { readOn(t, newPlace(t), whole) })
	t.Run("forged", func(t *testing.T) { forged(t, newPlace(t), l.entries) })
	t.Run("gone on with after damage", func(t *testing.T) { goneOn(t, newPlace(t), whole) })
}

// flipped: one bit anywhere is damage.
func flipped(t *testing.T, w place, whole []byte) {
	flips := 12
	if os.Getenv("BOARDWATCHD_E2E_KILLS") != "" { // .ci/long
		flips = 500
	}
	rng := rand.New(rand.NewPCG(8, 8))
	for range flips {
		n, bit := rng.IntN(len(whole)), rng.IntN(8)
		bad := bytes.Clone(whole)
		bad[n] ^= 1 << bit
		w.verdict(t, fmt.Sprintf("bit %d of byte %d", bit, n), bad, 3, "case.bwj line ")
	}
	// What is not damaged can still be read.
	bad := bytes.Clone(whole)
	middle := bytes.IndexByte(bad[len(bad)/2:], '\n') + len(bad)/2
	bad[middle-4] ^= 1
	w.verdict(t, "the middle", bad, 3, "corrupt", "lost: records")
	r := w.run(t, "", "decode", w.path("case.bwj"))
	if before := w.run(t, "", "decode", w.write(t, "whole.bwj", string(whole))).out; strings.Count(r.out, "\n") < strings.Count(before, "\n")-20 {
		t.Errorf("of %d frames only %d are left after one flipped bit", strings.Count(before, "\n"), strings.Count(r.out, "\n"))
	}
	if !strings.Contains(r.err, "line ") {
		t.Errorf("decode says nothing about the damage: %q", r.err)
	}
}

// cutTail: a cut between two lines is a journal that was not closed; a cut in a
// line, or a tail of NUL bytes, is a power cut's.
func cutTail(t *testing.T, w place, whole []byte) {
	rng := rand.New(rand.NewPCG(9, 9))
	var ends []int
	for i, c := range whole {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	for range 6 {
		n := rng.IntN(len(ends) - 1)
		w.verdict(t, fmt.Sprintf("cut after line %d", n+1), whole[:ends[n]], 0, "unclosed")
		torn := ends[n] + 1 + rng.IntN(ends[n+1]-ends[n]-1)
		w.verdict(t, fmt.Sprintf("cut at byte %d", torn), whole[:torn], 3, "torn")
		w.verdict(t, fmt.Sprintf("cut after line %d, NUL bytes", n+1), append(bytes.Clone(whole[:ends[n]]), make([]byte, 700)...), 3, "torn")
	}
	// A writer that died between a step and its effects owes them; that is no difference.
	for i, e := range ends {
		if line := whole[e:]; i > 20 && bytes.Contains(line[:bytes.IndexByte(line, '\n')], []byte(` say {"type":"press"`)) {
			w.verdict(t, "cut before an effect", whole[:e], 0, "unclosed", "the next start writes them")
			break
		}
	}
	w.verdict(t, "cut to nothing", nil, 1, "empty")
}

// readOn: replay, decode and pgn give what is there of a journal that is cut in a
// line, and say on one line of standard error that it is.
func readOn(t *testing.T, w place, whole []byte) {
	n := bytes.Index(whole, []byte(`"ply":20,`))
	torn := w.write(t, "torn.bwj", string(whole[:n]))
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"replay", torn}, " 10.   Nd5"},
		{[]string{"replay", "--format", "jsonl", torn}, `"san":"Nd5"`},
		{[]string{"decode", torn}, " field e2 empty"},
		{[]string{"pgn", torn}, "10. Nd5"},
		{[]string{"pgn", "-"}, "10. Nd5"},
	} {
		r := w.run(t, string(whole[:n]), c.args...)
		if !strings.Contains(r.out, c.says) {
			t.Errorf("%q does not show %q:\n%s", c.args[:1], c.says, clip(r.out))
		}
		if strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "torn tail") {
			t.Errorf("%q says about the damage: %q", c.args[:1], r.err)
		}
	}
}

// forged: journals whose checksums and chain are right and whose words are not.
func forged(t *testing.T, w place, entries []entry) {
	n := slices.IndexFunc(entries, func(e entry) bool { return e.kind == "say" && strings.Contains(e.body, `"ply":20,`) })
	if n < 0 {
		t.Fatal("no move 20 in the journal")
	}
	change := func(i int, from, to string) []entry {
		e := slices.Clone(entries)
		body := strings.Replace(e[i].body, from, to, 1)
		if body == e[i].body {
			t.Fatalf("record %d has no %q: %s", i+1, from, body)
		}
		e[i].body = body
		return e
	}
	here := fmt.Sprintf("record %d\n", n+1)
	w.verdict(t, "a move that was not said", forge(change(n, `"side":"black"`, `"side":"white"`)), 5, "different", here, "then: say", "now:  say")
	w.verdict(t, "an effect too few", forge(slices.Delete(slices.Clone(entries), n, n+1)), 5, "different", "nothing")
	w.verdict(t, "an effect too many", forge(slices.Insert(slices.Clone(entries), n, entries[n])), 5, "different")
	tx := slices.IndexFunc(entries, func(e entry) bool { return e.kind == "tx" })
	w.verdict(t, "a command that was not sent", forge(change(tx, entries[tx].body, "46")), 5, "different", "then: tx 46")
	rx := slices.IndexFunc(entries, func(e entry) bool { return e.kind == "rx" && strings.HasPrefix(e.body, "86") })
	w.verdict(t, "a byte that the board did not send", forge(change(rx, "07070707", "07000707")), 5, "different")

	older := change(0, `"core":"`, `"core":"0.`)
	w.verdict(t, "another core that says the same", forge(older), 0, "equal")
	older[n].body = strings.Replace(older[n].body, `"side":"black"`, `"side":"white"`, 1)
	w.verdict(t, "another core that said something else", forge(older), 4, "written by core revision 0.", here)

	// Several files: the worst verdict is the status.
	w.write(t, "good.bwj", string(forge(entries)))
	w.write(t, "torn.bwj", string(forge(entries)[:5000]))
	if r := w.run(t, "", "verify", "good.bwj", "torn.bwj", "case.bwj"); r.status != 4 {
		t.Errorf("good, torn and another core's: exit status %d, want 4\n%s%s", r.status, r.out, r.err)
	}
}

// goneOn: the daemon goes on after damage in a new file, says what is damaged,
// and leaves the damaged file as it is.
func goneOn(t *testing.T, w place, whole []byte) {
	if err := os.Mkdir(w.state(), 0o755); err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(whole)
	bad[len(bad)*2/3] ^= 4
	if err := os.WriteFile(w.journal(), bad, 0o644); err != nil {
		t.Fatal(err)
	}
	d := w.daemon(t, w.configure(t, w.path("nothing"), calm))
	d.err.await(t, "the journal is damaged", journalName+".bwj line ")
	d.err.await(t, "no board yet")
	d.stopped(t)
	if after, err := os.ReadFile(w.journal()); err != nil || !bytes.Equal(after, bad) {
		t.Errorf("the damaged file was changed (%v)", err)
	}
	w.run(t, "", "verify", w.journal()).want(t, 3)
	second := filepath.Join(w.state(), journalName+".2.bwj")
	if text, err := os.ReadFile(second); err != nil || !strings.Contains(string(text), " open {") || !strings.Contains(string(text), " close ") {
		t.Errorf("the second file: %v\n%s", err, clip(string(text)))
	}
}

// TestVerdictOfSegments: any file of a journal stands for all of it, a missing
// one is damage, and a file alone is judged as far as it goes.
func TestVerdictOfSegments(t *testing.T) {
	t.Parallel()
	w := newPlace(t)
	config := w.configure(t, w.path("nothing"), calm)
	for range 3 {
		d := w.daemon(t, config)
		d.err.await(t, "no board yet")
		d.stopped(t)
	}
	l := mustRead(t, w.state(), journalName)
	if len(l.files) != 3 {
		t.Fatalf("%d segments after three starts", len(l.files))
	}
	want := fmt.Sprintf("equal: %d inputs", len(l.entries)-len(l.of("say"))-len(l.of("tx")))
	for n := range 3 {
		r := w.run(t, "", "verify", segmentPath(w.state(), journalName, n+1)).want(t, 0)
		if !strings.Contains(r.out, want) {
			t.Errorf("segment %d: %q, want %q", n+1, r.out, want)
		}
	}
	middle := segmentPath(w.state(), journalName, 2)
	if err := os.Rename(middle, w.path("away.bwj")); err != nil {
		t.Fatal(err)
	}
	if r := w.run(t, "", "verify", w.journal()).want(t, 3); !strings.Contains(r.out, "missing segment") {
		t.Errorf("without its second segment: %q", r.out)
	}
}
