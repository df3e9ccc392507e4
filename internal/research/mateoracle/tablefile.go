package mateoracle

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// load reads a stored table: its two sets, word by word, least byte first. An unreadable file is made again.
func (t *Table) load(dir string) bool {
	if dir == "" {
		return false
	}
	bytes, err := os.ReadFile(t.path(dir))
	words := t.size() / 64
	if err != nil || len(bytes) != 16*words {
		return false
	}
	t.legal, t.can = make([]uint64, words), make([]uint64, words)
	for i := range words {
		t.can[i] = binary.LittleEndian.Uint64(bytes[8*i:])
		t.legal[i] = binary.LittleEndian.Uint64(bytes[8*(words+i):])
	}
	return true
}

func (t *Table) save(dir string) {
	if dir == "" {
		return
	}
	var bytes []byte
	for _, set := range [][]uint64{t.can, t.legal} {
		for _, word := range set {
			bytes = binary.LittleEndian.AppendUint64(bytes, word)
		}
	}
	// A table that cannot be stored is made again the next time: nothing else depends on it.
	_ = os.WriteFile(t.path(dir), bytes, 0o644)
}

func (t *Table) path(dir string) string { return filepath.Join(dir, "K"+t.pieces+"K.bits") }

// Each calls look with every board of the table, white king on the files a to d, and whether White can ever mate there.
func (t *Table) Each(look func(b Board, can bool)) {
	for n := range t.size() {
		if get(t.legal, n) {
			look(t.at(n))
		}
	}
}

// Random returns a random board of the table.
func (t *Table) Random(r *rand.Rand) (b Board, can bool) {
	for {
		if n := r.IntN(t.size()); get(t.legal, n) {
			return t.at(n)
		}
	}
}

func (t *Table) at(n int) (b Board, can bool) {
	s := t.seat(n)
	t.board(&s, &b)
	return b, get(t.can, n)
}

// Kinds returns the tables with that number of pieces besides the kings, those without pawns first, each after the ones
// it needs.
func Kinds(pieces int) (out []string) {
	if pieces == 1 {
		return []string{"N", "B", "R", "Q", "P", "n", "b", "r", "q", "p"}
	}
	ones := Kinds(1)
	for _, pawns := range []bool{false, true} {
		for i, a := range ones {
			for _, b := range ones[i:] {
				if (upper(a[0]) == 'P' || upper(b[0]) == 'P') == pawns {
					out = append(out, order(a+b))
				}
			}
		}
	}
	return out
}

// Rare returns up to n boards with the answer that is rarer in the table.
func (t *Table) Rare(r *rand.Rand, n int) (boards []Board, can bool) {
	sets := [2][]int{}
	for i := range t.size() {
		if get(t.legal, i) {
			which := 0
			if get(t.can, i) {
				which = 1
			}
			sets[which] = append(sets[which], i)
		}
	}
	rare := sets[0]
	if len(sets[1]) < len(rare) {
		rare, can = sets[1], true
	}
	for ; n > 0 && len(rare) > 0; n-- {
		b, _ := t.at(rare[r.IntN(len(rare))])
		boards = append(boards, b)
	}
	return boards, can
}
