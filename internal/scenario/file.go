package scenario

import (
	"boardwatchd/internal/config"
	"boardwatchd/rules/legal"
)

// A File is a file of cases.
type File struct {
	Name     string
	Profiles []Profile
	Cases    []Case
}

// A Profile is a file's entry about a rule set, as far as playing a case needs it.
type Profile struct {
	Name     string
	TC       string // the time control of its cases: 90+30, "G/60 d5"
	Inherits string
}

// A Case is one row of a file.
type Case struct {
	ID, Title, Trace string
	Profile          string
	TC               string // "": the profile's
	Scan             int64  // of the board, µs; 0: scanUS
	Hands            Pace   // of the ordinary moves
	Start            Start
	Unchecked        bool              // Start need not be a legal position
	Rules            []config.Override // keys of the rule set with other values in this case
	Strikes          Sides
	Acts             []Act
	Presses          []string // press_results
	Expect           Expect

	Line     int             // its first line
	Problems config.Problems // its faults; it fails, but is played if possible
	Broken   bool            // it cannot be played
}

// A Start is the position in which a case begins.
type Start struct {
	Text  string
	Setup legal.Setup
	Moves []string // UCI, played and pressed before the case begins
}

// Sides is a number for each player.
type Sides struct{ White, Black int }

// Expect is the expectation of a file. An empty string is a key that is not given; "none" is a given value.
type Expect struct {
	Finding     string
	Kind        string
	By          string // white, black, none
	Proof       string
	Alert       string
	Articles    string
	Window      string
	Position    string
	PositionFEN string
	MustPlay    string
	RunClock    string // white, black, none
	Result      string
	Bonus       *Sides
	TakeBack    *Sides
	Strikes     *Sides
	Never       []string
}

// timeControl returns the time control of a case: its own, or that of its profile in the file or of the one it inherits
// from, or the usual one of the program's profile.
func (f *File) timeControl(c *Case) string {
	if c.TC != "" {
		return c.TC
	}
	name := c.Profile
	for range f.Profiles { // a chain is never longer than the list
		p := f.profile(name)
		if p == nil {
			break
		}
		if p.TC != "" {
			return p.TC
		}
		name = p.Inherits
	}
	p, err := config.Profile(c.Profile)
	if err != nil {
		return "" // playing the case will report it
	}
	return p.TimeControl
}

func (f *File) profile(name string) *Profile {
	for i := range f.Profiles {
		if f.Profiles[i].Name == name {
			return &f.Profiles[i]
		}
	}
	return nil
}
