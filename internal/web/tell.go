package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/alert"
	"boardwatchd/internal/journal"
	"boardwatchd/internal/live"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// decideTime is the longest that a phone waits for the disk.
const decideTime = 10 * time.Second

// maxRequest is the greatest length of a request id; a UUID has 36.
const maxRequest = 64

// Recovered takes a record of a board's journal, Entered one of its live loop. Both need the Instruct and Decide
// records, and never wait. The server learns from them which requests were carried out already, even before a restart.
// Expect comes before the first record that is recovered.
func (s *Server) Recovered(board string, r record.Record) { s.once.note(board, r, true) }

// Mirrored is Recovered for a copy of a journal, which shows nothing of the board's disk: the board is asked before the
// answer that such a record is saved.
func (s *Server) Mirrored(board string, r record.Record) { s.once.note(board, r, false) }

// Expect announces that a board's journal will be read. Until then requests about the board are answered with "not
// watched at this moment".
func (s *Server) Expect(board string) { s.once.setReading(board, false) }

// Ready reports that a board's journal was read to its end, before Boards knows the board. Earlier inputs that are not
// in the journal are lost and may be made again.
func (s *Server) Ready(board string) { s.once.setReading(board, true) }

// Entered is called with the record before Boards returns. See Recovered.
func (s *Server) Entered(board string, r record.Record) { s.once.note(board, r, false) }

// signed are the fields that the program adds to every input of a person.
type signed struct {
	Device  string `json:"device"`
	Request string `json:"request"`
	WallMS  int64  `json:"wall_ms"`
	Note    string `json:"note,omitempty"`
}

func (s *Server) sign(d access.Device, request, note string) signed {
	s.registerDevice(d)
	return signed{d.ID, request, s.Now().UnixMilli(), note}
}

// registerDevice registers the name of a device, and returns its id.
func (s *Server) registerDevice(d access.Device) string {
	if s.People != nil {
		s.People.Device(d.ID, d.Name)
	}
	return d.ID
}

// storeNote returns the form of a note for the journal. It is called when the other fields of the input are valid.
func (s *Server) storeNote(note string) string {
	if s.People == nil {
		return note
	}
	return s.People.Note(note)
}

// dropNote removes the note of an input that is in no journal: if the phone sends it again, it gets another id.
func (s *Server) dropNote(id string, err error) {
	if s.People != nil && id != "" && (errors.Is(err, ErrNoBoard) || errors.Is(err, ErrBusy) || errors.Is(err, ErrLost) || errors.Is(err, ErrNever)) {
		_, _ = s.People.Forget(id) // a note that cannot be forgotten does no harm
	}
}

type decision struct {
	Finding  string `json:"finding"`
	Decision string `json:"decision"`
	signed
}

type instruction struct {
	watch.Instruction
	signed
}

type savedAnswer struct {
	Saved bool          `json:"saved"`
	Seq   int64         `json:"seq"`
	Head  *journal.Head `json:"head"`
	Item  *live.Item    `json:"item,omitempty"`
	// Waits: the decision is on the hall's disk, because the board cannot be reached.
	Waits bool `json:"waits,omitempty"`
}

// decide takes the arbiter's decision. The answer comes when it is on the disk.
func (s *Server) decide(w http.ResponseWriter, r *http.Request, c *call) error {
	o := c.body
	request := requestID(o)
	d := decision{
		Finding:  o.text("finding", 1, 200),
		Decision: o.word("decision", "confirm", "reject", "unseen", "accident", "sensor", "later", "undo"),
	}
	asOf := o.number("as_of", 1, 1<<53)
	note, of, known := o.note("note", 500), o.text("journal", 0, 200), o.text("waiting", 0, maxRequest)
	if err := o.done(); err != nil {
		return err
	}
	board := r.PathValue("board")
	if !s.knowsBoard(board) {
		return noSuchBoard(board)
	}
	seq, err := s.carryOutOnce(r.Context(), board, request, func(ctx context.Context) error {
		if err := s.waits(board, request); err != nil {
			return err
		}
		unseen := s.contradicts(board, &d, c.device.ID, known) // before the item, which has what the board gets meanwhile
		item, ok := s.item(board, d.Finding)
		ok = ok && (of == "" || s.Live.Shows(board, of)) // after the item: another journal may have begun
		fits := ok && !unseen && asOf <= item.Seq && (asOf >= item.Since || item.Since <= s.once.findingSeq(board, request))
		switch {
		case !fits && s.once.reading(board), (!ok || asOf > item.Seq) && s.behind(board):
			return ErrNoBoard // it may exist once all is read, and all is here
		case !ok:
			return refuse(http.StatusNotFound, "no_such_finding", "There is no such finding at this board.",
				"Look at the board's findings again.")
		case !fits:
			e := refuse(http.StatusConflict, "changed", "This has changed since you looked at it.",
				"Look at it as it is now, and decide again.")
			e.item = item
			return e
		}
		d.signed = s.sign(c.device, request, s.storeNote(note))
		err := s.Boards.Decide(ctx, board, encode(d))
		s.dropNote(d.Note, err)
		if item, ok := s.item(board, d.Finding); ok && err != nil {
			s.once.rememberFinding(board, request, item.Seq)
		}
		return err
	})
	waits := errors.Is(err, ErrWaits)
	if err != nil && !waits {
		return err
	}
	a := savedAnswer{Saved: true, Seq: seq, Head: s.headFrom(board, seq), Waits: waits}
	if item, ok := s.item(board, d.Finding); ok {
		a.Item = &item
	}
	return answer(w, a)
}

func (s *Server) report(w http.ResponseWriter, r *http.Request, c *call) error {
	return s.instructBoard(w, r, c, readReport)
}

func (s *Server) claim(w http.ResponseWriter, r *http.Request, c *call) error {
	return s.instructBoard(w, r, c, readClaim)
}

func (s *Server) instruct(w http.ResponseWriter, r *http.Request, c *call) error {
	return s.instructBoard(w, r, c, readInstruction)
}

func (s *Server) instructBoard(w http.ResponseWriter, r *http.Request, c *call, read func(*object) watch.Instruction) error {
	request := requestID(c.body)
	i, note := instruction{Instruction: read(c.body)}, c.body.note("note", 500)
	if err := c.body.done(); err != nil {
		return err
	}
	board := r.PathValue("board")
	if !s.knowsBoard(board) {
		return noSuchBoard(board)
	}
	seq, err := s.carryOutOnce(r.Context(), board, request, func(ctx context.Context) error {
		if err := s.checkFill(board, &i.Instruction); err != nil {
			return err
		}
		i.signed = s.sign(c.device, request, s.storeNote(note))
		err := s.Boards.Instruct(ctx, board, encode(i))
		s.dropNote(i.Note, err)
		return err
	})
	if err != nil {
		return err
	}
	return answer(w, savedAnswer{Saved: true, Seq: seq, Head: s.headFrom(board, seq)})
}

// checkFill returns nil if the moves that a person fills in for a span can have been played. The core ignores others,
// but a person waits for an answer.
func (s *Server) checkFill(board string, i *watch.Instruction) error {
	if i.Do != watch.DoFill {
		return nil
	}
	span, ok := s.Live.Span(board, i.Game, i.Ply)
	switch {
	case !ok && (s.once.reading(board) || s.behind(board)):
		return ErrNoBoard // it may exist once all is read, and all is here
	case !ok:
		return refuse(http.StatusNotFound, "no_such_span", "No span of plies that is not known begins there.",
			"Look at the board's moves again.")
	case strings.TrimSpace(i.Moves) == "":
		return nil
	}
	_, err := span.Parse(i.Moves)
	var wrong *watch.FillError
	if errors.As(err, &wrong) {
		e := refuse(http.StatusBadRequest, wrong.Why, sentence(wrong.Error()), "Look at the scoresheet again.")
		e.args = wrong.Args()
		return e
	}
	return err
}

// sentence makes a sentence of an error's text.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] + "." }

// carryOutOnce has something carried out once, however often it is requested. The phone may be gone meanwhile: what was
// begun is finished, and the next attempt gets the outcome. A request that comes while the board's journal is read, and
// that is not known yet, is not begun: it may be in the rest of the journal, and the board may be watched by the time
// that it would get there. A hall's copy is another matter: the board's computer looks for the request itself.
func (s *Server) carryOutOnce(ctx context.Context, board, request string, do func(context.Context) error) (seq int64, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), decideTime)
	defer cancel()
	incomplete := s.Behind == nil && s.once.reading(board) // before the request is looked up
	t, fresh, err := s.once.begin(ctx, board, request)
	switch {
	case err != nil:
		return 0, notSaved()
	case !fresh && t.saved:
		return t.seq, nil
	case !fresh && t.seq > 0:
		return t.seq, s.confirm(ctx, board, request, t.seq)
	case !fresh:
		return 0, notSaved()
	case incomplete:
		s.once.end(board, request, refused)
		return 0, notWatched(board)
	}
	how := unsure
	defer func() { t = s.once.end(board, request, how); seq = t.seq }()
	release, err := s.turns.take(ctx, board)
	if err != nil {
		how = refused
		return 0, notSaved()
	}
	defer release()
	err = do(ctx)
	how = outcomeOf(err)
	return 0, s.refusalOf(board, err)
}

// confirm answers a repeated request whose record was not on the disk at the first attempt: it may be there now.
func (s *Server) confirm(ctx context.Context, board, request string, seq int64) error {
	err := s.Boards.Saved(ctx, board, seq)
	s.once.noteOutcome(board, request, seq, outcomeOf(err))
	if errors.Is(err, ErrUnreachable) {
		return notSaved() // it was accepted: to answer that it is not kept would be wrong
	}
	return s.refusalOf(board, err)
}

// refusalOf is the refusal for an error of Boards.
func (s *Server) refusalOf(board string, err error) error {
	var no *refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &no), errors.Is(err, ErrWaits):
		return err
	case errors.Is(err, ErrTaken):
		return refuse(http.StatusConflict, "taken_back", "This decision was taken back.", "Look at the finding as it is now, and decide again.")
	case errors.Is(err, ErrNever):
		s.log.Warn().Err(err).Str("board", board).Msg("A decision that the board will never take.")
		return refuse(http.StatusConflict, "board_refused",
			"The board does not take this decision and never will: another game has begun there, or the players have signed.",
			"Look at the finding as it is now. What you decide about it stays outside the program: write it down.")
	case errors.Is(err, ErrUnreachable):
		return refuse(http.StatusFailedDependency, "unreachable", fmt.Sprintf("Board %.32q cannot be reached now, and this is about this moment: it is not kept.", board),
			"Go to the board. Decisions about findings are kept and wait for it.")
	case errors.Is(err, ErrLost):
		s.log.Error().Err(err).Str("board", board).Msg("What a person told is in no journal.")
		return unavailable("lost", "This was not kept: the disk did not take it.",
			"Say it again. If it stays, look at the journal's disk.")
	case errors.Is(err, ErrNoBoard):
		return notWatched(board)
	}
	s.log.Warn().Err(err).Str("board", board).Msg("What a person told was not saved.")
	return notSaved()
}

// behind reports whether a board may have written more than is shown.
func (s *Server) behind(board string) bool { return s.Behind != nil && s.Behind(board) }

// waits is ErrWaits if a decision waits for its board, and ErrNever if the board has refused it since.
func (s *Server) waits(board, request string) error {
	if s.Waits == nil {
		return nil
	}
	list := s.Waits.Waiting(board)
	i := slices.IndexFunc(list, func(w Waiting) bool { return w.Request == request })
	switch {
	case i < 0:
		return nil
	case list[i].Failed != "":
		return fmt.Errorf("%w: %s", ErrNever, list[i].Failed)
	}
	return ErrWaits
}

// contradicts reports whether a decision differs from one that another device has made about the same finding and that
// waits for the board, if the person does not know of that one: known is the last request that the person has seen.
func (s *Server) contradicts(board string, d *decision, device, known string) bool {
	if s.Waits == nil {
		return false
	}
	var last *Waiting
	for _, w := range s.Waits.Waiting(board) {
		if w.Finding == d.Finding && w.Failed == "" {
			last = &w
		}
	}
	return last != nil && last.Decision != d.Decision && last.Device != device && last.Request != known
}

// takeBack takes back a decision that waits.
func (s *Server) takeBack(w http.ResponseWriter, r *http.Request, c *call) error {
	requestID(c.body) // a second request changes nothing
	if err := c.body.done(); err != nil {
		return err
	}
	err := ErrNoWait
	if s.Waits != nil {
		err = s.Waits.TakeBack(r.PathValue("board"), r.PathValue("request"))
	}
	switch {
	case errors.Is(err, ErrNoWait):
		return refuse(http.StatusNotFound, "no_such_decision", "No such decision waits.", "Look at the finding again.")
	case errors.Is(err, ErrOnItsWay):
		return refuse(http.StatusConflict, "on_its_way", "The board may have this decision already.", "Wait until it is there, then undo it.")
	case err != nil:
		s.log.Error().Err(err).Msg("A decision that waits was not taken back.")
		return notSaved()
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func notSaved() error {
	return unavailable("not_saved", "This is not on the disk yet.",
		"It is safe to press again: it counts once. If it stays, look at the journal's disk.")
}

// notWatched is the refusal for a known board that has no loop at the moment.
func notWatched(board string) error {
	return unavailable("not_watched", fmt.Sprintf("Board %.32q is not watched at this moment.", board),
		"It is safe to press again. If it stays, look at the board's cable and at the program's log.")
}

func unavailable(code, message, remedy string) *refusal {
	e := refuse(http.StatusServiceUnavailable, code, message, remedy)
	e.retry = 2 * time.Second
	return e
}

// requestID reads the request id, by which a repeated request is recognised.
func requestID(o *object) string {
	id := o.text("request", 8, maxRequest)
	if strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		o.fail("request", "has signs that do not belong there", "Use letters, digits and hyphens: a UUID.")
		return ""
	}
	return id
}

// alertSeen notes that a person has seen an alert, which stops the escalation.
func (s *Server) alertSeen(w http.ResponseWriter, r *http.Request, c *call) error {
	requestID(c.body) // a second request changes nothing
	if err := c.body.done(); err != nil {
		return err
	}
	if s.Alerts == nil {
		return noSuchAlert()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), decideTime)
	defer cancel()
	a, err := s.Alerts.Seen(ctx, r.PathValue("id"), s.registerDevice(c.device))
	switch {
	case errors.Is(err, alert.ErrUnknown):
		return noSuchAlert()
	case err != nil:
		s.log.Warn().Err(err).Msg("That an alert was seen was not saved.")
		return notSaved()
	}
	return answer(w, struct {
		alert.Alert
		Head *journal.Head `json:"head"`
	}{a, s.headFrom(a.Board, 1)})
}

func noSuchAlert() error {
	return refuse(http.StatusNotFound, "no_such_alert", "There is no such alert.", "Look at the alerts again.")
}

// ack is the button of a notification. The token in the address is its only proof, and permits only this.
func (s *Server) ack(w http.ResponseWriter, r *http.Request, _ *call) error {
	if s.Alerts == nil {
		return notFound()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), decideTime)
	defer cancel()
	_, err := s.Alerts.Ack(ctx, r.PathValue("token"))
	switch {
	case errors.Is(err, alert.ErrToken):
		return notFound()
	case errors.Is(err, alert.ErrOver):
		return refuse(http.StatusGone, "over", "This alert needs nobody any more.", "Open the page.")
	case err != nil:
		s.log.Warn().Err(err).Msg("That an alert was seen was not saved.")
		return notSaved()
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// encode returns compact JSON for a journal: DEL, which JSON allows and a journal's line does not, is escaped.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("web: internal error: a record's body: " + err.Error())
	}
	return bytes.ReplaceAll(bytes.TrimRight(b.Bytes(), "\n"), []byte{0x7f}, []byte(`\u007f`))
}
