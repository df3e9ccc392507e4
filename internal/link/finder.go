package link

import (
	"context"
	"errors"
	"strings"
	"time"
)

// Finder looks for DGT boards among the USB serial ports. It remembers ports without an answer, because such a port may
// belong to a 3D printer: it is asked again only after a pause that doubles from 2 s to 60 s, or after it was
// replugged. A Finder belongs to one goroutine.
type Finder struct {
	System System
	Settle time.Duration // pause after opening, which some boards need

	Patience time.Duration // for one reply; 0: 500 ms
	Now      func() time.Time

	silent map[string]*skipped // by path
}

// skipped is a port that the Finder leaves out for a while.
type skipped struct {
	until time.Time
	wait  time.Duration
	err   error
}

const firstSulk, lastSulk = 2 * time.Second, time.Minute

// Found is a board that answered.
type Found struct {
	Device
	Identity
}

// Scan asks every port that is not in use and not known to be silent, and lists the boards that answered. It leaves no
// port open. The error is a reason why some ports could not be asked; boards may have been found nevertheless.
func (f *Finder) Scan(ctx context.Context) ([]Found, error) {
	var all []Found
	err := f.each(ctx, true, func(p *Port, b Found) bool {
		all = append(all, b)
		_ = p.Close() // it has answered already
		return false
	})
	return all, err
}

// WhyNone returns the reason why Scan has found no board.
func WhyNone(err error) string {
	if err == nil || errors.Is(err, context.Canceled) {
		return "none answered"
	}
	return err.Error()
}

// find returns the board that has the serial number, with its port still open. With alone it also searches for another
// board with that number and refuses if there is one, because their tables cannot be told apart. A search without alone
// finds a known board sooner.
func (f *Finder) find(ctx context.Context, serial string, alone bool) (*Port, Found, error) {
	var port *Port
	var board Found
	var others []string
	err := f.each(ctx, len(serial) > 5, func(p *Port, b Found) bool {
		if !b.Is(serial) {
			_ = p.Close()
			f.skip(b.Path, &Failure{Op: "identify", Path: b.Path, What: ErrOther,
				Hint: "the board there has the serial number " + b.Serial + ", wanted is " + serial})
			return false
		}
		if port != nil {
			_ = p.Close() // it has answered already
			others = append(others, b.Path)
			return false
		}
		port, board = p, b
		return !alone || serial == ""
	})
	if len(others) > 0 {
		_ = port.Close() // it has answered already
		at := append([]string{board.Path}, others...)
		return nil, Found{}, &Failure{Op: "find", Path: "the board with serial number " + serial, What: ErrSeveral,
			Hint: "they are at " + strings.Join(at, ", ") + "; " + SeveralRemedy, Serial: serial, At: at}
	}
	if port != nil {
		return port, board, nil
	}
	return nil, Found{}, err
}

// each opens and identifies the candidates until use, which then owns the port, returns true. Its error is the most
// informative reason for finding none.
func (f *Finder) each(ctx context.Context, long bool, use func(*Port, Found) (done bool)) error {
	ports, err := f.System.list()
	if err != nil {
		return err
	}
	var why error = &Failure{Op: "find", Path: "a board", What: ErrAbsent,
		Hint: "plug one in, or name its port in the configuration; `boardwatchd ports` lists what is there"}
	present := map[string]bool{}
	for _, c := range ports {
		if !c.Likely {
			continue
		}
		present[c.Path] = true
		if s := f.silent[c.Path]; s != nil && f.now().Before(s.until) {
			why = s.err
			continue
		}
		p, id, err := f.ask(ctx, c.Path, long)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			why = err
			continue
		}
		delete(f.silent, c.Path)
		if use(p, Found{f.System.Describe(c.Path), id}) {
			return nil
		}
		if s := f.silent[c.Path]; s != nil {
			why = s.err
		}
	}
	for path := range f.silent {
		if !present[path] {
			delete(f.silent, path) // unplugged: the next device there is asked again
		}
	}
	return why
}

// SeveralRemedy is the remedy for boards that answer with one serial number.
const SeveralRemedy = "name each of them in the configuration by its port and without a serial number " +
	"(`boardwatchd ports` lists them; those below /dev/serial/by-path stay the same)"

func (f *Finder) ask(ctx context.Context, path string, long bool) (*Port, Identity, error) {
	p, err := Open(f.System.at(path))
	if err != nil {
		return nil, Identity{}, err // nothing was sent: it may be tried again at any time
	}
	err = pause(ctx, f.Settle)
	var id Identity
	if err == nil {
		id, err = handshake(ctx, p, f.patience(), long)
	}
	if err != nil {
		_ = p.Close()
		if errors.Is(err, ErrSilent) {
			f.skip(path, err)
		}
		return nil, Identity{}, err
	}
	return p, id, nil
}

// skip makes the Finder skip path for a while, longer each time.
func (f *Finder) skip(path string, err error) {
	if f.silent == nil {
		f.silent = map[string]*skipped{}
	}
	s := f.silent[path]
	if s == nil {
		s = &skipped{wait: firstSulk}
		f.silent[path] = s
	} else {
		s.wait = min(2*s.wait, lastSulk)
	}
	s.until, s.err = f.now().Add(s.wait), err
}

func (f *Finder) patience() time.Duration {
	if f.Patience > 0 {
		return f.Patience
	}
	return patience
}

func (f *Finder) now() time.Time {
	if f.Now != nil {
		return f.Now()
	}
	return time.Now()
}
