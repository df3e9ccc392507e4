package mirror

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

func open(t *testing.T, dir string) *Journal {
	t.Helper()
	j, err := Open(dir).Journal("table-1", "1-r1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func put(t *testing.T, j *Journal, segment int, offset int64, data string, final bool) Outcome {
	t.Helper()
	out, err := j.Put(segment, offset, []byte(data), final)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s: %q, %v, want %q", filepath.Base(path), got, err, want)
	}
}

func TestPieces(t *testing.T) {
	j := open(t, t.TempDir())
	if out := put(t, j, 1, 0, "abc", false); string(out.Fresh) != "abc" {
		t.Errorf("%+v", out)
	}
	if out := put(t, j, 1, 0, "abc", false); len(out.Fresh) != 0 || out.Lost != "" {
		t.Errorf("the same again: %+v", out)
	}
	if out := put(t, j, 1, 5, "fgh", false); !out.Hole || out.From != 3 {
		t.Errorf("a hole: %+v", out)
	}
	if out := put(t, j, 1, 2, "cde", false); string(out.Fresh) != "de" {
		t.Errorf("half of it is there: %+v", out)
	}
	holds(t, j.Path(1), "abcde")
}

func TestWhatDiffersIsSetAside(t *testing.T) {
	j := open(t, t.TempDir())
	put(t, j, 1, 0, "abcdef", false)
	out := put(t, j, 1, 2, "cX", false)
	if string(out.Fresh) != "cX" || out.Lost == "" {
		t.Fatalf("%+v", out)
	}
	holds(t, j.Path(1), "abcX")
	holds(t, out.Lost, "abcdef")
	out = put(t, j, 1, 0, "ab", true)
	if out.Lost == "" || len(out.Fresh) != 0 {
		t.Fatalf("a segment that ended earlier: %+v", out)
	}
	holds(t, j.Path(1), "ab")
	if j.Size(1) != 2 {
		t.Error(j.Size(1))
	}
}

// Whatever the order, the doubles and the restarts: when everything was put that Hole asks for, the files are equal.
func TestAnyOrderGivesTheSameFiles(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		dir := t.TempDir()
		j := open(t, dir)
		want := map[int][]byte{}
		for n := 1; n <= 3; n++ {
			b := make([]byte, r.IntN(200))
			for i := range b {
				b[i] = byte('a' + r.IntN(3))
			}
			want[n] = b
		}
		for range 60 {
			n := 1 + r.IntN(3)
			from := r.IntN(len(want[n]) + 1)
			to := from + r.IntN(len(want[n])-from+1)
			out, err := j.Put(n, int64(from), want[n][from:to], to == len(want[n]))
			if err == nil && out.Hole {
				_, err = j.Put(n, out.From, want[n][out.From:to], false)
			}
			if err != nil || out.Lost != "" {
				t.Fatalf("seed %d: %+v, %v", seed, out, err)
			}
			if r.IntN(10) == 0 {
				if err := j.Close(); err != nil {
					t.Fatal(err)
				}
				j = open(t, dir)
			}
		}
		for n, b := range want {
			if _, err := j.Put(n, j.Size(n), b[j.Size(n):], true); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(j.Path(n)); err != nil || !bytes.Equal(got, b) {
				t.Errorf("seed %d, segment %d: %q, want %q", seed, n, got, b)
			}
		}
	}
}

// A board that lost the end of a segment has lost the segments after it too.
func TestSegmentsAfterALostOne(t *testing.T) {
	j := open(t, t.TempDir())
	put(t, j, 1, 0, "abc", true)
	put(t, j, 2, 0, "def", true)
	put(t, j, 3, 0, "ghi", false)
	if out := put(t, j, 1, 0, "abX", true); out.Lost == "" {
		t.Errorf("%+v", out)
	}
	holds(t, j.Path(1), "abX")
	for n, text := range map[int]string{2: "def", 3: "ghi"} {
		holds(t, j.Path(n)+".lost-1", text)
		if _, err := os.Stat(j.Path(n)); err == nil || j.Size(n) != 0 {
			t.Errorf("segment %d is there: %v", n, err)
		}
	}
	put(t, j, 2, 0, "jkl", false)
	holds(t, j.Path(2), "jkl")
}

// A board that loses what it has sent again and again does not fill the hall's disk.
func TestFewFilesAreSetAside(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir)
	for _, text := range []string{"a", "b", "c", "d", "e", "f"} {
		put(t, j, 1, 0, text, false)
	}
	holds(t, j.Path(1), "f")
	for n, want := range []string{"a", "b", "e"} {
		holds(t, fmt.Sprintf("%s.lost-%d", j.Path(1), n+1), want)
	}
	if files, err := filepath.Glob(j.Path(1) + ".lost-*"); err != nil || len(files) != 3 {
		t.Errorf("%q, %v", files, err)
	}
}

// Whether the end of a segment was put is known until the segment, or one before it, is set aside.
func TestTheEndOfASegment(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir)
	want := func(why string, ended int) {
		t.Helper()
		if j.Ended() != ended {
			t.Errorf("%s: ended is %d, want %d", why, j.Ended(), ended)
		}
	}
	put(t, j, 1, 0, "abc", false)
	want("the segment may go on", 0)
	put(t, j, 1, 3, "", true)
	want("an end without bytes", 1)
	put(t, j, 2, 0, "def", true)
	put(t, j, 1, 0, "abc", true)
	want("an end that was there", 2)
	put(t, j, 2, 0, "dX", false)
	want("the second one differs", 1)
	put(t, j, 2, 0, "dX", true)
	put(t, j, 1, 0, "X", false)
	want("the first one differs", 0)
	put(t, j, 1, 0, "X", true)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = open(t, dir)
	want("opened again", 0)
}
