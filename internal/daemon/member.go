package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
	"boardwatchd/rules/words"
)

// hallDir is where a state directory has what belongs to a hall.
const hallDir = "hall"

// MemberFile is what makes a computer one of a hall.
func MemberFile(state string) string { return filepath.Join(state, hallDir, "member.json") }

// membership is this computer's part in a hall, which begins and ends while the boards are watched. A nil one is that of
// a hall's own computer.
type membership struct {
	d      *Daemon
	up     *uplink.Uplink
	file   string
	fixed  bool            // the configuration names the hall: only there it is changed
	in     atomic.Bool     // this computer belongs to a hall: alerts leave from there
	ending context.Context // after the boards have ended: what they wrote at the end is brought too
	end    context.CancelFunc
	work   sync.WaitGroup

	joinMu       sync.Mutex         // held while somebody joins or leaves
	token        string             // with which it asks to join, or the path of a file with it; "": it does not ask
	cancelAsking context.CancelFunc // ends the asking
	stay         *hallSession       // nil: it is in no hall
	leaveWait    context.CancelFunc // ends the wait after leaving

	mu       sync.Mutex // held across the disk
	channels []string   // of the outbox
	standby  standby    // what the hall said when it was last there

	whoMu sync.Mutex // guards code and who
	code  string     // by which a person accepts this computer; "": it does not wait for that
	who   uplink.Member

	seatsMu sync.Mutex                   // guards seats; the boards' loops take it, so nobody holds it for long
	seats   map[string]watch.Instruction // who sits at each board, by ids
}

// A hallSession is this computer's membership of one hall, from joining to leaving.
type hallSession struct {
	end   context.CancelCauseFunc
	ended chan error // gets what Run of the uplink said
}

// openMembership says whether this computer belongs to a hall, or is to ask one: by the configuration, or by the token
// with which it waits or that is on its card.
func (d *Daemon) openMembership() *membership {
	if d.opt.Hub {
		return nil
	}
	m := &membership{d: d, file: MemberFile(d.opt.Dir), token: d.opt.Config.Hall.Join, seats: map[string]watch.Instruction{}}
	m.fixed = m.token != ""
	who, err := uplink.ReadMember(m.file)
	m.who = who
	m.in.Store(err == nil)
	if !m.fixed {
		m.token = waitingToken(m.file) // in a hall too: it waits to change into another one, or to be let in again
		if card := d.opt.cardToken(); m.token == "" && err != nil && card != "" && !wasLeft(m.file, card) {
			m.token = card
		}
	}
	m.standby = readStandby(d.opt.Dir)
	m.ending, m.end = context.WithCancel(context.Background())
	m.up = uplink.New(uplink.Options{
		Dir: d.opt.Dir, Version: d.opt.Version, Core: watch.Revision, Rate: d.opt.Speed, Boards: d, Code: wireCode, Names: m.names,
		Self: d.self, Place: d.place, Has: d.has, Standby: m.keepStandby, Urgent: m.urgent, Trouble: m.trouble, Damage: d.damage,
		Round: func() string { return d.round.taken() }, TakeRound: func(body []byte, mark string) error { return d.round.take(body, mark) },
		Log: d.opt.Log.With().Str("hall", "uplink").Logger(),
	})
	return m
}

// inHall says whether this computer belongs to a hall now.
func (d *Daemon) inHall() bool { return d.member != nil && d.member.in.Load() }

// trouble says why a board's disk does not take its journal. The hall then does not have what the board says, and does
// not speak for it: where that lasts, this computer does.
func (m *membership) trouble(board string) string {
	s := m.d.Station(board)
	if s == nil {
		return ""
	}
	if err := s.Degraded(); err != nil {
		return err.Error()
	}
	return ""
}

// renamed says that a board's journal has another name.
func (m *membership) renamed(board, journal string) {
	if m != nil {
		m.up.Renamed(board, journal)
	}
}

// hear lets the uplink hear a board. It only notes and pokes.
func (m *membership) hear(board, journal string, opt *station.Options) {
	if m == nil {
		return
	}
	m.up.Watch(board, journal)
	recovered, entered, seen := opt.Recovered, opt.Entered, opt.Seen
	opt.Recovered = func(r record.Record) { recovered(r); m.up.Recovered(board, r); m.seat(board, r) }
	opt.Entered = func(r record.Record) { entered(r); m.up.Entered(board, r); m.seat(board, r) }
	var counted watch.Counted
	opt.Seen = func(v watch.View, touches []watch.Touch) {
		seen(v, touches)
		now := v.Counted()
		now.At, counted.At = 0, 0
		if now != counted {
			counted, now.At = now, v.At
			if text, err := json.Marshal(now); err == nil { // texts and numbers
				m.up.Counted(board, text)
			}
		}
		m.up.Kick(board)
	}
}

// ready says that a board's journal was read to its end.
func (m *membership) ready(board string) {
	if m != nil {
		m.up.Ready(board)
	}
}

func (m *membership) left(board string) {
	if m != nil {
		m.up.Left(board)
	}
}

// seat follows who sits at a board.
func (m *membership) seat(board string, r record.Record) {
	var i watch.Instruction
	if r.Kind != record.Instruct || json.Unmarshal(r.Body, &i) != nil || i.Do != watch.DoNames {
		return
	}
	m.seatsMu.Lock()
	m.seats[board] = i
	m.seatsMu.Unlock()
}

// names are what the ids of those stand for who sit here.
func (m *membership) names() map[string]string {
	m.seatsMu.Lock()
	seated := slices.Collect(maps.Values(m.seats))
	m.seatsMu.Unlock()
	list := map[string]string{}
	for _, i := range seated {
		for _, id := range []string{string(i.White), string(i.Black)} {
			if name := m.d.frontend.people.Said(id); name != id {
				list[id] = name
			}
		}
	}
	return list
}

// awayFor is how long the hall may be away before this computer says what can be done.
const awayFor = 15 * time.Second

// noticeAway sets the notice that the hall cannot be reached, with the remedy where it does not come back by itself.
func (m *membership) noticeAway(ctx context.Context, who uplink.Member) {
	joined := time.Now()
	for ctx.Err() == nil {
		since, out := m.up.Away()
		if !since.IsZero() && since.Before(joined) { // this computer has looked for the hall only since then
			since = joined
		}
		var say, do words.Sentence
		switch {
		case since.IsZero() || time.Since(since) < awayFor:
		case out:
			say, do = words.Say("notice.hall_out", who.Computer), words.Say("notice.hall_out.do", m.d.opt.typed("TOKEN"))
		default:
			say, do = words.Say("notice.hall_silent", strings.Join(who.Addresses, ", "), since.Local().Format("15:04")), words.Say("notice.hall_silent.do", m.d.opt.typed("--address HOST:PORT"))
		}
		m.d.frontend.setNotice("hall-away", say, do)
		pause(ctx, time.Second)
	}
}

// acceptedEvery is how often a computer that waits asks whether it was accepted.
const acceptedEvery = 3 * time.Second

// join returns the membership, and makes it with the token of the configuration where there is none of that token yet.
func (m *membership) join(ctx context.Context) (uplink.Member, error) {
	who, err := uplink.ReadMember(m.file)
	text, terr := readToken(m.token)
	if terr != nil {
		if err == nil {
			return who, nil // the file was taken away after joining
		}
		if text = waitingToken(m.file); text == "" { // or while this computer waits to be accepted
			return who, terr
		}
	}
	if err == nil && who.Token == tokenPrint(text) && waitingToken(m.file) == "" {
		return who, nil
	}
	return JoinHall(ctx, m.d.opt.Dir, text, true) // the configuration counts, or a person was asked
}

// lastWords is how long the end of the program waits until the hall has what the boards wrote at their end.
const lastWords = 500 * time.Millisecond

// close ends the uplink. The boards have ended.
func (m *membership) close() {
	if m == nil {
		return
	}
	if m.in.Load() {
		m.up.KickAll()
		pause(m.ending, lastWords)
	}
	m.end()
	m.work.Wait()
}

// wireCode is how an error of Instruct, Decide or Saved travels.
func wireCode(err error) string {
	switch {
	case errors.Is(err, web.ErrNever):
		return wire.EOther
	case errors.Is(err, web.ErrLost):
		return wire.ELost
	case errors.Is(err, web.ErrNotSaved):
		return wire.ENotSaved
	case errors.Is(err, web.ErrNoBoard), errors.Is(err, station.ErrBusy): // nothing was handed over
		return wire.ENoBoard
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return wire.EUnsure
	}
	return wire.ERefused
}
