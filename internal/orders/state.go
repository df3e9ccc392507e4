package orders

import (
	"fmt"
	"maps"
	"strings"

	"boardwatchd/internal/secretfile"
)

// A State is the content of the file.
type State struct {
	Version int `json:"version"`
	// Base identifies the configuration under which the round was set: once that is changed, the configuration replaces
	// the round.
	Base   string  `json:"base"`
	Orders *Orders `json:"orders"` // nil: no round was set
	// Hall is the mark of the round from a hall; "": the round was set here.
	Hall string `json:"hall,omitempty"`
	// Before has the settings of boards whose game in progress began under earlier ones.
	Before map[string]Settings `json:"before,omitempty"`
}

const (
	version = 1
	maxFile = 2 << 20
)

// Read reads the file. Without a file the State is empty. An error names the remedy.
func Read(path string) (s State, err error) {
	if err := secretfile.ReadJSON(path, maxFile, version, &s); err != nil {
		return State{}, fmt.Errorf("the round that was set on the page: %w: set it again there", err)
	}
	return s, nil
}

// Write writes the state to the disk.
func (s State) Write(path string) error {
	s.Version = version
	return secretfile.WriteJSON(path, s)
}

// Of returns the settings in force at a board.
func (s *State) Of(board string) Settings {
	if before, ok := s.Before[board]; ok {
		return before
	}
	if s.Orders == nil {
		return Settings{}
	}
	return s.Orders.Settings
}

// With returns the state after a board has begun, or ceased, to play on under earlier settings.
func (s State) With(board string, before Settings, on bool) State {
	s.Before = maps.Clone(s.Before)
	if !on {
		delete(s.Before, board)
		return s
	}
	if s.Before == nil {
		s.Before = map[string]Settings{}
	}
	s.Before[board] = before
	return s
}

// A Gift is the round that a hall gives a computer.
type Gift struct {
	Orders Orders            `json:"orders"`
	Names  map[string]string `json:"names"` // the names for the ids in the seats
}

// GiftMark identifies the gift that a computer gets of orders with a mark: the orders, and the part of them for the
// computer.
func GiftMark(mark string, gift []byte) string { return mark + "-" + MarkOf(gift) }

// IsGiftOf reports whether a computer that sends this mark has the orders with a mark.
func IsGiftOf(mark, said string) bool { return strings.HasPrefix(said, mark+"-") }
