package daemon

import (
	"io/fs"
	"os"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/pairing"
)

// Options configure a Daemon. Config, Dir and Log are needed; the rest may be left out.
type Options struct {
	Config  config.Config
	File    string // path of the configuration, as a command has to give it; "": none
	Dir     string // of the journals and of the page's own files; made if it is missing
	Log     zerolog.Logger
	Version string // of the program, in journals, page and metrics

	// Pairing has the players of each board; nil: unknown.
	Pairing *pairing.Pairing
	// PairingGone is why the file of the pairing cannot be opened, for instance because its USB stick was pulled; the
	// boards are watched all the same. Nil: it was read, or there is none.
	PairingGone *fs.PathError

	// Show receives lines for people at the program's output: statements of the boards, and the invitation. The loops
	// of the boards call it, so it must not wait. Nil: there is no such output.
	Show       func(line string)
	Invitation Invitation

	// Hub makes this the computer of a hall. It is set by RunHall.
	Hub bool

	// JoinFile may hold a token of a hall, for a computer that is in none yet and whose configuration names none: a
	// file that was put on the card's boot partition. It is read at the start and never written. "": there is none.
	JoinFile string

	// Speed is how much faster than life the time of simulated boards runs; 0 is 1.
	Speed int
	// AnyPort lets the page use another port if its own is in use, because several simulations may run at once.
	AnyPort bool

	Getenv func(key string) string // nil: os.Getenv
}

// Invitation is how much of the invitation for a phone, with its secret code, goes to Show.
type Invitation int

const (
	// PaperOnly is safe anywhere: the code is only on the page to print, a file that only this user can read.
	PaperOnly Invitation = iota
	// WithCode shows the address and the code as text.
	WithCode
	// WithQR shows a QR code too, drawn with block characters of Unicode.
	WithQR
	// WithPlainQR draws it with ASCII characters.
	WithPlainQR
)

// cardToken is JoinFile if that is a file.
func (o *Options) cardToken() string {
	if info, err := os.Stat(o.JoinFile); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return o.JoinFile
}

// command is a command about this program, as a person has to type it.
func (o *Options) command(verb, arguments string) string {
	return config.Typed(o.File, verb, arguments)
}

// withDefaults fills in missing options.
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
