package pgn

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"boardwatchd/rules/legal"
)

// Reader reads the games of a text one after the other.
type Reader struct {
	scan   scanner
	ahead  token // the tag or the end that ended the last game; none otherwise
	failed bool  // the last game had an error: go to the next header first
	moved  bool  // the last game's error was after its header
}

// NewReader reads from text, which it does not change.
func NewReader(text []byte) *Reader { return &Reader{scan: newScanner(text)} }

// Parse reads all games. It stops at the first error, which is an *Error; the
// games before it are returned too. A text without a game is an error.
func Parse(text []byte) ([]Game, error) {
	var games []Game
	r := NewReader(text)
	for {
		g, err := r.Next()
		switch {
		case errors.Is(err, io.EOF) && len(games) == 0:
			return nil, &Error{1, 1, "no game here; a game is a list of moves like 1. e4 e5 2. Nf3 1-0"}
		case errors.Is(err, io.EOF):
			return games, nil
		case err != nil:
			return games, err
		}
		games = append(games, g)
	}
}

// Next returns the next game, or io.EOF. After an *Error it continues with the game after the next header.
func (r *Reader) Next() (Game, error) {
	if r.failed {
		r.failed = false
		r.toHeader()
	}
	p := parser{r: r, game: New()}
	err := p.parse()
	if err != nil {
		r.failed, r.moved = true, p.moved
		return Game{}, err
	}
	if p.empty {
		return Game{}, io.EOF
	}
	return p.game, nil
}

// toHeader skips the rest of a game that could not be read. It skips the rest of its header too, because otherwise the
// moves would be read without the tags that give their start.
func (r *Reader) toHeader() {
	for moved := r.moved; ; {
		t, err := r.token()
		switch {
		case err != nil:
		case t.kind == symbol:
			moved = true
		case t.kind == endOfText, t.kind == tag && (moved || t.name == "Event"):
			r.ahead = t
			return
		}
	}
}

func (r *Reader) token() (token, *Error) {
	if t := r.ahead; t.kind != noToken {
		r.ahead = token{}
		return t, nil
	}
	return r.scan.next()
}

// parser reads one game.
type parser struct {
	r     *Reader
	game  Game
	empty bool

	start    map[string]token // the tags that give the start position
	claimed  Result           // from the tag
	pos      legal.Position
	other    witness
	begun    bool // the position is set
	moved    bool // movetext has begun
	seen     map[string]bool
	comments []string // the comments since the last move
	depth    int      // of variations
	opened   place    // the place of the outermost
}

func (p *parser) parse() error {
	nothing := true
	for {
		t, err := p.r.token()
		if err != nil {
			return err
		}
		switch t.kind {
		case endOfText:
			p.r.ahead = t
			if p.depth > 0 {
				return fault(p.opened, "a variation begins here and does not end; close it with )")
			}
			p.empty = nothing
			return p.finish(NoResult, t)
		case tag:
			if p.moved || t.name == "Event" && p.seen["Event"] {
				p.r.ahead = t
			}
			if p.depth > 0 {
				return fault(p.opened, "a variation begins here and does not end before the next game; close it with )")
			}
			if p.r.ahead.kind != noToken { // the game ended without a result
				return p.finish(NoResult, t)
			}
			p.tag(t)
		case opening:
			if p.depth == 0 {
				p.opened = t.place
			}
			p.depth++
		case closing:
			if p.depth == 0 {
				return fault(t.place, ") without a variation that it could close; take it out")
			}
			p.depth--
		case comment:
			if p.depth == 0 {
				p.comment(t)
			}
		case symbol:
			if p.depth > 0 {
				break // variations are not part of the game
			}
			if done, err := p.symbol(t); done || err != nil {
				return err
			}
		}
		nothing = nothing && t.kind == comment
	}
}

func (p *parser) tag(t token) {
	switch {
	case t.name == "Result":
		if r, ok := ParseResult(t.text); ok {
			p.claimed = r
		}
	case derived(t.name):
		if p.start == nil {
			p.start = map[string]token{}
		}
		if _, twice := p.start[t.name]; !twice {
			p.start[t.name] = t
		}
	case !p.seen[t.name]:
		if p.seen == nil {
			p.seen = map[string]bool{}
		}
		p.seen[t.name] = true
		p.game.Tags = append(p.game.Tags, Tag{t.name, t.text})
	}
}

// comment stores the text and the times.
func (p *parser) comment(t token) {
	text, told := cutTimes(t.text)
	if n := len(p.game.Moves); n > 0 {
		m := &p.game.Moves[n-1]
		if told.hasClock {
			m.HasClock, m.ClockSec = true, told.clock
		}
		if told.hasElapsed {
			m.HasElapsed, m.ElapsedSec = true, told.elapsed
		}
	}
	// A comment with only a time still belongs to the move, so that the next one is about the end of the game.
	p.comments = append(p.comments, plain(text))
}

// settle assigns the comments since the last move. At the end of the game a second comment is about the end.
func (p *parser) settle(end bool) {
	n := len(p.game.Moves)
	switch {
	case len(p.comments) == 0:
	case n == 0:
		p.game.Before = joined(p.comments)
	case end:
		p.game.Moves[n-1].Comment, p.game.After = p.comments[0], joined(p.comments[1:])
	default:
		p.game.Moves[n-1].Comment = joined(p.comments)
	}
	p.comments = nil
}

func joined(parts []string) string {
	parts = slices.DeleteFunc(slices.Clone(parts), func(s string) bool { return s == "" })
	return strings.Join(parts, " ")
}

// symbol handles a result, a number or a move.
func (p *parser) symbol(t token) (done bool, err error) {
	p.moved = true
	if r, ok := ParseResult(t.text); ok {
		return true, p.finish(r, t)
	}
	if isNumber(t.text) || t.text != "--" && strings.Trim(t.text, "+-=/") == "" {
		return false, nil // moves are numbered by position; +/- and the like are opinions
	}
	if err := p.begin(t.place); err != nil {
		return false, err
	}
	if len(p.game.Moves) == MaxPlies {
		return false, fault(t.place, "more than "+strconv.Itoa(MaxPlies)+" half-moves in one game; is a header missing?")
	}
	m, e := p.pos.ParseSAN(t.text)
	if e != nil {
		return false, fault(t.place, p.refusal(t.text, e))
	}
	if len(p.game.Moves) == 0 {
		p.other = newWitness(&p.pos)
	}
	if !p.other.agrees(&p.pos, m, t.text) {
		return false, fault(t.place, show(t.text)+": github.com/notnil/chess reads another move here; please report this game")
	}
	p.settle(false)
	p.game.Add(m)
	p.pos = p.pos.After(m)
	return false, nil
}

// refusal explains why a text is not a move in this position.
func (p *parser) refusal(text string, err error) string {
	where := "move " + strconv.Itoa(p.pos.FullMoves()) + " of " + p.pos.Turn().String()
	switch text {
	case "--", "Z0", "null", "@@@@":
		return where + ": a null move (" + text + ") is no move of a game; take it out, or put the line into a variation ( )"
	}
	var e *legal.SANError
	if errors.As(err, &e) && e.Matches > 1 {
		return where + ": " + strconv.Itoa(e.Matches) + " legal moves are called " + show(text) + "; add the file or rank it comes from"
	}
	return where + ": " + show(text) + " is no legal move in " + p.pos.FEN() + "; `boardwatchd explain` says why"
}

// begin sets the position before the first move.
func (p *parser) begin(at place) error {
	if p.begun {
		return nil
	}
	p.begun = true
	setup, where, err := startOf(p.start)
	if err != nil {
		if where == (place{}) {
			where = at
		}
		return fault(where, err.Error())
	}
	pos, err := startPosition(setup)
	if err != nil {
		return fault(where, "the position of the tag FEN cannot occur: "+err.Error())
	}
	p.game.Start, p.pos = setup, pos
	return nil
}

// finish ends the game; the result after the moves overrides that of the tag.
func (p *parser) finish(r Result, t token) error {
	if r == NoResult {
		r = p.claimed
	}
	if r == NoResult {
		r = Unknown
	}
	p.game.Result = r
	p.settle(true)
	if p.empty {
		return nil
	}
	return p.begin(t.place)
}

func fault(at place, text string) error { return &Error{at.line, at.column, text} }

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// show quotes and shortens a text for an error.
func show(s string) string {
	const longest = 20
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return strconv.Quote(s)
}
