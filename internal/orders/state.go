package orders

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"boardwatchd/internal/secretfile"
)

// A State is the content of the file.
type State struct {
	Version int `json:"version"`
	// Base marks the configuration under which the round was set: where that is changed, it counts.
	Base   string  `json:"base"`
	Orders *Orders `json:"orders"` // nil: nobody has set a round
	// Hall marks what a hall has given; "": the round was set here.
	Hall string `json:"hall,omitempty"`
	// Before are the settings of boards with a game in progress that began under them.
	Before map[string]Settings `json:"before,omitempty"`
}

const (
	version = 1
	maxFile = 2 << 20
)

// Read reads the file. Where there is none the State is empty. An error names the remedy.
func Read(path string) (s State, err error) {
	if err := secretfile.ReadJSON(path, maxFile, version, &s); err != nil {
		return State{}, fmt.Errorf("the round that was set on the page: %w: set it again there", err)
	}
	return s, nil
}

// Write puts the state on the disk.
func (s State) Write(path string) error {
	s.Version = version
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return secretfile.Replace(path, append(b, '\n'))
}

// Of are the settings that hold at a board.
func (s *State) Of(board string) Settings {
	if before, ok := s.Before[board]; ok {
		return before
	}
	if s.Orders == nil {
		return Settings{}
	}
	return s.Orders.Settings
}

// With is the state with a board that plays on under its settings, or does not any more.
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

// A Gift is what a hall gives a computer.
type Gift struct {
	Orders Orders            `json:"orders"`
	Names  map[string]string `json:"names"` // what the ids in the seats stand for
}

// TakenMark marks what a computer is given of orders with a mark: it tells the orders, and what of them concerns the
// computer.
func TakenMark(mark string, gift []byte) string { return mark + "-" + MarkOf(gift) }

// TakenAs says whether a computer that says this has the orders with a mark.
func TakenAs(mark, said string) bool { return strings.HasPrefix(said, mark+"-") }
