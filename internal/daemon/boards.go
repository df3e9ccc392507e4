package daemon

import (
	"context"
	"errors"
	"fmt"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/web"
)

// Instruct hands an instruction of the page or of the outbox to a board.
func (d *Daemon) Instruct(ctx context.Context, board string, body []byte) error {
	if d.hub != nil {
		return fromHub(d.hub.Instruct(ctx, board, body))
	}
	return d.withStation(board, func(s *station.Station) error { return s.Instruct(ctx, body) })
}

// Decide hands the arbiter's decision to a board.
func (d *Daemon) Decide(ctx context.Context, board string, body []byte) error {
	if d.hub != nil {
		return fromHub(d.hub.Decide(ctx, board, body))
	}
	return d.withStation(board, func(s *station.Station) error { return s.Decide(ctx, body) })
}

// Saved waits until a record of a board is on the disk.
func (d *Daemon) Saved(ctx context.Context, board string, seq int64) error {
	if d.hub != nil {
		return fromHub(d.hub.Saved(ctx, board, seq))
	}
	return d.withStation(board, func(s *station.Station) error { return s.Saved(ctx, record.Seq(seq)) })
}

// Head is the newest record of a board's journal that is on the disk. Its number is 0 if none is, or if the board is
// not watched.
func (d *Daemon) Head(board string) journal.Head {
	if d.hub != nil {
		return d.hub.Head(board)
	}
	s := d.Station(board)
	if s == nil {
		return journal.Head{}
	}
	return s.Head()
}

func (d *Daemon) withStation(board string, do func(*station.Station) error) error {
	s := d.Station(board)
	if s == nil {
		return web.ErrNoBoard
	}
	switch err := do(s); {
	case errors.Is(err, station.ErrEnded):
		return fmt.Errorf("%w: %w", web.ErrNoBoard, err)
	case errors.Is(err, station.ErrBusy):
		return fmt.Errorf("%w: %w", web.ErrBusy, err)
	case errors.Is(err, station.ErrPast):
		return fmt.Errorf("%w: %w", web.ErrNever, err)
	case errors.Is(err, station.ErrLost):
		return fmt.Errorf("%w: %w", web.ErrLost, err)
	case errors.Is(err, station.ErrNotSaved):
		return fmt.Errorf("%w: %w", web.ErrNotSaved, err)
	default:
		return err
	}
}

// inForce and unwatched classify an error of Instruct for the outbox.
func inForce(err error) bool { return errors.Is(err, web.ErrNotSaved) }
func unwatched(err error) bool {
	return errors.Is(err, web.ErrNoBoard) || errors.Is(err, web.ErrBusy)
}
