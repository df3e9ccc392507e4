package players

import (
	"testing"

	"boardwatchd/dgt"
	"boardwatchd/internal/emulator"
)

// disturbed plays a game over a faulty line and returns the decoder's account.
func disturbed(t *testing.T, f emulator.Faults) (dgt.Stats, Truth) {
	t.Helper()
	var d dgt.Decoder
	truth, err := Record(Options{Seed: 5, Faults: f}, func(_ int64, dir byte, p []byte) {
		if dir == emulator.FromBoard {
			d.Feed(p)
			for _, ok := d.Next(); ok; _, ok = d.Next() {
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return d.Stats(), truth
}

func TestFaultsOfTheLineDoNotChangeTheGame(t *testing.T) {
	clean, want := disturbed(t, emulator.Faults{})
	if clean.Garbage != 0 {
		t.Fatalf("%d bytes of garbage without a fault", clean.Garbage)
	}
	for name, row := range map[string]struct {
		f       emulator.Faults
		garbage bool
		fewer   bool // frames
		more    bool
	}{
		"bit flips":        {f: emulator.Faults{BitFlip: 10_000}, garbage: true},
		"replaced bytes":   {f: emulator.Faults{ReplaceByte: 10_000}, garbage: true},
		"lost bytes":       {f: emulator.Faults{DropByte: 10_000}, garbage: true, fewer: true},
		"double bytes":     {f: emulator.Faults{DoubleByte: 10_000}, garbage: true},
		"cut frames":       {f: emulator.Faults{CutFrame: 50_000}, garbage: true, fewer: true},
		"garbage":          {f: emulator.Faults{Garbage: 50_000}, garbage: true},
		"lost updates":     {f: emulator.Faults{LoseField: 100_000}, fewer: true},
		"double updates":   {f: emulator.Faults{DoubleField: 100_000}, more: true},
		"impossible clock": {f: emulator.Faults{BadClock: 100_000}},
	} {
		s, truth := disturbed(t, row.f)
		if got := s.Garbage > 0; got != row.garbage {
			t.Errorf("%s: %d bytes of garbage", name, s.Garbage)
		}
		if row.fewer && s.Frames >= clean.Frames || row.more && s.Frames <= clean.Frames {
			t.Errorf("%s: %d frames, without %d", name, s.Frames, clean.Frames)
		}
		if len(truth.Games[0].Moves) != len(want.Games[0].Moves) || truth.Placement != want.Placement {
			t.Errorf("%s: another game was played", name)
		}
		for i, m := range truth.Games[0].Moves {
			if m != want.Games[0].Moves[i] {
				t.Fatalf("%s: move %d differs", name, i+1)
			}
		}
	}
}

func TestARecordingSurvivesUnplugging(t *testing.T) {
	var ups, downs int
	var late int64
	_, err := Record(Options{Seed: 8, Faults: emulator.Faults{At: []emulator.Fault{{At: 20 * second, Kind: emulator.Unplug, For: 3 * second}}}},
		func(at int64, dir byte, p []byte) {
			switch dir {
			case emulator.LinkUp:
				ups++
			case emulator.LinkDown:
				downs++
			case emulator.FromBoard:
				late = at
				if at > 20*second && at < 23*second {
					t.Errorf("bytes at %d µs, the cable is out", at)
				}
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	if ups != 1 || downs != 1 || late < 30*second {
		t.Errorf("%d ups, %d downs, last bytes at %d s", ups, downs, late/second)
	}
}
