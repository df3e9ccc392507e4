package golden

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"boardwatchd/internal/record"
)

// goldenFile has one line for each item: hash, number of effects, name.
const goldenFile = "testdata/said.txt"

// An item is one thing to judge. Play gives every effect of the core to said, in order.
type item struct {
	name string
	play func(said func(at int64, k record.Kind, body []byte)) error
}

// wording are the keys whose sentences are free to change.
var wording = []string{"reason", "text", "detail", "say", "deadline_say", "timing_say"}

// A digest is what is kept of an item.
type digest struct {
	effects     int
	faults      []string // of what is said to people
	said, bytes hash.Hash
	show        bool
}

func (d *digest) take(at int64, k record.Kind, body []byte) {
	fmt.Fprintf(d.bytes, "%d %s %s\n", at, k, body)
	if k == record.Tx {
		return
	}
	if k == record.Say && len(d.faults) < 3 {
		d.faults = append(d.faults, sentences(body)...)
		d.faults = append(d.faults, hints(body)...)
	}
	d.effects++
	plain := withoutWording(body)
	fmt.Fprintf(d.said, "%d %s %s\n", at, k, plain)
	if d.show {
		fmt.Printf("%d %s %s\n", at, k, body)
	}
}

// withoutWording is the object with sorted keys and without sentences.
func withoutWording(body []byte) []byte {
	var v map[string]any
	if json.Unmarshal(body, &v) != nil {
		return body
	}
	for _, key := range wording {
		delete(v, key)
	}
	if mate, ok := v["mate"].(map[string]any); ok {
		delete(mate, "say")
	}
	b, err := json.Marshal(v)
	if err != nil {
		return body
	}
	return b
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:8]) }

func TestSaidIsAsItWas(t *testing.T) {
	var judge pgnJudge
	items := slices.Concat(games(t, &judge), cases(t), recordings(t))
	got, all := make(map[string]string, len(items)), make(map[string]string, len(items))
	var mu sync.Mutex
	var running sync.WaitGroup
	next := make(chan item)
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			for it := range next {
				d := digest{said: sha256.New(), bytes: sha256.New(), show: it.name == os.Getenv("BOARDWATCHD_GOLDEN_SHOW")}
				if err := it.play(d.take); err != nil {
					t.Errorf("%s: %v", it.name, err)
				}
				for _, f := range d.faults {
					t.Errorf("%s: %s", it.name, f)
				}
				mu.Lock()
				got[it.name] = fmt.Sprintf("%s %4d %s", sum(d.said), d.effects, it.name)
				all[it.name] = sum(d.bytes) + " " + it.name
				mu.Unlock()
			}
		})
	}
	for _, it := range items {
		next <- it
	}
	close(next)
	running.Wait()
	t.Run("the PGN of generated games", judge.judge)
	if path := os.Getenv("BOARDWATCHD_GOLDEN_BYTES"); path != "" {
		write(t, path, all)
	}
	if os.Getenv("BOARDWATCHD_GOLDEN") == "write" {
		write(t, goldenFile, got)
		return
	}
	compare(t, got)
}

// compare names what has changed. What is not played here (short runs, no test material) is not compared.
func compare(t *testing.T, got map[string]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(goldenFile))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if fields := strings.SplitN(strings.TrimSpace(line), " ", 2); len(fields) == 2 {
			_, name, _ := strings.Cut(strings.TrimLeft(fields[1], " "), " ")
			want[name] = strings.TrimSuffix(line, "\n")
		}
	}
	changed := 0
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want[name] == got[name] {
			continue
		}
		if changed++; changed <= 10 {
			t.Errorf("%s: said %q, was %q; to look: BOARDWATCHD_GOLDEN_SHOW=%q, to accept: BOARDWATCHD_GOLDEN=write (doc.go)", name, got[name], want[name], name)
		}
	}
	if changed > 10 {
		t.Errorf("%d of %d items have changed", changed, len(got))
	}
}

func write(t *testing.T, path string, lines map[string]string) {
	t.Helper()
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		b.WriteString(lines[name] + "\n")
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
