package daemon

import (
	"context"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/link"
)

// discoverEvery is how often new boards are looked for. Connected devices are queried, not only listed.
const discoverEvery = 2 * time.Second

// discover finds boards and begins to watch each new one under its own serial number, whatever port it is plugged into
// later.
func (d *Daemon) discover(ctx context.Context) {
	f := link.Finder{Settle: d.opt.Config.Timing.Settle}
	told := ""
	cannot := map[string]string{} // by board, why it cannot be watched
	for ctx.Err() == nil {
		found, err := f.Scan(ctx)
		for _, b := range d.serials.unique(found) {
			name := "board-" + b.Serial
			if d.Station(name) != nil {
				continue
			}
			board := config.NewBoard(name, link.Auto)
			board.Serial = b.Serial
			_, err := d.watchBoard(ctx, board)
			if err == nil {
				delete(cannot, name)
			} else if cannot[name] != err.Error() { // tried again at the next look
				cannot[name] = err.Error()
				d.opt.Log.Error().Err(err).Str("board", name).Msg("cannot watch; trying again")
			}
		}
		if text := link.WhyNone(err); d.Watched() == 0 && text != told {
			told = text
			d.opt.Log.Warn().Msg("no board is watched yet: " + text + "; looking on")
		}
		select {
		case <-ctx.Done():
		case <-time.After(discoverEvery):
		}
	}
}
