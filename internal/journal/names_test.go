package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestNamesGoThereAndBack(t *testing.T) {
	for _, name := range []string{"board-1", "Tisch_3", "brett-zürich", "2026-11-21"} {
		for _, number := range []int{1, 2, 10} {
			for _, packed := range []string{"", ".gz", ".zst"} {
				n, k, ok := ParseSegmentName(SegmentName(name, number) + packed)
				if !ok || n != name || k != number {
					t.Errorf("%s %d%s became %s %d %v", name, number, packed, n, k, ok)
				}
			}
		}
	}
	for _, file := range []string{"b.txt", ".bwj", "b.1.bwj", "b.0.bwj", "b.02.bwj", "b.-2.bwj", "b.x.bwj", "a b.bwj", "b.2.3.bwj", "b.lock"} {
		if n, k, ok := ParseSegmentName(file); ok {
			t.Errorf("%s was taken for segment %d of %s", file, k, n)
		}
	}
}

func TestListFindsJournalsWithTheirSegments(t *testing.T) {
	dir := writeFiles(t, map[string][]byte{
		"b.bwj": []byte("12345"), "b.10.bwj": []byte("1"), "b.2.bwj.gz": []byte("123"), "b.2.bwj": []byte("12"),
		"a.bwj.zst": []byte("1"), "b.lock": nil, "x.txt": nil,
	})
	if err := os.Mkdir(filepath.Join(dir, "c.bwj"), 0o700); err != nil {
		t.Fatal(err)
	}
	entries, err := List(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for _, e := range entries {
		got += fmt.Sprintf("%s %d %v:", e.Name, e.Size, !e.LastWrite.IsZero())
		for _, s := range e.Segments {
			got += fmt.Sprintf(" %d=%s", s.Number, filepath.Base(s.Path))
		}
		got += "; "
	}
	if got != "a 1 true: 1=a.bwj.zst; b 8 true: 1=b.bwj 2=b.2.bwj 10=b.10.bwj; " {
		t.Error(got)
	}
	if _, err := List(filepath.Join(dir, "none")); err == nil {
		t.Error("a directory that is not there was listed")
	}
}

func TestANameBesideAnotherOne(t *testing.T) {
	for name, want := range map[string]int{"b--2": 2, "b--12": 12, "b--1": 0, "b--02": 0, "b-2": 0, "b--": 0, "b--x": 0, "b": 0, "": 0} {
		of, number, ok := Beside(name)
		if ok != (want > 0) || ok && (of != "b" || number != want) {
			t.Errorf("%q: %q %d %v", name, of, number, ok)
		}
	}
}
