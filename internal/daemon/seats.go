package daemon

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/orders"
	"boardwatchd/internal/pairing"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
)

// seats are the players of the round. It is nil without a pairing.
type seats struct{ pairing pairing.Pairing }

// seatsOf returns nil for nil.
func seatsOf(p *pairing.Pairing) *seats {
	if p == nil {
		return nil
	}
	return &seats{*p}
}

// introduce logs once what the pairing says, and what the operator must compare.
func (s *seats) introduce(log zerolog.Logger, boards []config.Board) {
	if s == nil {
		return
	}
	log.Info().Str("round", s.pairing.Round).Int("games", len(s.pairing.Games)).Msg("the pairing was read")
	if s.pairing.BoardsDerived {
		log.Warn().Msg("a TRF has no board numbers: they are worked out from the standings; compare them with the list on the wall")
	}
	for _, b := range boards {
		if _, ok := s.pairing.At(b.Name); !ok {
			log.Warn().Str("board", b.Name).Msg("nobody is paired at this board; its name must be the board's number")
		}
	}
}

// sendNames puts the players of a board into its journal, once: not again after a restart.
func (s *seats) sendNames(ctx context.Context, log zerolog.Logger, board, table string, to *station.Station, told journalNames, id func(name string) string) {
	if s == nil {
		return
	}
	g, ok := s.pairing.At(table)
	if !ok {
		return
	}
	names := namesOf(orders.Seat{Table: g.Board, White: id(g.White.Name), Black: id(g.Black.Name)})
	if sameNames(names, told.names) {
		return
	}
	// Any other error means that the station has ended, which reports it itself.
	if err := to.Instruct(ctx, names.Body()); err != nil && !errors.Is(err, station.ErrEnded) && ctx.Err() == nil {
		log.Error().Err(err).Str("board", board).Msg("the players' names were not taken")
	}
}

// SendNames puts the players of a board into its journal again: names are valid for one game, and another one has
// begun.
func (d *Daemon) SendNames(ctx context.Context, board string) {
	if s := d.Station(board); s != nil {
		d.seats.sendNames(ctx, d.opt.Log, board, d.tables.of(board), s, journalNames{}, d.frontend.people.Player)
	}
}

// journalNames are the names that a journal holds.
type journalNames struct{ names *watch.Instruction }

func (t *journalNames) recovered(r record.Record) {
	var i watch.Instruction
	if r.Kind == record.Instruct && json.Unmarshal(r.Body, &i) == nil && i.Do == watch.DoNames {
		t.names = &i
	}
}
