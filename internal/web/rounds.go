package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"time"

	"boardwatchd/rules/words"
)

// Rounds are the journals of this computer, of this round and earlier ones.
type Rounds interface {
	// Rounds lists them, the newest first.
	Rounds() ([]Round, error)
	// Games are the games of a round, board by board. The error is ErrNoRound, or why it cannot be read.
	Games(ctx context.Context, round string) ([]RoundGame, error)
	// Write writes one of RoundFiles. With ErrNoRound nothing was written.
	Write(ctx context.Context, w io.Writer, round, file, lang string) error
}

// ErrNoRound means that no journal is of that round.
var ErrNoRound = errors.New("there is no such round")

// A Round is the journals of one round of one event.
type Round struct {
	ID     string   `json:"id"` // as in its journals' names, with a mark for an older event; letters, digits and hyphens
	Round  string   `json:"round"`
	Boards []string `json:"boards"`  // the boards as people call them
	WallMS int64    `json:"wall_ms"` // when the last of them was written
	Bytes  int64    `json:"bytes"`
}

// A RoundGame is a summary of one game of a round.
type RoundGame struct {
	Board  string `json:"board"`
	Game   int    `json:"game"`
	White  string `json:"white"`
	Black  string `json:"black"`
	Result string `json:"result"` // "": none was entered
	Plies  int    `json:"plies"`
	WallMS int64  `json:"wall_ms"` // of its beginning; 0: unknown
}

// The files of a round.
const (
	ReportHTML  = "report.html"
	ReportJSON  = "report.json"
	GamesPGN    = "games.pgn"
	JournalsZIP = "journals.zip"
	ResultsCSV  = "results.csv"
)

// A roundFile is how a file is sent. A page that is opened in the browser runs nothing, loads nothing and is no part of
// the arbiter's page.
type roundFile struct {
	kind   string
	inline bool
	stream bool // sent while it is made; otherwise it is complete before the first byte is sent
}

var roundFiles = map[string]roundFile{
	ReportHTML:  {kind: "text/html; charset=utf-8", inline: true},
	ReportJSON:  {kind: "application/json; charset=utf-8"},
	GamesPGN:    {kind: "application/x-chess-pgn; charset=utf-8"},
	ResultsCSV:  {kind: "text/csv; charset=utf-8"},
	JournalsZIP: {kind: "application/zip", stream: true},
}

const reportCSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// roundTime is how long the reading of a round may take: a hall's hundred boards take some seconds on a small computer.
const roundTime = 2 * time.Minute

func (s *Server) rounds(w http.ResponseWriter, _ *http.Request, _ *call) error {
	list := []Round{}
	if s.Rounds != nil {
		var err error
		if list, err = s.Rounds.Rounds(); err != nil {
			return s.unreadable(err)
		}
	}
	return answer(w, map[string]any{"rounds": orEmpty(list), "current": s.Round()})
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (s *Server) roundGames(w http.ResponseWriter, r *http.Request, _ *call) error {
	var list []RoundGame
	err := s.reading(w, r, s.oneRound, func(ctx context.Context) (err error) {
		list, err = s.Rounds.Games(ctx, r.PathValue("round"))
		return err
	})
	if err != nil {
		return s.unreadable(err)
	}
	return answer(w, map[string]any{"games": orEmpty(list)})
}

// zipsAtOnce is how many archives of journals are sent at a time: each takes as long as its reader.
const zipsAtOnce = 4

// reading waits for a place, and reads. One round at a time leaves the rest of the processor to the boards. The result
// is sent after that, so that a slow reader does not delay others.
func (s *Server) reading(w http.ResponseWriter, r *http.Request, places chan struct{}, read func(context.Context) error) error {
	if s.Rounds == nil {
		return notFound()
	}
	ctx, cancel := context.WithTimeout(r.Context(), roundTime)
	defer cancel()
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(roundTime + s.Stall))
	select {
	case places <- struct{}{}:
		defer func() { <-places }()
		return read(ctx)
	case <-ctx.Done():
		return refuse(http.StatusServiceUnavailable, "busy", "Another round is being read.", "Ask again in a minute.")
	}
}

func (s *Server) unreadable(err error) error {
	var no *refusal
	switch {
	case errors.As(err, &no):
		return err
	case errors.Is(err, ErrNoRound):
		return notFound()
	}
	s.log.Error().Err(err).Msg("the journals of a round")
	return refuse(http.StatusInternalServerError, "unreadable", "The journals cannot be read.", "The log of the computer says why; boardwatchd report and verify tell more.")
}

func (s *Server) roundFile(w http.ResponseWriter, r *http.Request, _ *call) error {
	name, round := r.PathValue("file"), r.PathValue("round")
	f, ok := roundFiles[name]
	if !ok {
		return notFound()
	}
	lang := r.URL.Query().Get("lang")
	if !slices.Contains(words.Languages(), lang) {
		lang = "en"
	}
	out := &sending{w: w, r: r, s: s, f: f, file: round + "-" + name}
	if f.stream {
		// It has no time limit: it goes on while the client accepts data, and notices when the client has gone.
		err := s.reading(w, r, s.zips, func(context.Context) error { return s.Rounds.Write(r.Context(), out, round, name, lang) })
		if err != nil && out.begun {
			s.log.Error().Err(err).Msg("the journals of a round")
			panic(http.ErrAbortHandler) // the client must not mistake the part that it has for the whole
		}
		if err != nil {
			return s.unreadable(err)
		}
		return nil
	}
	var b bytes.Buffer
	err := s.reading(w, r, s.oneRound, func(ctx context.Context) error { return s.Rounds.Write(ctx, &b, round, name, lang) })
	if err != nil {
		return s.unreadable(err)
	}
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	_, _ = b.WriteTo(out)
	return nil // a client that has gone is not an error
}

// A sending is sent piece by piece, each of which the client has to accept in a limited time.
type sending struct {
	w     http.ResponseWriter
	r     *http.Request
	s     *Server
	f     roundFile
	file  string
	begun bool

	sent  int           // bytes of the current piece
	spent time.Duration // time spent waiting for the client in the current piece
}

// piece is how many bytes have to be sent within one Stall. The time to make them does not count.
const piece = 64 << 10

func (d *sending) Write(b []byte) (n int, err error) {
	if !d.begun {
		d.begin()
	}
	control := http.NewResponseController(d.w)
	for len(b) > 0 && err == nil {
		begun := time.Now()
		_ = control.SetWriteDeadline(begun.Add(d.s.Stall - d.spent))
		var m int
		m, err = d.w.Write(b[:min(piece-d.sent, len(b))])
		n, b = n+m, b[m:]
		d.sent, d.spent = d.sent+m, d.spent+time.Since(begun)
		if d.sent == piece {
			d.sent, d.spent = 0, 0
		}
	}
	return n, err
}

func (d *sending) begin() {
	d.begun = true
	h := d.w.Header()
	h.Set("Content-Type", d.f.kind)
	h.Set("Cache-Control", "no-store")
	how := "attachment"
	if d.f.inline {
		how = "inline"
		h.Set("Content-Security-Policy", reportCSP)
	}
	h.Set("Content-Disposition", mime.FormatMediaType(how, map[string]string{"filename": d.file}))
	d.w.WriteHeader(http.StatusOK)
}
