package scenario

import (
	"strings"
	"testing"

	"boardwatchd/internal/emulator"
)

// withHands is oneCase with the hands of a class of play.
func withHands(t *testing.T, hands, start, lines string) (*Plan, []emulator.Act) {
	t.Helper()
	src := strings.NewReplacer("title: a title", "hands: "+hands, "start: startpos", "start: "+start, "[W move e2e4, W press]", "["+lines+"]").Replace(oneCase)
	p := planOf(t, src)
	return p, p.Acts
}

func TestHandsMakeTheOrdinaryMoves(t *testing.T) {
	for _, row := range []struct{ start, move, want string }{
		{"startpos", "e2e4", "e2 - e4 P"},
		{"startpos moves e2e4 d7d5", "e4d5", "e4 - d5 - d5 P"},
		{"startpos moves e2e4 a7a6 e4e5 d7d5", "e5d6", "e5 - d6 P d5 -"},
		{"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "e1 - c1 K a1 - d1 R"},
		{"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "f1 - g1 - g1 K f1 R"},
		{"4k3/8/8/8/8/8/P7/4K3 w - - 0 1 moves a2a4 e8f8 a4a5 f8e8 a5a6 e8f8 a6a7 f8e8", "a7a8n", "a7 - a8 P a8 - a8 N"},
	} {
		took := map[string]int64{}
		for _, hands := range paceWords[1:] {
			p, acts := withHands(t, hands, row.start, "W move "+row.move)
			var seen []string
			for _, a := range acts {
				if a.At >= p.Begins {
					seen = append(seen, strings.TrimPrefix(a.String()[strings.Index(a.String(), " ")+1:], "sense "))
				}
			}
			if got := strings.Join(seen, " "); got != row.want {
				t.Errorf("%s, %s: %s, want %s", row.move, hands, got, row.want)
			}
			took[hands] = p.Ends - p.Begins
		}
		if took["blitz"] >= took["rapid"] || took["rapid"] >= took["classical"] {
			t.Errorf("%s takes %v", row.move, took)
		}
	}
}

// The moves of the start are played quickly, and with different timing.
func TestAnOpeningIsPlayedQuickly(t *testing.T) {
	const start = "startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 d2d3 g8f6 c2c3 d7d6"
	p, acts := withHands(t, "blitz", start, "W press")
	carries, lifted := map[int64]bool{}, int64(0)
	for _, a := range acts {
		switch {
		case a.Verb == emulator.Sense && a.Piece == 0:
			lifted = a.At
		case a.Verb == emulator.Sense:
			carries[a.At-lifted] = true
		}
	}
	if per := (p.Begins - judgedUS - clockAtUS) / 10; per > 1_200_000 || len(carries) < 8 {
		t.Errorf("a move takes %d µs, carries %v", per, carries)
	}
}

func TestABoardThatIsTurnedIsPlayedOnByHandsToo(t *testing.T) {
	_, acts := withHands(t, "rapid", "startpos", "A say board shows the white pieces on the a- and b-files, W move e2e4")
	if got := acts[len(acts)-1].String(); !strings.HasSuffix(got, "sense d4 P") {
		t.Error(got)
	}
}
