package detector

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"boardwatchd/detector/evidence"
	"boardwatchd/detector/hands"
	"boardwatchd/rules"
	"boardwatchd/rules/legal"
)

// A bench is a tracker in the middle of a game, whose board scans in 225 ms, row by row.
type bench struct {
	*Tracker
	start int64
	seq   evidence.Seq
}

const benchScan = 225_000

// known is a board whose scan is known: 40 ordinary moves have been seen.
func known(t *testing.T, tweak func(*Params)) *bench {
	t.Helper()
	p := DefaultParams()
	p.White = evidence.LeftSide
	if tweak != nil {
		tweak(&p)
	}
	b := &bench{Tracker: New(p), start: 1_000_003}
	b.b.Known = true
	for i := range 40 {
		from, to := legal.Square(8+i%8), legal.Square(16+(i*13)%40)
		b.at("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1")
		b.made(b.move(from, to), ByPress, b.lift(from, 0), b.put(to, legal.WhitePawn, 1+i%3))
	}
	b.pressClock = evidence.Times{White: 300, Black: 300, Known: true}
	b.Take()
	b.Release()
	return b
}

func (b *bench) at(fen string) {
	s, err := legal.ParseFEN(fen)
	if err != nil {
		panic(err)
	}
	pos, err := s.Standing()
	if err != nil {
		panic(err)
	}
	b.g.open(pos, 518, 20)
	b.phase = playing
	b.b.Live, b.b.Origin = pos.Placement(), pos.Placement()
	b.b.Changes = b.b.Changes[:0]
	b.start += 20 * benchScan
}

// move need not be legal: learning from ordinary moves does not require it.
func (b *bench) move(from, to legal.Square) legal.Move {
	pos := b.g.pos()
	if m, ok := pos.FindUCI(from.String() + to.String()); ok {
		return m
	}
	var list legal.MoveList
	pos.Moves(&list)
	return list.Slice()[0]
}

func (b *bench) visit(sq legal.Square, scans int) evidence.Window {
	hi := b.start + int64(scans)*benchScan + hands.Raster.Slot(hands.Field(sq, false))*benchScan/64
	return evidence.Window{Lo: hi - benchScan, Hi: hi}
}

func (b *bench) lift(sq legal.Square, scans int) evidence.Change {
	c := evidence.Change{Square: sq, Was: b.b.Live[sq], Window: b.visit(sq, scans)}
	b.b.Live[sq] = legal.NoPiece
	return c
}

func (b *bench) put(sq legal.Square, p legal.Piece, scans int) evidence.Change {
	c := evidence.Change{Square: sq, Was: b.b.Live[sq], Is: p, Window: b.visit(sq, scans)}
	b.b.Live[sq] = p
	return c
}

// made commits a move with these changes.
func (b *bench) made(m legal.Move, by CommittedBy, list ...evidence.Change) {
	b.seq++
	slices.SortFunc(list, func(x, y evidence.Change) int { return cmp.Compare(x.Window.Hi, y.Window.Hi) }) // as the board told them
	last := b.start
	for i := range list {
		list[i].Seq = b.seq
		last = max(last, list[i].Window.Hi)
	}
	b.b.Changes = append(b.b.Changes, list...)
	b.hands.timed = true
	b.now = evidence.Stamp{Seq: b.seq, At: last + 1_500_000}
	b.commit(m, by, -1)
}

// castled is an O-O: the scans at which king and rook are lifted and put.
func (b *bench) castled(by CommittedBy, kingUp, rookUp, kingDown, rookDown int) {
	b.at("4k3/8/8/8/8/8/8/4K2R w K - 0 20")
	m := b.move(legal.E1, legal.G1)
	b.made(m, by, b.lift(legal.E1, kingUp), b.lift(legal.H1, rookUp), b.put(legal.G1, legal.WhiteKing, kingDown), b.put(legal.F1, legal.WhiteRook, rookDown))
}

// told returns the hands' outcomes since the last call, and the kinds of findings.
func (b *bench) told() (judged []HandsJudged, kinds string) {
	for _, o := range b.Take() {
		switch o := o.(type) {
		case HandsJudged:
			judged = append(judged, o)
		case Found:
			kinds += " " + string(o.Kind) + " " + o.Proof.String()
		}
	}
	b.Release()
	return judged, strings.TrimSpace(kinds)
}

func TestHandsAreSuspectedOnceAndNeverHintedAsWell(t *testing.T) {
	off := func(p *Params) { p.Hands.On = false }
	high := func(p *Params) {
		for i := range p.Hands.Castling.Play {
			p.Hands.Castling.Play[i].Advisory = 25_000
		}
	}
	for name, c := range map[string]struct {
		tweak func(*Params)
		by    CommittedBy
		scans [4]int
		kinds string
		n     int
	}{
		"both hands at once":             {nil, ByPress, [4]int{0, 0, 2, 2}, "suspect.two_hands_castling hint", 1},
		"below the threshold":            {high, ByPress, [4]int{0, 0, 2, 2}, "illegal.two_hands hint", 1},
		"switched off":                   {off, ByPress, [4]int{0, 0, 2, 2}, "illegal.two_hands hint", 0},
		"one after the other":            {nil, ByPress, [4]int{0, 4, 2, 7}, "", 1},
		"never completed by a press":     {nil, ByReply, [4]int{0, 0, 2, 2}, "", 0},
		"it ended the game, not a press": {nil, ByTerminal, [4]int{0, 0, 2, 2}, "illegal.two_hands hint", 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := known(t, c.tweak)
			b.castled(c.by, c.scans[0], c.scans[1], c.scans[2], c.scans[3])
			judged, kinds := b.told()
			if kinds != c.kinds || len(judged) != c.n {
				t.Errorf("told %q and judged %d times, want %q, %d: %+v", kinds, len(judged), c.kinds, c.n, judged)
			}
		})
	}
}

func TestHandsAreNotJudgedWhereSomethingIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*bench)
		want  hands.Abstention
	}{
		"nothing":                  {func(*bench) {}, hands.Spoke},
		"the scan is not known":    {func(b *bench) { b.hands.sensor = hands.Sensor{} }, hands.NoSensor},
		"reports follow no scan":   {func(b *bench) { b.hands.sensor.Fit, b.hands.sensor.Moves = 300, hands.MovesSure }, hands.PoorFit},
		"a report was lost":        {func(b *bench) { b.trust.bytesDamaged = true }, hands.Trouble},
		"the history is not whole": {func(b *bench) { b.b.HistoryIncomplete = true }, hands.Trouble},
	} {
		t.Run(name, func(t *testing.T) {
			b := known(t, nil)
			c.spoil(b)
			b.castled(ByPress, 0, 0, 2, 2)
			judged, kinds := b.told()
			if len(judged) != 1 || judged[0].Abstain != c.want {
				t.Fatalf("%+v, want %v", judged, c.want)
			}
			if c.want != hands.Spoke && strings.Contains(kinds, "suspect.") {
				t.Errorf("told %q", kinds)
			}
		})
	}
	b := known(t, nil)
	b.castled(ByPress, 0, 0, 2, 2)
	b.told()
	b.hands.timed = false // as in a recording without times
	at := b.now.At
	b.at("4k3/8/8/8/8/8/8/4K2R w K - 0 20")
	if b.tellHands(b.move(legal.E1, legal.G1), ByPress, -1); len(b.Take()) > 0 || at == 0 {
		t.Error("a recording without times is judged")
	}
}

// A person is asked to look at castlings, and at captures in blitz: by the time control and not by the displayed times.
// A player whose tempo is unknown is not suspected.
func TestWhatIsToldLive(t *testing.T) {
	castle := func(b *bench) { b.castled(ByPress, 0, 0, 2, 2) }
	capture := func(b *bench) {
		b.at("4k3/8/8/3n4/3Q4/8/8/4K3 w - - 0 20")
		m := b.move(legal.D4, legal.D5)
		b.made(m, ByPress, b.lift(legal.D5, 0), b.lift(legal.D4, 0), b.put(legal.D5, legal.WhiteQueen, 2))
	}
	promote := func(b *bench) {
		b.at("4k3/P7/8/8/8/8/8/4K3 w - - 0 20")
		pos := b.g.pos()
		m, _ := pos.FindUCI("a7a8q")
		b.made(m, ByPress, b.lift(legal.A7, 0), b.put(legal.A8, legal.WhiteQueen, 0))
	}
	strangers := func(b *bench) { b.hands.tempo = [3]hands.Tempo{} }
	for name, c := range map[string]struct {
		control rules.Class
		first   func(*bench)
		do      func(*bench)
		told    bool
	}{
		"a castling in blitz":                         {rules.Blitz, nil, castle, true},
		"in rapid play":                               {rules.Rapid, nil, castle, true},
		"in classical play":                           {rules.Standard, nil, castle, true},
		"with no time control":                        {rules.NoClass, nil, castle, true},
		"by somebody who is not known":                {rules.Blitz, strangers, castle, false},
		"a capture in blitz":                          {rules.Blitz, nil, capture, true},
		"a capture in rapid play":                     {rules.Rapid, nil, capture, false},
		"a capture in classical play":                 {rules.Standard, nil, capture, false},
		"a capture with no time control":              {rules.NoClass, nil, capture, false},
		"a capture by somebody who is not known":      {rules.Blitz, strangers, capture, false},
		"a promotion in no time, in blitz":            {rules.Blitz, nil, promote, false},
		"a promotion in no time, in a classical game": {rules.Standard, nil, promote, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := known(t, func(p *Params) {
				p.Hands.Control = c.control
				for i := range p.Hands.Capture.Play {
					p.Hands.Capture.Play[i].Advisory, p.Hands.Promotion.Play[i].Advisory = 1, 1
				}
			})
			b.pressClock = evidence.Times{White: 4000, Black: 4000, Known: true}
			if c.first != nil {
				c.first(b)
			}
			c.do(b)
			judged, kinds := b.told()
			if len(judged) != 1 || judged[0].Silent() || judged[0].Suspected != c.told || strings.Contains(kinds, "suspect.") != c.told {
				t.Errorf("%+v, %s", judged, kinds)
			}
		})
	}
}

// Without labelled data no report says that something is nearly certain.
func TestNoConfidenceIsStatedAboveTheMost(t *testing.T) {
	for _, most := range []int32{10_000, 250_000, hands.Million} {
		b := known(t, func(p *Params) { p.Hands.MostPPM = most })
		b.castled(ByPress, 0, 0, 2, 2)
		judged, kinds := b.told()
		if len(judged) != 1 || judged[0].PPM > most || judged[0].PPM < min(most, 300_000) || !judged[0].Suspected {
			t.Errorf("at most %d: %+v, %s", most, judged, kinds)
		}
	}
}

// The time before the press counts: an increment leaves no time to use one hand. A clock that is not known accuses
// nobody.
func TestTheHurryIsThatOfThePress(t *testing.T) {
	for _, c := range []struct {
		claim  string
		clock  evidence.Times
		gained int
		want   bool
	}{
		{"much time", evidence.Times{White: 300, Black: 5, Known: true}, 0, false},
		{"less than a minute", evidence.Times{White: 59, Black: 300, Known: true}, -1, true},
		{"after an increment", evidence.Times{White: 75, Black: 300, Known: true}, 30, true},
		{"after the beginning of the next period", evidence.Times{White: 1815, Black: 300, Known: true}, 1800, true},
		{"no clock", evidence.Times{}, -1, true},
	} {
		tr := New(DefaultParams())
		tr.pressClock, tr.pressGainedSec = c.clock, c.gained
		if got := tr.hurried(legal.White); got != c.want {
			t.Errorf("%s: %v", c.claim, got)
		}
	}
}

// A fit that wanders round the limit is reported only now and then.
func TestTheScanIsToldSparingly(t *testing.T) {
	b := known(t, nil)
	good := b.hands.scan
	var bad hands.Scan
	for i := range int64(80) {
		bad.Add([]hands.Report{{Square: legal.Square(i * 7 % 64)}, {Square: legal.Square(i * 29 % 64), At: 30_000 + i*i*i*7001%900_000}}, false)
	}
	lines, verdicts := 0, map[ScanVerdict]bool{}
	for i := range 60 {
		b.hands.scan = good
		if i/3%2 == 0 {
			b.hands.scan = bad
		}
		b.at("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1")
		b.made(b.move(legal.E2, legal.E4), ByPress, b.lift(legal.E2, 0), b.put(legal.E4, legal.WhitePawn, 2))
		verdicts[b.Scan().Verdict] = true
		for _, o := range b.Take() {
			if _, ok := o.(ScanKnown); ok {
				lines++
			}
		}
	}
	if !verdicts[HandsHeard] || !verdicts[HandsBlind] || lines < 1 || lines > 3 {
		t.Errorf("%d lines in 60 moves, %v", lines, verdicts)
	}
}

func TestTheScanOfAnotherBoardIsNotThisOnes(t *testing.T) {
	b := known(t, nil)
	if b.Scan().Verdict != HandsHeard {
		t.Fatalf("%+v", b.Scan())
	}
	b.OtherBoard()
	b.castled(ByPress, 0, 0, 2, 2)
	if judged, kinds := b.told(); len(judged) != 1 || judged[0].Abstain != hands.NoSensor || b.ScanTold().Verdict != ScanNew {
		t.Errorf("%+v, %s", judged, kinds)
	}
}

func TestClassOfPlayIsThatOfTheTimeControl(t *testing.T) {
	for _, c := range []struct {
		control      rules.Class
		base, gained int
		want         Play
	}{
		{rules.NoClass, -1, 0, BlitzPlay}, {rules.NoClass, 175, 2, BlitzPlay}, {rules.NoClass, 890, 10, RapidPlay}, {rules.NoClass, 5390, 30, ClassicalPlay},
		{rules.NoClass, 580, 10, RapidPlay}, {rules.NoClass, 300, 3600, BlitzPlay},
		{rules.NoClass, 300, 5, BlitzPlay}, {rules.NoClass, 305, 5, BlitzPlay}, {rules.NoClass, 423, 3, BlitzPlay}, // 5+5 and 7+3: FIDE Laws B.1
		{rules.Standard, 175, 2, ClassicalPlay}, {rules.USQuick, 175, 2, RapidPlay}, {rules.USDual, 175, 0, ClassicalPlay}, {rules.Blitz, 5400, 30, BlitzPlay},
	} {
		p := DefaultParams()
		p.Hands.Control = c.control
		p.White = evidence.LeftSide
		tr := New(p)
		tr.newGame()
		tr.pressGainedSec = c.gained
		if c.base >= 0 {
			tr.c.Take(evidence.ClockReading{Left: c.base, Right: c.base, Running: true, Up: evidence.LeftSide}, 1)
		}
		if got := tr.classed(); got != c.want {
			t.Errorf("%v, %d s and %d: %v, want %v", c.control, c.base, c.gained, got, c.want)
		}
	}
}

// However strong the model's result: a manipulation that one hand can do in a hurry is not reported.
func TestWhatOneHandDoesInAHurryIsNotSuspected(t *testing.T) {
	conf := DefaultHands()
	for p := range plays {
		both := hands.Judgement{Known: true, Kind: hands.Castling, LLR: 9000, Apart: castlingApart, Follows: 9000, Uneven: maxUneven[p]}
		said := conf.State(&both, p)
		for claim, c := range map[string]struct {
			kind                   hands.Kind
			apart, follows, uneven int32
			silent, want           bool
		}{
			"lifted together":                   {hands.Castling, castlingApart, 9000, maxUneven[p], false, true},
			"nothing is known":                  {hands.Castling, castlingApart, 9000, maxUneven[p], true, false},
			"one lift, then the other":          {hands.Castling, castlingApart + 1, maxFollows[p] + 1, maxUneven[p], false, false},
			"the rook as the king comes down":   {hands.Castling, castlingApart + 1, maxFollows[p], maxUneven[p], false, true},
			"one flight is longer":              {hands.Castling, castlingApart, 0, maxUneven[p] + 1, false, false},
			"a capture lifted together":         {hands.Capture, captureApart, 0, 9000, false, true},
			"a capture, one lift, then another": {hands.Capture, captureApart + 1, 0, 0, false, false},
		} {
			j := hands.Judgement{Known: !c.silent, Kind: c.kind, LLR: 9000, Apart: c.apart, Follows: c.follows, Uneven: c.uneven}
			if got := conf.State(&j, p); got.Advisory != c.want || c.kind == hands.Castling && (got.Ratio != said.Ratio || got.PPM != said.PPM) {
				t.Errorf("%v, %s: %+v", p, claim, got)
			}
		}
	}
}
