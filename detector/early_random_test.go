package detector

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/play"
	"boardwatchd/rules/kinds"
	"boardwatchd/rules/legal"
)

// This file simulates people, a board and a clock for one question: is a press reported as too early when it was, and
// never when it was not? The moves, their times, and the reports of board and clock are drawn here from the timing
// notes (1.1 to 1.3), independently of the rule under test.

// equipment is one board with its clock.
type equipment struct {
	scanUS, jitterUS int64
	batch            bool // changes are reported at the end of a scan
	stalls           bool // one message of a hundred is held up, and all after it
	calm             bool // no piece is off the centre of its square
	lagUS            int64
	direct           bool // the clock tells a press at once, or up to lagUS later; else it is read out 0.35 to 0.95 s late, and told with the next second
}

// sighting is something that reaches the host: a square, or the face of the clock.
type sighting struct {
	at    int64
	sq    legal.Square
	is    legal.Piece
	clock bool
	face  evidence.ClockReading
}

// ply is one move as it was really made.
type plyMade struct {
	lift, put, press int64
	from, to         legal.Square // of the piece that comes last
	guilty           bool
	made             legal.Move
}

type evening struct {
	equipment
	r     *rand.Rand
	now   int64
	real  []sighting // what changed on the board, and when
	plies []plyMade
}

func (e *evening) between(lo, hi float64) int64 { return int64((lo + (hi-lo)*e.r.Float64()) * 1e6) }

// stroke is how long a hand takes from square to square: 0.24 s in the middle (timing notes 1.2).
func (e *evening) stroke() int64 { return int64(0.24e6 * math.Exp(0.35*e.r.NormFloat64())) }

func (e *evening) change(at int64, sq legal.Square, is legal.Piece) {
	e.real = append(e.real, sighting{at: at, sq: sq, is: is})
}

// play makes n random legal moves. Of those that are not the first some are pressed too early.
func (e *evening) play(n, honest, guiltyPermille int) {
	pos := legal.StartPosition()
	e.now = 3_000_000
	for ply := 1; ply <= n; ply++ {
		var list legal.MoveList
		pos.Moves(&list)
		m, ok := legal.NoMove, false
		for range 20 {
			m = list.Slice()[e.r.IntN(len(list.Slice()))]
			if after := pos.After(m); after.Outcome() == 0 && after.HalfMoves() < 60 && after.Placement() != (legal.Placement{}) {
				ok = true
				break
			}
		}
		if !ok || dead(&pos) {
			return
		}
		e.move(&pos, m, ply > honest && e.r.IntN(1000) < guiltyPermille)
		pos = pos.After(m)
	}
}

// move makes one move and presses.
func (e *evening) move(pos *legal.Position, m legal.Move, guilty bool) {
	base := pos.Placement()
	place := play.PlacementAfter(base, m)
	lift := e.now + e.between(0.02, 1.2)
	put := lift + e.stroke()
	press := int64(0)
	if guilty {
		press = lift + e.between(0.02, 0.7)
		put = press + e.between(0, 1)
	}
	e.change(lift, m.From(), legal.NoPiece)
	if sq := m.Victim(); sq < legal.NoSquare {
		off := lift + int64(e.r.Float64()*float64(put-lift))
		if e.r.IntN(3) == 0 {
			off = put - 10_000 // pushed aside as he comes
		}
		e.change(off, sq, legal.NoPiece)
	}
	is := place[m.To()]
	if m.Promotion() != legal.NoKind && e.r.IntN(2) == 0 {
		e.change(put, m.To(), base[m.From()])
		e.change(put+200_000, m.To(), legal.NoPiece)
		put += 500_000
	}
	if !guilty && !e.calm && e.r.IntN(30) == 0 && !m.IsCastling() {
		e.flicker(put, m.To(), is)
	}
	e.change(put, m.To(), is)
	done := put
	if m.IsCastling() {
		up := put + e.between(0.1, 0.3)
		done = up + e.stroke()
		if guilty { // the rook only
			press = put + e.between(0, 0.1)
			up = press + e.between(0, 1)
			done = up + e.stroke()
		}
		e.change(up, m.RookFrom(), legal.NoPiece)
		e.change(done, m.RookTo(), place[m.RookTo()])
	}
	if !guilty {
		press = done + e.between(0.1, 0.6)
		if e.r.IntN(3) == 0 {
			press = done + e.between(0, 0.03) // with the other hand
		}
	}
	to := m.To()
	if m.IsCastling() {
		to = m.RookTo()
	}
	e.plies = append(e.plies, plyMade{lift: lift, put: done, press: press, from: m.From(), to: to, guilty: guilty, made: m})
	e.now = max(done, press)
	if !e.direct {
		e.now += e.between(0.8, 1.2) // two presses within one reading of the clock are another matter
	}
}

// flicker is a piece that stands off its centre: it is read, and lost, and read again.
func (e *evening) flicker(put int64, sq legal.Square, is legal.Piece) {
	e.change(put, sq, is)
	lost := put + e.scanUS + e.between(0.05, 0.3) // what no scan has seen is no history
	e.change(lost, sq, legal.NoPiece)
	e.change(lost+e.between(0.3, 1), sq, is)
}

// scanned returns what the board sees, when it sees it, and when the host gets the report.
func (e *evening) scanned() (list []sighting) {
	slices.SortStableFunc(e.real, func(a, b sighting) int { return cmp.Compare(a.at, b.at) })
	known := legal.StartSetup(518).Placement
	offset := e.r.Int64N(e.scanUS)
	for sq := range legal.NoSquare {
		turn := offset + int64(sq^56)*e.scanUS/64
		var coil []sighting
		for _, c := range e.real {
			if c.sq == sq {
				coil = append(coil, c)
			}
		}
		for i, c := range coil {
			visit := turn + (c.at-turn+e.scanUS-1)/e.scanUS*e.scanUS
			if i+1 < len(coil) && coil[i+1].at <= visit || known[sq] == c.is {
				continue // gone before it was seen, or never missed
			}
			known[sq] = c.is
			if e.batch {
				visit = offset + ((visit-offset)/e.scanUS+1)*e.scanUS
			}
			list = append(list, sighting{at: visit, sq: sq, is: c.is})
		}
	}
	return list
}

// ticked returns the reports of the clock.
func (e *evening) ticked() (list []sighting) {
	face := evidence.ClockReading{Left: 7200, Right: 7200, Running: true, Up: evidence.LeftSide}
	next := 0
	lag := func() int64 {
		if e.direct {
			return e.between(0, 0.01) + e.r.Int64N(e.lagUS+1)
		}
		return e.between(0.35, 0.95)
	}
	due := e.plies[0].press + lag()
	end := e.plies[len(e.plies)-1].press + 4_000_000
	for second := int64(1_000_000) + e.r.Int64N(1_000_000); second < end; second += 1_000_000 {
		for e.direct && next < len(e.plies) && due <= second {
			face.Up = face.Up.Other()
			list = append(list, sighting{at: due, clock: true, face: face})
			if next++; next < len(e.plies) {
				due = max(due+1, e.plies[next].press+lag())
			}
		}
		if face.Up == evidence.LeftSide {
			face.Left--
		} else {
			face.Right--
		}
		if !e.direct && next < len(e.plies) && due <= second {
			face.Up = face.Up.Other()
			if next++; next < len(e.plies) {
				due = e.plies[next].press + lag()
			}
		}
		list = append(list, sighting{at: second, clock: true, face: face})
	}
	return list
}

// arrived returns all reports on one line, late and in order.
func (e *evening) arrived() []sighting {
	list := append(e.scanned(), e.ticked()...)
	slices.SortStableFunc(list, func(a, b sighting) int { return cmp.Compare(a.at, b.at) })
	last := int64(0)
	for i := range list {
		list[i].at = max(last, list[i].at+5_000+e.r.Int64N(e.jitterUS+1))
		if e.stalls && e.r.IntN(100) == 0 {
			list[i].at += e.between(0.1, 1)
		}
		last = list[i].at
	}
	return list
}

// flips are the arrivals of the presses, in order.
func flips(list []sighting) (at []int64) {
	up := evidence.LeftSide
	for _, s := range list {
		if s.clock && s.face.Up != up {
			up = s.face.Up
			at = append(at, s.at)
		}
	}
	return at
}

// watched feeds a tracker and returns the presses that were reported as too early, by their number, the promotions
// among them that were reported as incomplete at the press, and the number of presses that were judged at all.
func (e *evening) watched(list []sighting) (early map[int]string, judged int) {
	p := DefaultParams()
	p.White = evidence.LeftSide
	tr := New(p)
	seq, pieces := evidence.Seq(1), legal.StartSetup(518).Placement
	presses := flips(list)
	early = map[int]string{}
	dumpAt := int64(0)
	take := func() {
		for _, o := range tr.Take() {
			switch o := o.(type) {
			case Pressed:
				judged++
			case Found:
				if o.Kind == kinds.PressBeforeDone || o.Kind == kinds.IllegalPromoIncomplete {
					early[slices.Index(presses, o.Window.Hi)] = string(o.Kind)
				}
			}
		}
		tr.Release()
		if tr.DumpWanted() && dumpAt == 0 {
			dumpAt = tr.now.At + 100_000
		}
	}
	tr.Dump(evidence.Stamp{Seq: seq, At: 500_000}, pieces)
	tr.Clock(evidence.Stamp{Seq: seq, At: 600_000}, evidence.ClockReading{Left: 7200, Right: 7200, Running: true, Up: evidence.LeftSide})
	take()
	for _, s := range list {
		for {
			at, ok := tr.Deadline()
			if dumpAt != 0 && dumpAt <= s.at && (!ok || dumpAt <= at) {
				seq++
				at, dumpAt = dumpAt, 0
				tr.Dump(evidence.Stamp{Seq: seq, At: at}, pieces)
			} else if ok && at <= s.at {
				tr.Wake(evidence.Stamp{Seq: seq, At: at})
			} else {
				break
			}
			take()
		}
		seq++
		if s.clock {
			tr.Clock(evidence.Stamp{Seq: seq, At: s.at}, s.face)
		} else {
			pieces[s.sq] = s.is
			tr.Field(evidence.Stamp{Seq: seq, At: s.at}, s.sq, s.is, evidence.Window{Lo: s.at - p.ScanUS, Hi: s.at})
		}
		take()
	}
	return early, judged
}

// shown counts the guilty presses that the arrivals prove: the piece was reported later than one scan and the way to
// the host after the press, and the lift before it.
func (e *evening) shown(list []sighting) (late, proved []int) {
	for i, at := range flips(list) {
		p := e.plies[i]
		if !p.guilty {
			continue
		}
		lifted := slices.ContainsFunc(list, func(s sighting) bool {
			return !s.clock && s.sq == p.from && s.is == legal.NoPiece && s.at > p.lift && s.at <= at
		})
		put := slices.IndexFunc(list, func(s sighting) bool { return !s.clock && s.sq == p.to && s.is != legal.NoPiece && s.at > p.put })
		if put < 0 || list[put].at <= at+e.scanUS+beyondUS {
			continue
		}
		late = append(late, i)
		if lifted {
			proved = append(proved, i)
		}
	}
	return late, proved
}

// beyondUS is what timing notes 3.4 add to a scan.
const beyondUS = 30_000

// TestHonestPressesAreNeverEarly: a press after the piece is on its square is never reported as earlier, on any board,
// whatever the line adds and however soon the clock reports the press.
func TestHonestPressesAreNeverEarly(t *testing.T) {
	games, least := 300, 20_000
	if testing.Short() {
		games, least = 40, 3_000
	}
	presses := 0
	for seed := range games {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		e := &evening{r: r, equipment: equipment{scanUS: 50_000 + r.Int64N(400_001), jitterUS: r.Int64N(100_001), direct: r.IntN(2) == 0}}
		if r.IntN(3) == 0 {
			e.jitterUS = r.Int64N(16_001) // a serial adapter
		}
		if e.scanUS <= 250_000 && e.jitterUS <= 50_000 { // half a second is what the slowest board takes in all (timing notes 1.1)
			e.batch = r.IntN(3) == 0
		}
		e.stalls = !e.direct && seed%2 == 0
		e.play(100, 0, 0)
		early, judged := e.watched(e.arrived())
		for i, kind := range early {
			t.Errorf("seed %d, %+v: press %d: %s", seed, e.equipment, i+1, kind)
		}
		presses += judged
	}
	if t.Logf("%d honest presses", presses); presses < least {
		t.Errorf("only %d presses", presses)
	}
}

// TestEarlyPressesAreFound: nearly all early presses that the arrivals prove, to an observer who knows the scan, are
// reported, and no others.
func TestEarlyPressesAreFound(t *testing.T) {
	games := 30
	if testing.Short() {
		games = 4
	}
	for _, direct := range []bool{true, false} {
		made, late, proved, told := 0, 0, 0, 0
		for _, ms := range []int64{50, 100, 150, 200, 225, 250, 300, 450} {
			m, l, p, f := 0, 0, 0, 0
			for seed := range games {
				e := &evening{r: rand.New(rand.NewPCG(uint64(seed), uint64(ms))), equipment: equipment{scanUS: ms * 1000, jitterUS: 16_000, direct: direct}}
				e.play(100, 40, 150)
				list := e.arrived()
				early, _ := e.watched(list)
				could, must := e.shown(list)
				l, p, f = l+len(could), p+len(must), f+len(early)
				for i, made := range e.plies {
					if made.guilty {
						m++
					} else if kind := early[i]; kind != "" {
						t.Errorf("%d ms, seed %d: press %d was in time: %s", ms, seed, i+1, kind)
					}
				}
			}
			t.Logf("scan %d ms, clock direct %v: %d pressed early, %d shown, %d with the lift before the press, %d told", ms, direct, m, l, p, f)
			made, late, proved, told = made+m, late+l, proved+p, told+f
		}
		if direct && told*100 < proved*85 {
			t.Errorf("%d told of %d that are proved", told, proved)
		}
		t.Logf("all: %d pressed early, %d shown, %d with the lift before the press, %d told", made, late, proved, told)
	}
}
