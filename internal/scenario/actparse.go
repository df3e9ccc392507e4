package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"boardwatchd/rules/legal"
)

// actParser goes through the words of a line. Its first error is kept.
type actParser struct {
	act   Act
	words []word
	at    int
	end   int
	err   error
}

func (p *actParser) more() bool { return p.err == nil && p.at < len(p.words) }

// next returns the next word; what names the expected word for the error.
func (p *actParser) next(what string) string {
	if !p.more() {
		p.fail("the line ends where %s should stand", what)
		return ""
	}
	p.at++
	return p.words[p.at-1].text
}

// fail reports an error at the next word, back at the previous one.
func (p *actParser) fail(format string, a ...any) { p.complain(p.at, format, a...) }
func (p *actParser) back(format string, a ...any) { p.complain(p.at-1, format, a...) }

func (p *actParser) complain(i int, format string, a ...any) {
	if p.err != nil {
		return
	}
	at := p.end
	if i >= 0 && i < len(p.words) {
		at = p.words[i].at
	}
	p.err = &ActError{Offset: at, Problem: fmt.Sprintf(format, a...)}
}

// head reads the gap, the actor with a hand, and the verb.
func (p *actParser) head() {
	w := p.next("an actor (W, B, A, N, C or X)")
	if rest, ok := strings.CutPrefix(w, "+"); ok {
		p.act.Gap = p.duration(rest)
		w = p.next("an actor (W, B, A, N, C or X)")
	}
	who, hand, handed := strings.Cut(w, "/")
	if p.err == nil && (len(who) != 1 || !strings.Contains("WBANCX", who)) {
		p.back("%q is nobody; an actor is W, B, A (arbiter), N (somebody), C (clock) or X (equipment), with a hand: W/R, W/L", w)
	}
	if p.err == nil && handed && hand != "R" && hand != "L" {
		p.back("%q is no hand; it is R or L", hand)
	}
	name := p.next("a verb")
	if p.err != nil {
		return
	}
	p.act.Actor = Actor(who[0])
	if handed {
		p.act.Hand = Hand(hand[0])
	}
	p.act.Verb = verbOf(name)
	if p.act.Verb == NoVerb {
		p.back("%q is no verb%s; the verbs are %s", name, near(name, verbList()), strings.Join(verbList(), ", "))
	}
}

// duration reads seconds with at most six decimals.
func (p *actParser) duration(s string) int64 {
	whole, frac, _ := strings.Cut(s, ".")
	us := int64(0)
	for i, c := range []byte(whole + (frac + "000000")[:6]) {
		if c < '0' || c > '9' || i > 12 {
			p.back("%q are no seconds; write them like 0.4", s)
			return 0
		}
		us = 10*us + int64(c-'0')
	}
	switch {
	case whole == "" || len(frac) > 6 || strings.HasSuffix(s, "."):
		p.back("%q are no seconds; write them like 0.4", s)
	case us > longestGapUS:
		p.back("%s seconds are more than an hour", s)
	}
	return us
}

func (p *actParser) square() {
	w := p.next("a square, like e4")
	sq, ok := legal.ParseSquare(w)
	if p.err == nil && !ok {
		p.back("%q is no square; squares are a1 to h8", w)
	}
	p.act.Square = sq
}

// pair reads A-B.
func (p *actParser) pair() {
	w := p.next("two squares, like d2-d3")
	a, b, ok := pairOf(w)
	if p.err == nil && !ok {
		p.back("%q are no two squares; write them like d2-d3", w)
	}
	if p.err == nil && a == b {
		p.back("%q goes nowhere; name two squares", w)
	}
	p.act.Square, p.act.To = a, b
}

func pairOf(w string) (a, b legal.Square, ok bool) {
	from, to, cut := strings.Cut(w, "-")
	a, okA := legal.ParseSquare(from)
	b, okB := legal.ParseSquare(to)
	return a, b, cut && okA && okB
}

const pieceLetters = "KQRBNPkqrbnp"

func pieceOf(w string) (legal.Piece, bool) {
	if len(w) != 1 || !strings.Contains(pieceLetters, w) {
		return legal.NoPiece, false
	}
	side, c := legal.White, w[0]
	if c >= 'a' {
		side, c = legal.Black, c-'a'+'A'
	}
	for k := legal.Pawn; k <= legal.King; k++ {
		if k.Letter() == c {
			return legal.PieceOf(side, k), true
		}
	}
	return legal.NoPiece, false
}

// piece reads a piece; it may be missing unless must is set.
func (p *actParser) piece(must bool) {
	if !must && !p.more() {
		return
	}
	w := p.next("a piece: one of KQRBNP for White, kqrbnp for Black")
	var ok bool
	if p.act.Piece, ok = pieceOf(w); p.err == nil && !ok {
		p.back("%q is no piece; it is one of KQRBNP for White, kqrbnp for Black", w)
	}
}

func (p *actParser) put() {
	p.square()
	for p.more() {
		w := p.next("")
		piece, isPiece := pieceOf(w)
		switch {
		case isPiece && p.act.Piece == legal.NoPiece:
			p.act.Piece = piece
		case w == readingWords[Inverted]:
			p.act.Reading = Inverted
		case w == readingWords[NoChip]:
			p.act.Reading = NoChip
		default:
			p.back("%q says nothing here; after the square come a piece (KQRBNP, kqrbnp) and inverted or nochip", w)
		}
	}
}

func (p *actParser) transfer() {
	p.piece(true)
	w := p.next("the hands, L-R or R-L")
	if p.err == nil && w != "L-R" && w != "R-L" {
		p.back("%q are no hands; it is L-R or R-L", w)
	}
	if p.err == nil {
		p.act.FromHand, p.act.ToHand = Hand(w[0]), Hand(w[2])
	}
}

func (p *actParser) uci() {
	w := p.next("a move, like e2e4 or c7c8q")
	if p.err != nil {
		return
	}
	ok := len(w) == 4 || len(w) == 5 && strings.Contains("qrbnkp", w[4:])
	if ok {
		_, okA := legal.ParseSquare(w[:2])
		_, okB := legal.ParseSquare(w[2:4])
		ok = okA && okB && w[:2] != w[2:4]
	}
	if !ok {
		p.back("%q is no move; write it like e2e4, c7c8q, e1g1", w)
	}
	p.act.UCI = w
}

// side reads W or B. Without it the actor's own side is meant, if there is one.
func (p *actParser) side(must bool) {
	if !p.more() && !must {
		return
	}
	w := p.next("a side, W or B")
	if p.act.Side = sideOf(w); p.err == nil && p.act.Side == legal.NoSide {
		p.back("%q is no side; it is W or B", w)
	}
}

func (p *actParser) press() {
	p.side(false)
	if p.err == nil && p.act.Side == legal.NoSide && p.act.Actor.Side() == legal.NoSide {
		p.fail("%c has no side of the clock; write press W or press B", p.act.Actor)
	}
}

func (p *actParser) wait() {
	w := p.next("seconds")
	if p.err == nil {
		p.act.Wait = p.duration(w)
	}
}

const longestEdit = 36_000 // ten hours

func (p *actParser) edits() {
	for first := true; first || p.more(); first = false {
		w := p.next("a time, like W+120 or B-30")
		if p.err != nil {
			return
		}
		e := TimeEdit{Side: sideOf(w[:1])}
		var ok bool
		if e.Set = len(w) > 1 && w[1] == '='; e.Set {
			e.Sec, ok = timeShown(w[2:])
		} else {
			n, err := strconv.Atoi(w[1:])
			e.Sec, ok = n, err == nil && len(w) > 2 && (w[1] == '+' || w[1] == '-')
		}
		if e.Side == legal.NoSide || !ok || e.Sec > longestEdit || e.Sec < -longestEdit {
			p.back("%q is no change of a time; write it like W+120 or B-30, in seconds, or like W=11:52 as the clock is to show it", w)
			return
		}
		p.act.Edits = append(p.act.Edits, e)
	}
}

// timeShown reads a time as a clock shows it, 11:52 or 1:11:52.
func timeShown(text string) (sec int, ok bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || part[0] == '+' || len(part) > 3 || i > 0 && (len(part) != 2 || n > 59) {
			return 0, false
		}
		sec = 60*sec + n
	}
	return sec, true
}

// resign accepts only players.
func (p *actParser) resign() {
	if p.err == nil && p.act.Actor.Side() == legal.NoSide {
		p.complain(0, "%c does not play; write W resign or B resign, or A result 0-1", p.act.Actor)
	}
}

// say reads the rest of the line: speech is free text, but a claim must be a known one.
func (p *actParser) say() {
	words := []string{p.next("a word")}
	for p.more() {
		words = append(words, p.next(""))
	}
	p.act.Word = strings.Join(words, " ")
	if claim, ok := strings.CutPrefix(p.act.Word, claimPrefix); ok && p.err == nil && !has(claims, claim) {
		p.complain(len(p.words)-len(words), "%q is no claim%s; the claims are %s", claim, near(claim, claims), strings.Join(claims, ", "))
	}
}

func (p *actParser) report() {
	p.act.Word = p.next("what is reported")
	if p.err == nil && !has(reports, p.act.Word) {
		p.back("%q is no report%s; the reports are %s", p.act.Word, near(p.act.Word, reports), strings.Join(reports, ", "))
	}
	for p.more() {
		w := p.next("")
		key, value, assigned := strings.Cut(w, "=")
		_, isSquare := legal.ParseSquare(w)
		_, _, isPair := pairOf(w)
		switch {
		case assigned && key == "move":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > 10_000 || value[0] == '+' {
				p.back("%q is no move number; write it like move=12", w)
			}
			p.act.Move = n
		case assigned:
			p.back("%q is not told with a report; only move=NUMBER is", key)
		case sideOf(w) != legal.NoSide:
			p.act.Side = sideOf(w)
		case isSquare, isPair:
			p.act.Squares = w
		default:
			p.back("%q says nothing here; after the report come a side (W, B), squares (d2-d3) and move=NUMBER", w)
		}
	}
}

func (p *actParser) result() {
	p.act.Result = p.next("a result")
	if p.err == nil && !has(results, p.act.Result) {
		p.back("%q is no result; it is %s", p.act.Result, strings.Join(results, ", "))
	}
}
