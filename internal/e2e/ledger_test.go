//go:build linux

package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// This is the second reader of a journal: written from the description of the
// line in the documentation of internal/record ("SEQ AT KIND BODY CHAIN CRC"),
// so that a mistake in the program's reader cannot hide one in its writer.

// entry is a line of a journal.
type entry struct {
	seq, at    int64
	kind, body string
	segment    int // 1, 2 …: the file it stands in
	chain      string
}

// ledger is a journal that has been read and checked.
type ledger struct {
	entries []entry
	files   [][]byte // the segments' bytes
	again   []entry  // those that the segment that is read should begin with
	torn    int      // bytes after the last newline of the last segment
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// link returns the chain of a line, from the one before it.
func link(before, line string) string {
	sum := sha256.Sum256([]byte(before + line))
	return hex.EncodeToString(sum[:16])
}

const noChain = "00000000000000000000000000000000"

// segmentPath is the file of a journal's segment.
func segmentPath(dir, name string, n int) string {
	if n > 1 {
		name += "." + strconv.Itoa(n)
	}
	return filepath.Join(dir, name+".bwj")
}

// readLedger reads all segments of a journal and checks each line, the chain,
// that the numbers are dense and that time does not run backwards. A segment
// may begin with records that the one before has too, which a disk did not take:
// then they are the same.
func readLedger(dir, name string) (ledger, error) {
	var l ledger
	for n := 1; ; n++ {
		text, err := os.ReadFile(segmentPath(dir, name, n))
		if errors.Is(err, fs.ErrNotExist) {
			return l, nil
		}
		if err != nil {
			return l, err
		}
		l.files = append(l.files, text)
		whole := bytes.LastIndexByte(text, '\n') + 1
		l.torn = len(text) - whole // what a kill in the middle of a write leaves; a later start goes on after it
		for i, line := range strings.SplitAfter(string(text[:whole]), "\n") {
			if line == "" {
				continue
			}
			if i == 0 {
				err = l.back(line)
			}
			var e entry
			if err == nil {
				e, err = readEntry(strings.TrimSuffix(line, "\n"), l.chain())
			}
			if err == nil {
				err = l.add(e, n)
			}
			if err != nil {
				return l, fmt.Errorf("segment %d line %d: %w: %.100s", n, i+1, err, line)
			}
		}
		if len(l.again) > 0 {
			return l, fmt.Errorf("segment %d has not all that it begins to write again: %d records are missing", n, len(l.again))
		}
	}
}

// chain is that of the last entry.
func (l *ledger) chain() string {
	if n := len(l.entries); n > 0 {
		return l.entries[n-1].chain
	}
	return noChain
}

// back goes back to before the number with which a segment begins.
func (l *ledger) back(line string) error {
	number, _, _ := strings.Cut(line, " ")
	seq, err := strconv.ParseInt(number, 10, 64)
	if err == nil && seq > 0 && seq <= int64(len(l.entries)) {
		l.again = l.entries[seq-1:]
		l.entries = slices.Clone(l.entries[:seq-1])
	}
	return err
}

func (l *ledger) add(e entry, segment int) error {
	e.segment = segment
	if n := int64(len(l.entries)); e.seq != n+1 {
		return fmt.Errorf("number %d follows %d", e.seq, n)
	}
	if len(l.entries) > 0 && e.at < l.entries[len(l.entries)-1].at {
		return fmt.Errorf("time %d follows %d", e.at, l.entries[len(l.entries)-1].at)
	}
	if len(l.again) > 0 {
		if l.again[0].chain != e.chain {
			return fmt.Errorf("another record %d than the segment before has", e.seq)
		}
		l.again = l.again[1:]
	}
	l.entries = append(l.entries, e)
	return nil
}

// readEntry takes a line apart: three fields from the left, two from the right.
func readEntry(line, before string) (e entry, err error) {
	left := strings.SplitN(line, " ", 4)
	if len(left) < 4 || len(line) < 42 {
		return e, errors.New("too few fields")
	}
	chained, crc := line[:len(line)-9], line[len(line)-8:]
	if got := fmt.Sprintf("%08x", crc32.Checksum([]byte(chained), castagnoli)); got != crc {
		return e, fmt.Errorf("checksum %s, want %s", crc, got)
	}
	body := chained[:len(chained)-33]
	e.chain = chained[len(chained)-32:]
	if want := link(before, body); e.chain != want {
		return e, fmt.Errorf("chain %s, want %s", e.chain, want)
	}
	e.kind, e.body = left[2], strings.SplitN(body, " ", 4)[3]
	if e.seq, err = strconv.ParseInt(left[0], 10, 64); err == nil {
		e.at, err = strconv.ParseInt(left[1], 10, 64)
	}
	return e, err
}

// forge writes entries as a journal of one file: checksums and chain are right,
// whatever the bodies say.
func forge(entries []entry) []byte {
	var b bytes.Buffer
	chain := noChain
	for i, e := range entries {
		line := fmt.Sprintf("%d %d %s %s", i+1, e.at, e.kind, e.body)
		chain = link(chain, line)
		line += " " + chain
		fmt.Fprintf(&b, "%s %08x\n", line, crc32.Checksum([]byte(line), castagnoli))
	}
	return b.Bytes()
}

// mustRead reads a journal that must be in order.
func mustRead(t testing.TB, dir, name string) ledger {
	t.Helper()
	l, err := readLedger(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// of counts the entries of a kind.
func (l ledger) of(kind string) (all []entry) {
	for _, e := range l.entries {
		if e.kind == kind {
			all = append(all, e)
		}
	}
	return all
}

// received is how many bytes of the board are in the journal.
func (l ledger) received() (n int) {
	for _, e := range l.of("rx") {
		n += len(e.body) / 2
	}
	return n
}

// tale is what was said.
func (l ledger) tale(t testing.TB) tale {
	t.Helper()
	w := tale{presses: map[string]int{}}
	for _, e := range l.of("say") {
		if err := w.add([]byte(e.body)); err != nil {
			t.Fatalf("record %d: %v: %s", e.seq, err, e.body)
		}
	}
	return w
}

// moves are the moves of the last game as far as they were said.
func (l ledger) moves() []string {
	w := tale{presses: map[string]int{}}
	for _, e := range l.of("say") {
		_ = w.add([]byte(e.body)) // tale tells the errors
	}
	return w.uci
}

// closed tells whether the last entry is a close.
func (l ledger) closed() bool {
	return l.torn == 0 && len(l.entries) > 0 && l.entries[len(l.entries)-1].kind == "close"
}

// TestLedgerReadsTheExample: the two lines in the documentation of the format.
func TestLedgerReadsTheExample(t *testing.T) {
	w := newPlace(t)
	w.write(t, "x.bwj", `1 0 open {"format":1} 8c6aaa57f88b8c482aa2d218286bb69f ee9d0324
2 1500 rx 8e00053400 e39af75ab6c68dcb9d4b9f713db9bc1c df4b51c9
`)
	l := mustRead(t, w.dir, "x")
	if len(l.entries) != 2 || !json.Valid([]byte(l.entries[0].body)) || l.entries[1].at != 1500 || l.received() != 5 || l.closed() {
		t.Errorf("%+v", l.entries)
	}
	if got := forge(l.entries); !bytes.Equal(got, l.files[0]) {
		t.Errorf("written again it is\n%s", got)
	}
}
