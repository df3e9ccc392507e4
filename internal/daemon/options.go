package daemon

import (
	"io/fs"
	"os"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/pairing"
)

// Options are what a Daemon is made of. Config, Dir and Log are needed; the rest may be left out.
type Options struct {
	Config  config.Config
	File    string // that the configuration was read from, as a command must name it; "": none
	Dir     string // of the journals and of the page's own files; made where it is missing
	Log     zerolog.Logger
	Version string // of the program, as journals, page and metrics say it

	// Pairing says who sits at which board; nil: nobody said.
	Pairing *pairing.Pairing
	// PairingGone is why the file of the pairing cannot be opened: a stick that was pulled keeps no board from being
	// watched. Nil: it was read, or there is none.
	PairingGone *fs.PathError

	// Show takes lines for whoever looks at the program's output: what the boards say, and the invitation. It is called
	// by the loops of the boards and must not wait. Nil: nobody looks.
	Show       func(line string)
	Invitation Invitation

	// Hub makes this the computer of a hall, with RunHall in the place of Run.
	Hub bool

	// JoinFile may hold a token of a hall, for a computer that is in none yet and whose configuration names none: a
	// file that was put on the card's boot partition. It is read at the start and never written. "": none is looked
	// for.
	JoinFile string

	// Speed is how much faster than life the boards' time runs, where they are simulated; 0 is 1.
	Speed int
	// AnyPort lets the page use another port where its own is taken: several simulations may run beside each other.
	AnyPort bool

	Getenv func(key string) string // nil: os.Getenv
}

// Invitation is how much of the invitation for a phone, with its secret code, goes to Show.
type Invitation int

const (
	// PaperOnly is the one that is safe anywhere: the code is only on the page to print, a file that nobody else can
	// read.
	PaperOnly Invitation = iota
	// WithCode shows the address and the code as text.
	WithCode
	// WithQR shows a QR code too, drawn with block characters of Unicode.
	WithQR
	// WithPlainQR draws it with the letters of ASCII.
	WithPlainQR
)

// cardToken is JoinFile where that is a file.
func (o *Options) cardToken() string {
	if info, err := os.Stat(o.JoinFile); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return o.JoinFile
}

// typed are the arguments of a command about this program, as a person has to type them.
func (o *Options) typed(arguments string) string {
	return config.Typed(o.File, arguments)
}

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	if o.Show == nil {
		o.Show = func(string) {}
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	o.Speed = max(o.Speed, 1)
	return o
}
