package watch_test

import (
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"boardwatchd/clockproto"
	"boardwatchd/internal/emulator"
	"boardwatchd/rules/legal"
)

// These games are rushed: the opponent's hand waits over a piece and moves as soon as the clock is pressed, or before
// it, while the report of that press is 0.3 to 2.2 s late. So nearly every press is judged on a board on which the
// reply is half done, in every way in which replies are made. There are no offences. A longer run:
//
//	BOARDWATCHD_SEEDS=2000 go test ./internal/watch -run Rushed -v

// A rush describes the hurry of the players of one game.
type rush struct {
	early int64 // an answer begins at most this long before the press, µs
	rally bool  // every answer is immediate; else a player whose move was answered at once takes time
}

// A rusher writes a game as acts.
type rusher struct {
	*rand.Rand
	now   int64
	acts  []emulator.Act
	moves []string
}

func (r *rusher) between(lo, hi int64) int64 { return lo + r.Int64N(hi-lo+1) }

func (r *rusher) chance(permille int) bool { return r.IntN(1000) < permille }

func (r *rusher) sense(sq legal.Square, p legal.Piece) {
	r.acts = append(r.acts, emulator.Act{At: r.now, Verb: emulator.Sense, Square: sq, Piece: p})
}

// game plays a random game until it is over, or has the given number of plies.
func (r *rusher) game(k rush, lag int64, plies int) {
	pos := legal.StartPosition()
	r.now = 5_000_000
	r.acts = append(r.acts, emulator.Act{At: r.now, Verb: emulator.RunOf, Side: legal.White})
	touch := r.now + lag + 1_000_000
	answered, pressed, placed := false, int64(0), int64(0)
	var last legal.Move
	for range plies {
		m := r.choose(&pos)
		if m == legal.NoMove {
			break
		}
		r.now = touch
		if last != legal.NoMove && squaresOf(last)&squaresOf(m) != 0 {
			r.now = max(r.now, placed+restUS) // a piece in the air cannot be captured
		}
		last = m
		r.make(&pos, m)
		placed = r.now
		r.now = max(r.now+r.between(80_000, 500_000), pressed+r.between(80_000, 300_000))
		pressed = r.now
		r.acts = append(r.acts, emulator.Act{At: r.now, Verb: emulator.PressOf, Side: pos.Turn()})
		r.moves = append(r.moves, pos.UCI(m))
		pos = pos.After(m)
		answered = !answered || k.rally
		if answered && r.chance(800) {
			touch = r.now + 50_000 + r.between(-k.early, 500_000)
		} else {
			answered = false
			touch = r.now + lag + r.between(1_600_000, 4_000_000)
		}
	}
	r.now += lag + 4_000_000
	r.acts = append(r.acts, emulator.Act{At: r.now, Verb: emulator.PauseAll})
	sort.SliceStable(r.acts, func(i, j int) bool { return r.acts[i].At < r.acts[j].At })
}

// restUS is the time for which a piece has stood before it is captured: the board cannot show a shorter one than a
// scan.
const restUS = 300_000

// squaresOf returns the squares that a move touches.
func squaresOf(m legal.Move) uint64 {
	set := uint64(1)<<m.From() | 1<<m.To()
	if m.Victim() != legal.NoSquare {
		set |= 1 << m.Victim()
	}
	if m.IsCastling() {
		set |= 1<<m.RookFrom() | 1<<m.RookTo()
	}
	return set
}

// choose draws a legal move, unusual ones rather than plain ones; NoMove if the game is over.
func (r *rusher) choose(pos *legal.Position) legal.Move {
	if pos.Outcome() != legal.Ongoing {
		return legal.NoMove
	}
	var list legal.MoveList
	pos.Moves(&list)
	sum, weights := 0, make([]int, list.Len())
	for i, m := range list.Slice() {
		after := pos.After(m)
		w := 10
		switch piece := pos.PieceAt(m.From()); {
		case after.Outcome() != legal.Ongoing:
			w = 0 // continue
		case m.Promotion() == legal.Queen:
			w = 300
		case m.Promotion() != legal.NoKind:
			w = 40
		case m.IsCastling():
			w = 300
		case m.IsEnPassant():
			w = 300
		case m.Captured() != legal.NoKind && piece.Kind() == legal.Pawn:
			w = 80
		case m.Captured() != legal.NoKind:
			w = 25
		case piece.Kind() == legal.Pawn:
			w = 40
		case piece.Kind() == legal.King, piece.Kind() == legal.Rook:
			w = 3
		}
		weights[i] = w
		sum += w
	}
	if sum == 0 {
		return legal.NoMove
	}
	n := r.IntN(sum)
	for i, w := range weights {
		if n -= w; n < 0 {
			return list.At(i)
		}
	}
	return legal.NoMove
}

// make makes the move with the hands, from now on.
func (r *rusher) make(pos *legal.Position, m legal.Move) {
	piece := pos.PieceAt(m.From())
	hand := func() { r.now += r.between(60_000, 450_000) }
	lift := func(sq legal.Square) { r.sense(sq, legal.NoPiece) }
	switch {
	case m.IsCastling():
		r.castle(pos, m)
	case m.Promotion() != legal.NoKind:
		r.promote(pos, m)
	case m.Captured() != legal.NoKind:
		victim := pos.PieceAt(m.Victim())
		switch way := r.IntN(10); {
		case way < 5 || m.IsEnPassant() && way < 8:
			lift(m.From())
			hand()
			if way < 2 && m.Victim() == m.To() {
				lift(m.To())
				hand()
			}
			r.sense(m.To(), piece)
			if m.Victim() != m.To() {
				hand()
				lift(m.Victim())
			}
		default:
			lift(m.Victim())
			if way == 9 {
				r.drag(pos, m, victim)
			}
			hand()
			lift(m.From())
			hand()
			r.sense(m.To(), piece)
		}
	default:
		lift(m.From())
		if r.chance(250) && piece.Kind() != legal.Knight {
			r.slide(m, piece)
		}
		hand()
		r.sense(m.To(), piece)
	}
}

// drag carries a captured piece low over a free square beside its own.
func (r *rusher) drag(pos *legal.Position, m legal.Move, victim legal.Piece) {
	sq := legal.SquareOf(m.Victim().File()+r.IntN(3)-1, m.Victim().Rank()+r.IntN(3)-1)
	if sq == legal.NoSquare || pos.PieceAt(sq) != legal.NoPiece || sq == m.To() {
		return
	}
	r.now += 60_000
	r.sense(sq, victim)
	r.now += r.between(60_000, 200_000)
	r.sense(sq, legal.NoPiece)
}

func (r *rusher) slide(m legal.Move, piece legal.Piece) {
	df, dr := m.To().File()-m.From().File(), m.To().Rank()-m.From().Rank()
	n := max(df, -df, dr, -dr)
	for i := 1; i < n; i++ {
		sq := legal.SquareOf(m.From().File()+df/n*i, m.From().Rank()+dr/n*i)
		r.now += r.between(20_000, 100_000)
		r.sense(sq, piece)
		r.now += r.between(20_000, 100_000)
		r.sense(sq, legal.NoPiece)
	}
}

func (r *rusher) castle(pos *legal.Position, m legal.Move) {
	king, rook := pos.PieceAt(m.From()), pos.PieceAt(m.RookFrom())
	hand := func() { r.now += r.between(80_000, 700_000) }
	way := r.IntN(4)
	r.sense(m.From(), legal.NoPiece)
	hand()
	if way == 0 {
		r.sense(m.RookFrom(), legal.NoPiece)
		hand()
	}
	if way == 1 {
		r.sense(m.RookTo(), king)
		hand()
		r.sense(m.RookTo(), legal.NoPiece)
		hand()
	}
	r.sense(m.To(), king)
	hand()
	if way != 0 {
		r.sense(m.RookFrom(), legal.NoPiece)
		hand()
	}
	r.sense(m.RookTo(), rook)
}

func (r *rusher) promote(pos *legal.Position, m legal.Move) {
	pawn := pos.PieceAt(m.From())
	piece := legal.PieceOf(pos.Turn(), m.Promotion())
	hand := func() { r.now += r.between(80_000, 600_000) }
	fetch := func() {
		r.now += r.between(150_000, 1_200_000)
		if r.chance(250) {
			r.now += r.between(1_000_000, 5_000_000)
		}
	}
	way := r.IntN(8)
	if m.Captured() != legal.NoKind && r.chance(500) {
		r.sense(m.To(), legal.NoPiece)
		hand()
	}
	switch {
	case way < 4: // the pawn is put on the last rank, and exchanged there
		r.sense(m.From(), legal.NoPiece)
		hand()
		r.sense(m.To(), pawn)
		fetch()
		if way < 2 {
			r.sense(m.To(), legal.NoPiece)
			hand()
		}
	case way < 6:
		r.sense(m.From(), legal.NoPiece)
		fetch()
	case way == 6: // the piece comes first
		r.sense(m.To(), piece)
		hand()
		r.sense(m.From(), legal.NoPiece)
		return
	default: // the piece is put down beside it, the pawn advances, and they exchange places
		sq := legal.SquareOf(m.To().File(), 3+r.IntN(2))
		if pos.PieceAt(sq) != legal.NoPiece {
			r.sense(m.From(), legal.NoPiece)
			fetch()
			break
		}
		r.sense(sq, piece)
		hand()
		r.sense(m.From(), legal.NoPiece)
		hand()
		r.sense(m.To(), pawn)
		hand()
		r.sense(sq, legal.NoPiece)
		hand()
		r.sense(m.To(), legal.NoPiece)
		hand()
	}
	r.sense(m.To(), piece)
}

// rushed plays one game and counts wrong output.
func rushed(t *testing.T, seed uint64, k rush, watched func(*emulator.Emulator) *rig) (bad map[string]int) {
	t.Helper()
	w := &rusher{Rand: rand.New(rand.NewPCG(seed, 7))}
	lag := w.between(300_000, 2_200_000)
	w.game(k, lag, 90)
	o := emulator.Options{Seed: seed, Script: w.acts, Table: legal.StartSetup(518).Placement}
	o.Clock = emulator.ClockOptions{BaseSec: 3600, BonusSec: 2, Lag: emulator.LagFixed, LagUS: lag}
	o.Board.Reversed, o.Board.ScanReverse = seed&1 != 0, seed&2 != 0
	if seed&4 != 0 {
		o.Clock.White = clockproto.Right
	}
	r := watched(emulator.New(o))
	bad = map[string]int{}
	for _, v := range r.said {
		offence := strings.HasPrefix(v.Kind, "illegal.") || strings.HasPrefix(v.Kind, "irreg.") || strings.HasPrefix(v.Kind, "sensor.")
		switch {
		case v.Type == "finding" && offence && (v.Alert == "now" || v.Alert == "advise") && v.Kind != "irreg.pause_no_reason":
			bad[accused+" "+v.Kind]++
		case v.Type == "press" && v.Judged != "ok" && v.Judged != "ok2" && v.Judged != "ok_late":
			bad["press "+v.Judged]++
		case v.Type == "health" && v.What != "scan" && v.What != "hands_held" && v.What != "link_up" && v.What != "board_identified":
			bad["health "+v.What]++
		}
	}
	if got := r.moves(); len(got) != 1 || strings.Join(got[0], " ") != strings.Join(w.moves, " ") {
		bad["moves"]++
	}
	return bad
}

const accused = "accused"

// Players who answer at once, before or after the press, and then wait until the reports have caught up, are followed
// exactly. In a scramble in which both do so for the whole game, the board is up to four plies ahead of the presses,
// and sometimes the scan hides which: that may cost moves, and never causes a false accusation.
func TestRushedGames(t *testing.T) {
	first, last := seeds(t, 100)
	ways := map[string]func(*emulator.Emulator) *rig{"live": watched, "recorded": taped}
	for _, k := range []struct {
		name string
		rush
		spared int   // number of games in a hundred that may have doubts
		also   []int // seeds of games in which a player was once accused
	}{{"after the press", rush{}, 0, nil}, {"before the press", rush{early: 350_000}, 0, nil}, {"scramble", rush{early: 100_000, rally: true}, 10, []int{130, 209, 435, 508, 754}}} {
		for _, way := range []string{"live", "recorded"} {
			t.Run(k.name+", "+way, func(t *testing.T) {
				played := k.also
				for seed := first; seed <= last; seed++ {
					played = append(played, seed)
				}
				doubts, games := 0, len(played)
				for _, seed := range played {
					bad := rushed(t, uint64(seed), k.rush, ways[way])
					if len(bad) > 0 {
						doubts++
					}
					for what, n := range bad {
						if k.spared == 0 || strings.HasPrefix(what, accused) {
							t.Errorf("seed %d: %s, %d times", seed, what, n)
						}
					}
				}
				t.Logf("%d of %d games with doubts", doubts, games)
				if doubts*100 > k.spared*games && games >= 100 {
					t.Errorf("doubts in %d of %d games", doubts, games)
				}
			})
		}
	}
}
