package daemon

import (
	"context"
	"slices"
	"sync"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/link"
)

// A cable in another socket looks like a dead one to a board whose port the configuration names. While such a board does
// not answer, the ports that nobody uses are asked, as for boards that are found by themselves.

// strays are the boards that answer where nobody watches them.
type strays struct {
	mu sync.Mutex
	of map[string]stray // by the board that does not answer meanwhile

	missed map[string]int // looks in a row at which a board did not answer; of the looking goroutine alone
}

type stray struct{ serial, port string }

const (
	// strayEvery is how often it is looked for them.
	strayEvery = 5 * time.Second
	// strayLooks is how many looks in a row a board has not answered by then: a cable that was pulled is put back soon.
	strayLooks = 2
)

// run looks until ctx ends.
func (s *strays) run(ctx context.Context, d *Daemon) {
	f := link.Finder{Settle: d.opt.Config.Timing.Settle}
	scan := func() []link.Found {
		found, _ := f.Scan(ctx) // a port that cannot be asked says nothing
		return found
	}
	for pause(ctx, strayEvery) {
		s.probe(d.unanswered(), scan, d.serials.belonging)
	}
}

// unanswered are the boards whose ports the configuration names and which do not answer there.
func (d *Daemon) unanswered() (boards []string) {
	for _, b := range d.opt.Config.Boards {
		if now, _ := d.frontend.boards.One(b.Name); b.Port != config.Auto && d.Station(b.Name) != nil && now.Link != "up" {
			boards = append(boards, b.Name)
		}
	}
	return boards
}

// probe asks the ports that nobody uses, once a board has not answered at several checks in a row.
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
	of := whose(missing, found, belonging)
	s.mu.Lock()
	s.of = of
	s.mu.Unlock()
}

// whose says which of the boards that were found is to be told to which board that does not answer: the own one, or one
// that belongs to none of them.
func whose(missing []string, found []link.Found, belonging func(board string) string) map[string]stray {
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
	return s.of[board]
}
