package station

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
)

// ErrNotSaved says that what a person told is in force, and not on the disk: the disk does not take it, or has not yet.
var ErrNotSaved = errors.New("in force, but not on the disk yet")

// ErrLost says that a record was dropped because the disk did not take it; a gap stands in its place.
var ErrLost = errors.New("the journal had to drop it")

// ErrBusy says that the loop did not come to what a person said before the context ended: it is in no journal, and never will be.
var ErrBusy = errors.New("the board was too busy to take it")

// ErrEnded says that the station has ended and did not take what a person said: it is in no journal.
var ErrEnded = errors.New("the board is not watched any more")

// Instruct hands an instruction to the loop: a watch.Instruction's body, one JSON object. Like every input it is in the
// journal before the machine sees it; nil means that it is, on the disk, and that the machine has answered: it outlives a
// crash at that moment. ErrNotSaved means the same, but for the disk.
//
// It may be called from any goroutine, but not from Said. While the loop is busy, or has not been started yet, it waits,
// until ctx ends: then the error is that of ctx, and the instruction may still be taken. Where the station has ended, it
// is ErrEnded. A body that is no JSON object, or cannot stand in a journal, is refused at once and the loop never sees it.
func (s *Station) Instruct(ctx context.Context, body []byte) error {
	return s.tell(ctx, record.Instruct, body)
}

// Decide hands the arbiter's decision to the loop, a watch.Decision's body, under the same terms as Instruct.
func (s *Station) Decide(ctx context.Context, body []byte) error {
	return s.tell(ctx, record.Decide, body)
}

func (s *Station) tell(ctx context.Context, kind record.Kind, body []byte) error {
	body = append([]byte(nil), body...)
	if err := checkTold(kind, body); err != nil {
		return err
	}
	taken := make(chan record.Seq, 1)
	select {
	case s.inputs <- Input{At: s.Now(), Kind: kind, Body: body, taken: taken}:
	case <-s.ended:
		return ErrEnded
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrBusy, ctx.Err())
	}
	select {
	case seq := <-taken:
		return s.saved(ctx, seq)
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ended:
	}
	// The loop takes what it finds in its queue at the end; what came behind that is lost.
	select {
	case seq := <-taken:
		return s.saved(ctx, seq)
	default:
		return ErrEnded
	}
}

// Saved waits until the record with this number is on the disk. ErrNotSaved says that it is not, yet; where it is ErrLost
// as well, the disk did not take it in time and it never will be there: what it said holds until the next start.
func (s *Station) Saved(ctx context.Context, seq record.Seq) error { return s.saved(ctx, seq) }

func (s *Station) saved(ctx context.Context, seq record.Seq) error {
	err := s.writer.WaitDurable(ctx, seq)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, journal.ErrLost):
		return errors.Join(ErrNotSaved, ErrLost)
	}
	return errors.Join(ErrNotSaved, err)
}

// checkTold refuses what the journal would refuse: an error of the journal ends the station.
func checkTold(kind record.Kind, body []byte) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil || object == nil {
		return fmt.Errorf("%s: the body is no JSON object: %.100q", kind, body)
	}
	if err := (record.Record{Seq: math.MaxInt64, At: math.MaxInt64, Kind: kind, Body: body}).Check(); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}
