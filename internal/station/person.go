package station

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
)

// ErrNotSaved means that an instruction or decision is in force but not on the disk: the disk does not accept it, or
// has not yet.
var ErrNotSaved = errors.New("in force, but not on the disk yet")

// ErrLost means that a record was dropped because the disk did not accept it; a gap record has its place.
var ErrLost = errors.New("the journal had to drop it")

// ErrBusy means that the loop did not handle an instruction or decision before the context ended: it is in no journal,
// and never will be.
var ErrBusy = errors.New("the board was too busy to take it")

// ErrEnded means that the station has ended and did not take an instruction or decision: it is in no journal.
var ErrEnded = errors.New("the board is not watched any more")

// ErrPast means that a decision cannot count any more. It is in no journal.
var ErrPast = errors.New("another game has begun there, or the players have signed")

// noRecord is the number for an input that is not in the journal because it cannot count.
const noRecord record.Seq = 0

// Instruct hands an instruction to the loop: a watch.Instruction's body, one JSON object. Like every input it is
// written to the journal before the machine is stepped. A nil error means that it is on the disk and that the machine
// has judged it: it survives a crash at that moment. ErrNotSaved means the same except that it is not on the disk.
//
// It may be called from any goroutine, but not from Said. While the loop is busy, or has not been started yet, it waits
// until ctx ends: then the instruction is withdrawn, and the error is ErrBusy. What the loop has begun is waited for
// also when ctx has ended. If the station has ended, the error is ErrEnded. A body that is not a JSON object, or not
// allowed in a journal, is refused at once and never reaches the loop.
func (s *Station) Instruct(ctx context.Context, body []byte) error {
	return s.tell(ctx, record.Instruct, body)
}

// Decide hands the arbiter's decision to the loop, a watch.Decision's body, under the same terms as Instruct; or
// the error is ErrPast.
func (s *Station) Decide(ctx context.Context, body []byte) error {
	return s.tell(ctx, record.Decide, body)
}

func (s *Station) tell(ctx context.Context, kind record.Kind, body []byte) error {
	body = append([]byte(nil), body...)
	if err := checkBody(kind, body); err != nil {
		return err
	}
	taken := &taking{seq: make(chan record.Seq, 1)}
	select {
	case s.inputs <- Input{At: s.Now(), Kind: kind, Body: body, taken: taken}:
	case <-s.ended:
		return ErrEnded
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrBusy, ctx.Err())
	}
	select {
	case seq := <-taken.seq:
		return s.saved(ctx, seq)
	case <-ctx.Done():
		if taken.decide() {
			return fmt.Errorf("%w: %w", ErrBusy, ctx.Err())
		}
	case <-s.ended:
	}
	// The loop has begun it, or takes the inputs in its queue at its end; an input after that is lost.
	select {
	case seq := <-taken.seq:
		return s.saved(ctx, seq)
	case <-s.ended:
	}
	select {
	case seq := <-taken.seq:
		return s.saved(ctx, seq)
	default:
		return ErrEnded
	}
}

// taking is the fate of a person's input in the queue of the loop: the loop begins it, or the caller withdraws it and
// may send it again. Without this an input that waits for longer than its sender would be recorded twice.
type taking struct {
	decided atomic.Bool
	seq     chan record.Seq // receives its number when the input has been stepped, or noRecord; has room for it
}

// decide reports whether the caller of decide is the first one, who decides.
func (t *taking) decide() bool { return t.decided.CompareAndSwap(false, true) }

// Saved waits until the record with this number is on the disk. ErrNotSaved means that it is not yet; together with
// ErrLost it means that the disk did not accept it in time and it never will be there: its effect lasts until the next
// start.
func (s *Station) Saved(ctx context.Context, seq record.Seq) error { return s.saved(ctx, seq) }

func (s *Station) saved(ctx context.Context, seq record.Seq) error {
	if seq == noRecord {
		return ErrPast
	}
	err := s.writer.WaitDurable(ctx, seq)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, journal.ErrLost):
		return errors.Join(ErrNotSaved, ErrLost)
	}
	return errors.Join(ErrNotSaved, err)
}

// checkBody refuses bodies that the journal would refuse: an error of the journal ends the station.
func checkBody(kind record.Kind, body []byte) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil || object == nil {
		return fmt.Errorf("%s: the body is no JSON object: %.100q", kind, body)
	}
	if err := (record.Record{Seq: math.MaxInt64, At: math.MaxInt64, Kind: kind, Body: body}).Check(); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return nil
}
