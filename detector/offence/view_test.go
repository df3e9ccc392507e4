package offence

import (
	"strconv"
	"strings"
	"testing"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/legal"
)

// When the clock of a test view is pressed, and the widths of the tracker.
const (
	pressedAtUS  = 10_000_000
	lateReportUS = 350_000
	usualScanUS  = 250_000
)

// pressView builds a view. The start is a FEN, or "start", with moves after it that were played and pressed. The acts
// are what the board reported, "SECONDS SQUARE PIECE" separated by commas, the time counted from the press, "-" for
// empty: "-0.8 f3 -, -0.3 d5 N" is a knight put on d5 before it. What comes more than a scan and a bit after the press
// is later.
func pressView(t testing.TB, start string, acts string) *View {
	t.Helper()
	v := &View{Press: evidence.Window{Lo: pressedAtUS - 1_000_000, Hi: pressedAtUS}, LateUS: lateReportUS, Bound: Bound{US: SlowestUS}}
	line, ply := linePlayed(t, start)
	v.Line, v.Ply, v.Pos = line, ply, &line[len(line)-1]
	v.Origin = v.Pos.Placement()
	v.At = v.Origin
	board := v.Origin
	for i, act := range strings.Split(acts, ",") {
		w := strings.Fields(act)
		if len(w) == 0 {
			continue
		}
		c := evidence.Change{Seq: evidence.Seq(i + 1)}
		at, err := strconv.ParseFloat(w[0], 64)
		sq, ok := legal.ParseSquare(w[1])
		if err != nil || !ok {
			t.Fatalf("act %q", act)
		}
		c.Square, c.Was, c.Is = sq, board[sq], pieceNamed(t, w[2])
		c.Window.Hi = pressedAtUS + int64(at*1_000_000)
		c.Window.Lo = c.Window.Hi - usualScanUS
		c.FromDump = len(w) > 3 && w[3] == "healed"
		board[sq] = c.Is
		if !c.FromDump && c.Window.Hi <= pressedAtUS+v.LateUS {
			v.Changes = append(v.Changes, c)
			v.At = board
		} else {
			v.Later = append(v.Later, c)
		}
		v.Now = c.Window.Hi
	}
	v.Now = max(v.Now, pressedAtUS+v.Bound.US)
	return v
}

func pieceNamed(t testing.TB, name string) legal.Piece {
	t.Helper()
	if i := strings.Index("PNBRQK", name); i >= 0 {
		return legal.PieceOf(legal.White, legal.Pawn+legal.Kind(i))
	}
	if i := strings.Index("pnbrqk", name); i >= 0 {
		return legal.PieceOf(legal.Black, legal.Pawn+legal.Kind(i))
	}
	if name != "-" {
		t.Fatalf("piece %q", name)
	}
	return legal.NoPiece
}

// played is a game as its positions.
type played []legal.Position

func (p played) Len() int                       { return len(p) }
func (p played) Position(i int) *legal.Position { return &p[i] }

// linePlayed plays "start" or a FEN, with UCI moves after it.
func linePlayed(t testing.TB, start string) (line played, ply int) {
	t.Helper()
	w := strings.Fields(start)
	pos := legal.StartPosition()
	if w[0] == "start" {
		w = w[1:]
	} else {
		setup, err := legal.ParseFEN(strings.Join(w[:6], " "))
		if err != nil {
			t.Fatal(err)
		}
		// An offence that became a ply may have been made before, as with a king left in check.
		if pos, err = setup.Standing(); err != nil {
			t.Fatal(err)
		}
		w = w[6:]
		ply = 2*pos.FullMoves() + int(pos.Turn()-legal.White) // not at the start of the game
	}
	line = played{pos}
	for _, uci := range w {
		m, ok := pos.FindUCI(uci)
		if !ok {
			t.Fatalf("no move %s in %s", uci, pos.FEN())
		}
		pos = pos.After(m)
		ply++
		line = append(line, pos)
	}
	return line, ply
}

// shapeLine writes a shape in one line: kind, proof, side, move, squares, "open", the resulting position.
func shapeLine(s Shape, ok bool) string {
	if !ok {
		return "nothing"
	}
	w := []string{string(s.Kind)}
	if s.Answered {
		w[0] += "+reply"
	}
	w = append(w, s.Proof.String(), s.Side.String())
	if s.UCI != "" {
		w = append(w, s.UCI)
	}
	names := make([]string, 0, 8)
	for set := s.Squares; set != 0; set &= set - 1 {
		names = append(names, play.Lowest(set).String())
	}
	w = append(w, strings.Join(names, ","))
	if s.MayBeCompleted {
		w = append(w, "open")
	}
	if s.Stands {
		pos, err := s.After.Standing()
		if err != nil {
			return "what stands is refused: " + err.Error()
		}
		w = append(w, "→", pos.FEN())
	}
	return strings.Join(w, " ")
}

// A sight is one press and the expected shape.
type sight struct {
	name  string
	start string
	acts  string
	want  string // as shapeLine writes it; a prefix that ends at a space is enough
	final string // where the last look says something else
}

func see(t *testing.T, sights []sight) {
	t.Helper()
	for _, s := range sights {
		t.Run(s.name, func(t *testing.T) {
			v := pressView(t, s.start, s.acts)
			first := shapeLine(Classify(v))
			if !tells(first, s.want) {
				t.Errorf("it says\n%s\nand not\n%s", first, s.want)
			}
			v.Final = true
			last := shapeLine(Classify(v))
			want := s.final
			if want == "" {
				want = s.want
			}
			if !tells(last, want) {
				t.Errorf("the last look says\n%s\nand not\n%s", last, want)
			}
		})
	}
}

func tells(got, want string) bool {
	return got == want || strings.HasPrefix(got, want+" ")
}
