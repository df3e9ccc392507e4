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

// hallDir is the directory of a hall's files in a state directory.
const hallDir = "hall"

// MemberFile is the file of this computer's membership in a hall.
func MemberFile(state string) string { return filepath.Join(state, hallDir, "member.json") }

// membership is this computer's part in a hall, which can begin and end while the boards are watched. It is nil at a
// hall's own computer.
type membership struct {
	d           *Daemon
	up          *uplink.Uplink
	file        string
	setByConfig bool            // the configuration names the hall: it can be changed only there
	isMember    atomic.Bool     // this computer belongs to a hall, which sends its alerts
	ending      context.Context // ends after the boards, so that the ends of their journals are sent too
	end         context.CancelFunc
	work        sync.WaitGroup

	joinMu       sync.Mutex         // held during joining and leaving
	token        string             // the token of its request to join, or the path of its file; "": it does not ask
	cancelAsking context.CancelFunc // ends the asking
	session      *hallSession       // nil: it is in no hall
	leaveWait    context.CancelFunc // ends the wait after leaving

	mu       sync.Mutex // held across the disk
	channels []string   // of the outbox
	standby  standby    // the hall's instructions when it was last there

	whoMu sync.Mutex // guards code and who
	code  string     // by which a person accepts this computer; "": it does not wait
	who   uplink.Member

	seatsMu sync.Mutex                   // guards seats; the boards' loops take it, so it is never held for long
	seats   map[string]watch.Instruction // who sits at each board, by ids
}

// A hallSession is the time of this computer in one hall, from joining to leaving.
type hallSession struct {
	end   context.CancelCauseFunc
	ended chan error // receives the result of the uplink's Run
}

// openMembership determines whether this computer belongs to a hall, or is to ask one: from the configuration, or from
// the token with which it waits or that is on its card.
func (d *Daemon) openMembership() *membership {
	if d.opt.Hub {
		return nil
	}
	m := &membership{d: d, file: MemberFile(d.opt.Dir), token: d.opt.Config.Hall.Join, seats: map[string]watch.Instruction{}}
	m.setByConfig = m.token != ""
	who, err := uplink.ReadMember(m.file)
	m.who = who
	m.isMember.Store(err == nil)
	if !m.setByConfig {
		m.token = waitingToken(m.file) // even in a hall: it may wait to change into another one, or to be let in again
		if card := d.opt.cardToken(); m.token == "" && err != nil && card != "" && !wasLeft(m.file, card) {
			m.token = card
		}
	}
	m.standby = readStandby(d.opt.Dir)
	m.ending, m.end = context.WithCancel(context.Background())
	m.up = uplink.New(uplink.Options{
		Dir: d.opt.Dir, Version: d.opt.Version, Core: watch.Revision, Rate: d.opt.Speed, Boards: d, Code: wireCode, Names: m.names,
		Self: d.self, Place: d.place, Has: d.has, Standby: m.keepStandby, Urgent: m.urgent, Trouble: m.trouble, Damage: d.damage,
		Round: func() string { return d.round.takenMark() }, TakeRound: func(body []byte, mark string) error { return d.round.takeRound(body, mark) },
		Log: d.opt.Log.With().Str("hall", "uplink").Logger(),
	})
	return m
}

// inHall reports whether this computer belongs to a hall now.
func (d *Daemon) inHall() bool { return d.member != nil && d.member.isMember.Load() }

// trouble returns why a board's disk does not take its journal. The hall then lacks the latest records and does not
// send the board's alerts; if that lasts, this computer does.
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

// renamed reports another name of a board's journal to the uplink.
func (m *membership) renamed(board, journal string) {
	if m != nil {
		m.up.Renamed(board, journal)
	}
}

// hear connects the uplink to a board. Its functions only note and signal.
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
			if text, err := json.Marshal(now); err == nil { // texts and numbers only
				m.up.Counted(board, text)
			}
		}
		m.up.Kick(board)
	}
}

// ready reports that a board's journal was read to its end.
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

// names are the names of the players at this computer's boards, by their ids.
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

// awayFor is how long the hall may be away before a notice with the remedy is shown.
const awayFor = 15 * time.Second

// noticeAway sets the notice that the hall cannot be reached, with the remedy in case it does not come back by itself.
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
			say, do = words.Say("notice.hall_out", who.Computer), words.Say("notice.hall_out.do", m.d.opt.command("join", "TOKEN"))
		default:
			say, do = words.Say("notice.hall_silent", strings.Join(uplink.Named(who.Addresses), ", "), since.Local().Format("15:04")), words.Say("notice.hall_silent.do", m.d.opt.command("join", "--address HOST:PORT"))
		}
		m.d.frontend.setNotice("hall-away", say, do)
		pause(ctx, time.Second)
	}
}

// acceptedEvery is how often a waiting computer asks whether it was accepted.
const acceptedEvery = 3 * time.Second

// join returns the membership. It joins with the token of the configuration if that token was not used yet.
func (m *membership) join(ctx context.Context) (uplink.Member, error) {
	who, err := uplink.ReadMember(m.file)
	text, terr := readToken(m.token)
	if terr != nil {
		if err == nil {
			return who, nil // the file was removed after joining
		}
		if text = waitingToken(m.file); text == "" { // or while this computer waits to be accepted
			return who, terr
		}
	}
	if err == nil && who.Token == tokenPrint(text) && waitingToken(m.file) == "" {
		return who, nil
	}
	return JoinHall(ctx, m.d.opt.Dir, text, true) // the configuration decides, or a person was asked
}

// lastWords is how long the end of the program waits for the hall to receive the ends of the journals.
const lastWords = 500 * time.Millisecond

// close ends the uplink. The boards have ended.
func (m *membership) close() {
	if m == nil {
		return
	}
	if m.isMember.Load() {
		m.up.KickAll()
		pause(m.ending, lastWords)
	}
	m.end()
	m.work.Wait()
}

// wireCode is the wire's code of an error of Instruct, Decide or Saved.
func wireCode(err error) string {
	switch {
	case errors.Is(err, web.ErrNever):
		return wire.EOther
	case errors.Is(err, web.ErrLost):
		return wire.ELost
	case errors.Is(err, web.ErrNotSaved):
		return wire.ENotSaved
	case errors.Is(err, web.ErrNoBoard), errors.Is(err, web.ErrBusy): // nothing was handed over
		return wire.ENoBoard
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return wire.EUnsure
	}
	return wire.ERefused
}
