package clockproto

import (
	"os"
	"strings"
	"testing"

	"boardwatchd/internal/sharedtest"
)

// shared returns the path of a file of the test material, which is not part of
// the project, and skips the test where it is missing.
func shared(t testing.TB, name ...string) string {
	t.Helper()
	return sharedtest.Path(t, name...)
}

// TestRecordedClocks reads the 1755 clock frames of the recordings (section 12) and checks the statements of sections
// 5.4 and 6.7: 198 presses, each with its increment in the same message, turn bits that follow the lever, ticks of one
// second, and one fallen flag.
func TestRecordedClocks(t *testing.T) {
	tests := []struct {
		name                     string
		presses, flag, increment int
	}{
		{"dgtdriver-game1.hex", 57, 0, 2},
		{"dgtdriver-game2-rotated.hex", 98, 0, 2},
		{"dgtdriver-game3-johan.hex", 43, 1, 5},
	}
	readings, presses := 0, 0
	for _, tt := range tests {
		b, err := os.ReadFile(shared(t, "captures", tt.name))
		if err != nil {
			t.Fatal(err)
		}
		var last Reading
		gamePresses, flags, swallowed := 0, 0, 0
		for line := range strings.Lines(string(b)) {
			if !strings.HasPrefix(line, "8d") {
				continue
			}
			readings++
			d := frame(t, line)
			r, err := ParseReading(d)
			if err != nil || r.Encode() != d {
				t.Fatalf("%s: %q: %+v, %v", tt.name, line, r, err)
			}
			if want := map[Side]byte{Left: TurnLeft, Right: TurnRight}[r.Up]; r.TurnBits != want {
				t.Errorf("%s: %q: turn bits %02x, lever up at the %v", tt.name, line, r.TurnBits, r.Up)
			}
			if r.Left.Fallen || r.Right.Fallen {
				flags++
			}
			if last.Up != NoSide && r.Up != last.Up {
				gamePresses++
				switch gained := r.Face(last.Up).Seconds - last.Face(last.Up).Seconds; gained {
				case tt.increment:
				case tt.increment - 1: // a tick in the same message
					swallowed++
				default:
					t.Errorf("%s: %q: the press gained %d s", tt.name, line, gained)
				}
			} else if last.Running && r.Running && last.Face(r.Up).Seconds-r.Face(r.Up).Seconds != 1 {
				t.Errorf("%s: %q: not a tick of one second", tt.name, line)
			}
			last = r
		}
		if gamePresses != tt.presses || flags != tt.flag || swallowed > 1 {
			t.Errorf("%s: %d presses, %d with a fallen flag, %d swallowed ticks", tt.name, gamePresses, flags, swallowed)
		}
		presses += gamePresses
	}
	if readings != 1755 || presses != 198 {
		t.Errorf("%d readings, %d presses; want 1755 and 198", readings, presses)
	}
}
