package journal

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"boardwatchd/internal/record"
)

// TestEveryTail cuts the last 8 KiB of a journal at every offset and puts nothing, NUL bytes or random bytes there.
func TestEveryTail(t *testing.T) {
	step := 1
	if testing.Short() || raceEnabled {
		step = 13
	}
	b := game(110)
	b.add(record.Close, `{"reason":"stop"}`)
	data := b.bytes(0, 111)
	if len(data) < 8<<10 {
		t.Fatalf("only %d bytes", len(data))
	}
	ends := map[int]int{} // offset of a line's end to the number of lines before it
	for i, end := 0, 0; i < len(b.lines); i++ {
		end += len(b.lines[i])
		ends[end] = i + 1
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	counts := map[string]int{}
	for cut := len(data) - 8<<10; cut < len(data); cut += step {
		whole := 0
		for end, n := range ends {
			if end <= cut {
				whole = max(whole, n)
			}
		}
		for _, fill := range []string{"cut", "nul", "random"} {
			torn := bytes.Clone(data)
			rest := torn[cut:]
			switch fill {
			case "cut":
				torn = torn[:cut]
			case "nul":
				clear(rest)
			case "random":
				for i := range rest {
					rest[i] = byte(rnd.Uint32())
				}
			}
			o := readBytes(torn)
			counts[fill+" "+o.verdict.String()]++
			// A line that lacks only its newline is readable: it is the only additional record allowed.
			_, oneShort := ends[cut+1]
			if !slices.Equal(o.seqs, span1(whole)) && !(oneShort && slices.Equal(o.seqs, span1(whole+1))) {
				t.Fatalf("%s at %d: %d records, %d lines were whole", fill, cut, len(o.seqs), whole)
			}
			_, atEnd := ends[cut]
			ok := o.verdict == Torn && !(fill == "cut" && atEnd) ||
				o.verdict == Unclosed && fill == "cut" && atEnd || o.verdict == Corrupt && fill == "random"
			if !ok {
				t.Fatalf("%s at %d: verdict %s", fill, cut, o.verdict)
			}
		}
	}
	t.Log(counts)
}

func TestAFlippedBitIsCorruptAndCostsOneRecord(t *testing.T) {
	step := 1
	if testing.Short() || raceEnabled {
		step = 11
	}
	b := game(60)
	b.add(record.Close, `{"reason":"stop"}`)
	data := b.bytes(0, 61)
	offset, hit := 0, 0
	for bit := 0; bit < 8*len(data); bit += step {
		for bit/8 >= offset+len(b.lines[hit]) {
			offset += len(b.lines[hit])
			hit++
		}
		data[bit/8] ^= 1 << (bit % 8)
		o := readBytes(data)
		data[bit/8] ^= 1 << (bit % 8)

		newline := bit/8 == offset+len(b.lines[hit])-1
		last := hit == len(b.lines)-1
		want := span1(61, record.Seq(hit+1))
		if newline { // only the newline was damaged: the record before it can be read
			want = span1(61)
		}
		if !slices.Equal(o.seqs, want) {
			t.Fatalf("bit %d of record %d: records %v: %v", bit, hit+1, o.seqs, o.damage)
		}
		if o.verdict != Corrupt && !(last && o.verdict == Torn && newline) {
			t.Fatalf("bit %d of record %d: verdict %s", bit, hit+1, o.verdict)
		}
	}
}
