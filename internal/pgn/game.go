package pgn

import (
	"fmt"

	"boardwatchd/rules/legal"
)

// MaxPlies is the largest number of half-moves of a game. The 75-move rule ends every game before 11,800 (FIDE Laws
// 9.6.2).
const MaxPlies = 12000

// Result is the outcome of the game.
type Result uint8

// The results, and what PGN writes for them.
const (
	NoResult  Result = iota // invalid
	Unknown                 // *: in progress, abandoned, or not stated
	WhiteWins               // 1-0
	BlackWins               // 0-1
	Draw                    // 1/2-1/2
)

var resultNames = [...]string{"invalid", "*", "1-0", "0-1", "1/2-1/2"}

// String is the form of PGN.
func (r Result) String() string {
	if int(r) < len(resultNames) {
		return resultNames[r]
	}
	return resultNames[NoResult]
}

// ParseResult reads the forms of String, and 1/2.
func ParseResult(s string) (Result, bool) {
	for r := Unknown; r <= Draw; r++ {
		if resultNames[r] == s {
			return r, true
		}
	}
	if s == "1/2" {
		return Draw, true // a common way to write it
	}
	return NoResult, false
}

// Tag is one pair of the header.
type Tag struct{ Name, Value string }

// Ply is one half-move.
type Ply struct {
	Move       legal.Move
	HasClock   bool
	ClockSec   int // the mover's clock after the move
	HasElapsed bool
	ElapsedSec int    // the time that the move took
	Comment    string // without the times
}

// Game is one game. Result, SetUp, FEN and Variant are fields, not tags: after reading, Tags never contains them, and
// writing ignores them there.
type Game struct {
	Tags   []Tag
	Start  legal.Setup
	Before string // comment before the first move
	Moves  []Ply
	After  string // comment after the last move, such as the reason why the record ends there
	Result Result
}

// New returns a game without moves from the orthodox start position.
func New() Game {
	return Game{Start: legal.StartSetup(orthodox), Result: Unknown}
}

// orthodox is the number of the usual start position among those of Chess960.
const orthodox = 518

// Tag returns the value of the first tag of that name, or "".
func (g *Game) Tag(name string) string {
	for _, t := range g.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// SetTag replaces the value of a tag, or adds the tag.
func (g *Game) SetTag(name, value string) {
	for i := range g.Tags {
		if g.Tags[i].Name == name {
			g.Tags[i].Value = value
			return
		}
	}
	g.Tags = append(g.Tags, Tag{name, value})
}

// Add appends a move.
func (g *Game) Add(m legal.Move) { g.Moves = append(g.Moves, Ply{Move: m}) }

// derived reports whether a tag follows from other fields.
func derived(name string) bool {
	return name == "Result" || name == "SetUp" || name == "FEN" || name == "Variant"
}

// Error says where a text is not a game, and names the remedy.
type Error struct {
	Line, Column int // from 1; columns count characters
	Text         string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Text) }
