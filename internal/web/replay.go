package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"boardwatchd/internal/playback"
)

// Replays reads the journal of a board for the replay page.
type Replays interface {
	// Replay reads the whole journal. With the name of a rule profile it returns only what would be different under it.
	// The error is ErrNoJournal, or ErrNoProfile, or the disk's.
	Replay(ctx context.Context, board, profile string) (*playback.Recording, error)
}

// Errors of Replays.
var (
	ErrNoJournal = errors.New("there is no journal of that board here")
	ErrNoProfile = errors.New("there is no rule profile of that name")
)

// replayTime is how long the reading of a journal may take: a long one, judged twice on a small computer.
const replayTime = 2 * time.Minute

// replay is the journal of a board for the replay page, for paired devices only, because it has positions.
func (s *Server) replay(w http.ResponseWriter, r *http.Request, _ *call) error {
	name, profile := r.PathValue("board"), r.URL.Query().Get("profile")
	if !s.knowsBoard(name) {
		return noSuchBoard(name)
	}
	if s.Replays == nil {
		return notFound()
	}
	ctx, cancel := context.WithTimeout(r.Context(), replayTime)
	defer cancel()
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(replayTime + 2*s.Stall))
	rec, err := s.Replays.Replay(ctx, name, profile)
	switch {
	case errors.Is(err, ErrNoJournal):
		return refuse(http.StatusNotFound, "no_journal", "There is no journal of this board here.", "Wait until the board has sent something.")
	case errors.Is(err, ErrNoProfile):
		return wrongKey("profile", "is no rule profile", "Take a name that boardwatchd replay --help lists.")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return refuse(http.StatusServiceUnavailable, "busy", "The journal could not be read in time.", "Try again; boardwatchd replay --html reads it on another computer.")
	case err != nil:
		s.log.Error().Err(err).Str("board", name).Msg("The journal could not be read for the replay.")
		return refuse(http.StatusInternalServerError, "unreadable", "The journal could not be read.", "Look at the program's log, and run boardwatchd verify.")
	}
	return answerLong(w, r, rec)
}
