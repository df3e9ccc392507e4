package daemon

import (
	"context"
	"slices"
	"sync"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/link"
)

// A board whose port is configured looks dead if its cable is in another socket. While such a board does not answer,
// the unused ports are queried, as for boards that are found automatically.

// strays are the boards that answer at ports that are not watched.
type strays struct {
	mu             sync.Mutex
	byMissingBoard map[string]stray // by the board that does not answer meanwhile

	missed map[string]int // looks in a row at which a board did not answer; run's goroutine owns it
}

type stray struct{ serial, port string }

const (
	// strayEvery is how often they are looked for.
	strayEvery = 5 * time.Second
	// strayLooks is after how many looks in a row without an answer ports are queried: a cable that was pulled is put
	// back soon.
	strayLooks = 2
)

// run looks for them until ctx ends.
func (s *strays) run(ctx context.Context, d *Daemon) {
	f := link.Finder{Settle: d.opt.Config.Timing.Settle}
	scan := func() []link.Found {
		found, _ := f.Scan(ctx) // a port that cannot be queried counts as empty
		return found
	}
	for pause(ctx, strayEvery) {
		s.probe(d.unanswered(), scan, d.serials.belonging)
	}
}

// unanswered are the boards with a configured port that do not answer there.
func (d *Daemon) unanswered() (boards []string) {
	for _, b := range d.opt.Config.Boards {
		if now, _ := d.frontend.boards.One(b.Name); b.Port != config.Auto && d.Station(b.Name) != nil && now.Link != "up" {
			boards = append(boards, b.Name)
		}
	}
	return boards
}

// probe queries the unused ports, once a board has not answered at several looks in a row.
func (s *strays) probe(unanswered []string, scan func() []link.Found, belonging func(board string) string) {
	missed := map[string]int{}
	var missing []string
	for _, board := range unanswered {
		if missed[board] = s.missed[board] + 1; missed[board] >= strayLooks {
			missing = append(missing, board)
		}
	}
	s.missed = missed
	var found []link.Found
	if len(missing) > 0 {
		found = scan()
	}
	of := assignStrays(missing, found, belonging)
	s.mu.Lock()
	s.byMissingBoard = of
	s.mu.Unlock()
}

// assignStrays assigns to each board that does not answer the found board to report: its own one, or one that belongs
// to none of them.
func assignStrays(missing []string, found []link.Found, belonging func(board string) string) map[string]stray {
	of, known := map[string]stray{}, map[string]bool{}
	for _, board := range missing {
		number := belonging(board)
		known[number] = true
		if i := slices.IndexFunc(found, func(o link.Found) bool { return number != "" && o.Is(number) }); i >= 0 {
			of[board] = stray{found[i].Serial, found[i].Path}
		}
	}
	for _, board := range missing {
		if _, own := of[board]; own {
			continue
		}
		if i := slices.IndexFunc(found, func(o link.Found) bool { return !known[o.Serial] }); i >= 0 {
			of[board] = stray{found[i].Serial, found[i].Path}
		}
	}
	return of
}

func (s *strays) near(board string) stray {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byMissingBoard[board]
}
