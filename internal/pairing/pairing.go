package pairing

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Pairing is one round.
type Pairing struct {
	Event         string // the tournament's name; may be empty
	Round         string // its name; may be empty
	Date          string // of the round, YYYY.MM.DD as in PGN; may be empty
	Games         []Game // in the order of the text; TRF: of the boards
	BoardsDerived bool   // the board numbers are not in the text but follow from the standings (package doc)
}

// A Game has the players of a board. Both have names.
type Game struct {
	Board        string // its name: "1", "12"
	White, Black Player
}

// A Player has what a text contains about one player. Everything but the name may be missing.
type Player struct {
	Name       string // as written; in TRF with a space after the comma
	Title      string // GM, IM, FM, CM, WGM, WIM, WFM, WCM; or another one, in capitals
	Federation string // three letters, in capitals
	Rating     int    // 0 is none
	FideID     string // digits
}

// Error is the place of a fault in a text, with the remedy.
type Error struct {
	File         string
	Line, Column int // from 1; columns count characters
	Text         string
	Note         bool // the text is read as a whole all the same: somebody is to look whether it is so
	NoGame       bool // of a note: the line is no game as it stands
	Alone        Game // of a note: White has no opponent at this board; zero: it is about something else
	// Say is Text for translation, for the most frequent faults: a word and its arguments; nil: there is only the
	// English text.
	Say []string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text) }

// Limits of what is read.
const (
	MaxBytes = 4 << 20
	MaxGames = 2000 // of a round

	maxPlayers = 10_000  // lines of a TRF: a start number has four digits
	maxRows    = 100_000 // games in a list or PGN, of all rounds
	maxName    = 100     // characters
)

// Read reads the pairing of a round, or with 0 the latest in the text. Name is the file's, for errors. The error is an
// *Error, or that of reading.
func Read(name string, r io.Reader, round int) (Pairing, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return Pairing{}, fmt.Errorf("read the pairing: %w", err)
	}
	p, e := read(data, round, nil)
	if e != nil {
		e.File = name
		return Pairing{}, e
	}
	return p, nil
}

// Check is Read for a person who checks the result before it is used. Games that cannot be read, or that contradict
// each other, are left out and reported, in the order of their lines. A doubtful entry (a repeated name, a player
// without an opponent) is reported as a Note. If no game is left, the text is no pairing, and the last error is the
// reason.
func Check(name string, data []byte, round int) (Pairing, []*Error) {
	var left leftOut
	p, e := read(data, round, &left)
	if e != nil {
		p, left = Pairing{}, append(left, e)
	}
	slices.SortStableFunc(left, func(a, b *Error) int { return a.Line - b.Line })
	for _, e := range left {
		e.File = name
	}
	return p, left
}

// leftOut collects the faults of games that are left out; if it is nil, one fault refuses the whole text.
type leftOut []*Error

// maxLeftOut is how many faults are reported: with more the whole text is of another kind.
const maxLeftOut = 100

// take returns the fault if it refuses the whole.
func (l *leftOut) take(e *Error) *Error {
	if l == nil || e == nil || len(*l) == maxLeftOut {
		return e
	}
	*l = append(*l, e)
	return nil
}

// note reports a doubtful entry, if faults are collected.
func (l *leftOut) note(e *Error) {
	if l == nil || len(*l) == maxLeftOut {
		return
	}
	e.Note = true
	*l = append(*l, e)
}

func read(data []byte, round int, left *leftOut) (Pairing, *Error) {
	switch {
	case len(data) > MaxBytes:
		return Pairing{}, fault(1, 1, "more than 4 MiB; export one round only")
	case round < 0:
		return Pairing{}, fault(1, 1, fmt.Sprintf("round %d: rounds are counted from 1", round))
	}
	t, e := newText(data)
	if e != nil {
		return Pairing{}, e
	}
	p, e := readers(t.first())(t, round, left)
	t.within(e)
	if left != nil {
		for _, e := range *left {
			t.within(e)
		}
	}
	return p, e
}

// within moves a fault beyond the end of its line to that end, where something is missing.
func (t text) within(e *Error) {
	if e != nil && e.Line <= len(t.lines) {
		e.Column = min(e.Column, 1+utf8.RuneCountInString(t.lines[e.Line-1]))
	}
}

// readers returns the reader for a text, by its first line.
func readers(first string) func(text, int, *leftOut) (Pairing, *Error) {
	switch {
	case first == "":
		return func(text, int, *leftOut) (Pairing, *Error) {
			return Pairing{}, fault(1, 1, "nothing stands here; export the round as PGN, as a list with the columns board, white, black, or as TRF")
		}
	case first[0] == '[':
		return readPGN
	case isTRF(first):
		return readTRF
	}
	return readList
}

// At returns the game at a board. 7, 07, board-7 and Board 007 are the same board.
func (p Pairing) At(board string) (Game, bool) {
	want := plainBoard(board)
	for _, g := range p.Games {
		if want != "" && plainBoard(g.Board) == want {
			return g, true
		}
	}
	return Game{}, false
}

// plainBoard is a board's name without the usual words before the number.
func plainBoard(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if rest, ok := strings.CutPrefix(name, "board"); ok {
		if number := strings.TrimLeft(rest, "-_. #"); number != "" {
			name = number
		}
	}
	if number := strings.TrimLeft(name, "0"); number != "" || name == "" {
		return number
	}
	return "0"
}

func fault(line, column int, text string) *Error {
	return &Error{Line: line, Column: column, Text: text}
}

// withWords sets the words of a fault for translation.
func (e *Error) withWords(word string, args ...any) *Error {
	e.Say = []string{word}
	for _, a := range args {
		e.Say = append(e.Say, fmt.Sprint(a))
	}
	return e
}

// BoardKey is the same for all names that At takes as the same board.
func BoardKey(board string) string { return plainBoard(board) }
