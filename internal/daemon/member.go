package daemon

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
)

// hallDir is where a state directory has what belongs to a hall.
const hallDir = "hall"

// MemberFile is what makes a computer one of a hall.
func MemberFile(state string) string { return filepath.Join(state, hallDir, "member.json") }

// membership is this computer's part in a hall. A nil one is that of a computer alone.
type membership struct {
	d        *Daemon
	up       *uplink.Uplink
	file     string
	token    string // of the configuration, or the path of a file on the card; "": none
	end      context.CancelFunc
	ending   context.Context // behind the boards: what they wrote at the end is brought too
	work     sync.WaitGroup
	channels []string // of the outbox, guarded by mu
	standby  standby  // guarded by mu; // what the hall said when it was last there

	mu sync.Mutex // held across the disk

	seating sync.Mutex                   // guards seats; the boards' loops take it, so nobody holds it for long
	seats   map[string]watch.Instruction // who sits at each board, by ids
}

// openMembership returns nil where neither the configuration nor an earlier join names a hall.
func (d *Daemon) openMembership() *membership {
	m := &membership{d: d, file: MemberFile(d.opt.Dir), token: d.opt.Config.Hall.Join, seats: map[string]watch.Instruction{}}
	_, err := uplink.ReadMember(m.file)
	if err != nil && m.token == "" {
		m.token = cmp.Or(d.opt.cardToken(), waitingToken(m.file))
	}
	if errors.Is(err, uplink.ErrNoMember) && m.token == "" || d.opt.Hub {
		return nil
	}
	m.standby = readStandby(d.opt.Dir)
	m.ending, m.end = context.WithCancel(context.Background())
	m.up = uplink.New(uplink.Options{
		Dir: d.opt.Dir, Version: d.opt.Version, Core: watch.Revision, Rate: d.opt.Speed, Boards: d, Code: wireCode, Names: m.names,
		Self: d.self, Place: d.place, Has: d.has, Standby: m.keepStandby, Urgent: m.urgent, Trouble: m.trouble,
		Round: func() string { return d.round.taken() }, TakeRound: func(body []byte, mark string) error { return d.round.take(body, mark) },
		Log: d.opt.Log.With().Str("hall", "uplink").Logger(),
	})
	return m
}

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

// hear lets the uplink hear a board. It only notes and pokes.
func (m *membership) hear(board, journal string, opt *station.Options) {
	if m == nil {
		return
	}
	m.up.Watch(board, journal)
	recovered, told, seen := opt.Recovered, opt.Told, opt.Seen
	opt.Recovered = func(r record.Record) { recovered(r); m.up.Recovered(board, r); m.seat(board, r) }
	opt.Told = func(r record.Record) { told(r); m.up.Told(board, r); m.seat(board, r) }
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
	m.seating.Lock()
	m.seats[board] = i
	m.seating.Unlock()
}

// names are what the ids of those stand for who sit here.
func (m *membership) names() map[string]string {
	m.seating.Lock()
	seated := slices.Collect(maps.Values(m.seats))
	m.seating.Unlock()
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

// run joins the hall, where the configuration says so and it was not done, and brings the journals there.
func (m *membership) run(d *Daemon) {
	if m == nil {
		return
	}
	m.work.Go(m.standIn)
	m.work.Go(func() {
		told := ""
		for wait := firstRetry; m.ending.Err() == nil; wait = min(2*wait, lastRetry) {
			who, err := m.join(m.ending)
			if err == nil {
				d.frontend.standing("hall", "", "")
				d.opt.Log.Info().Str("computer", who.Computer).Strs("at", who.Addresses).Msg("this computer belongs to a hall: its page has all boards, and alerts leave from there")
				err = m.belong(who)
			}
			if waits := (*uplink.WaitsError)(nil); errors.As(err, &waits) {
				d.frontend.standing("hall", fmt.Sprintf("This computer waits to be accepted in the hall. Its code is %s.", waits.Code),
					"Accept it on the hall's page, under Computers, if the same code stands there. The boards are watched meanwhile.")
				told, wait = "", acceptedEvery
			} else if err != nil && m.ending.Err() == nil && err.Error() != told {
				told = err.Error()
				d.frontend.standing("hall", "This computer is not in the hall: "+told+".", "The boards are watched all the same. Ask for a new token at the hall's computer: boardwatchd hall invite.")
			}
			pause(m.ending, wait)
		}
	})
}

// belong brings the journals to the hall until something ends that, and says meanwhile when the hall is away.
func (m *membership) belong(who uplink.Member) error {
	ctx, end := context.WithCancel(m.ending)
	var telling sync.WaitGroup
	telling.Go(func() { m.tellAway(ctx, who) })
	err := m.up.Run(ctx, who)
	end()
	telling.Wait()
	return err
}

// awayFor is how long the hall may be away before this computer says what can be done.
const awayFor = 15 * time.Second

// tellAway says that the hall is away, and what to do where it does not come back by itself.
func (m *membership) tellAway(ctx context.Context, who uplink.Member) {
	for ctx.Err() == nil {
		since, out := m.up.Away()
		text, remedy := "", ""
		switch {
		case since.IsZero() || time.Since(since) < awayFor:
		case out:
			text = "The hall does not let this computer in as " + who.Computer + ": it was revoked there, or another one has joined under this name."
			remedy = "The boards are watched all the same. To join again: boardwatchd hall invite at the hall's computer, with another name, then here boardwatchd join TOKEN."
		default:
			text = fmt.Sprintf("The hall does not answer at %s, since %s.", strings.Join(who.Addresses, " or "), since.Local().Format("15:04"))
			remedy = "The boards are watched all the same. Look after the hall's computer and the network. If the hall has another address or port now, here: boardwatchd join --address HOST:PORT, then start boardwatchd again."
		}
		m.d.frontend.standing("hall-away", text, remedy)
		pause(ctx, time.Second)
	}
}

// MoveHall says where the hall of this computer is from now on. Nothing is changed where it does not answer there.
func MoveHall(state string, addresses []string) (uplink.Member, error) {
	who, err := uplink.ReadMember(MemberFile(state))
	if err != nil {
		return who, err
	}
	who.Addresses = addresses
	if err := uplink.Reaches(who); err != nil {
		return who, err
	}
	return who, uplink.SaveMember(MemberFile(state), who)
}

// acceptedEvery is how often a computer that waits asks whether it was accepted.
const acceptedEvery = 3 * time.Second

// join returns the membership, and makes it with the token of the configuration where there is none of that token yet.
func (m *membership) join(ctx context.Context) (uplink.Member, error) {
	who, err := uplink.ReadMember(m.file)
	if m.token == "" {
		return who, err
	}
	text, terr := readToken(m.token)
	if terr != nil {
		if err == nil {
			return who, nil // the file was taken away behind joining
		}
		if text = waitingToken(m.file); text == "" { // or while this computer waits to be accepted
			return who, terr
		}
	}
	if err == nil && who.Token == tokenPrint(text) {
		return who, nil
	}
	return JoinHall(ctx, m.d.opt.Dir, text)
}

// JoinHall makes this computer one of a hall, by a token or the path of a file with one.
func JoinHall(ctx context.Context, state, token string) (uplink.Member, error) {
	text, err := readToken(token)
	if err != nil {
		return uplink.Member{}, err
	}
	inv, err := wire.ReadToken(text)
	if err != nil {
		return uplink.Member{}, err
	}
	file := MemberFile(state)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return uplink.Member{}, err
	}
	who, err := keyFor(askingFile(file), inv, text)
	if err != nil {
		return who, err
	}
	host, _ := os.Hostname() // without one the code has to do
	who.Computer, err = uplink.Join(ctx, inv, who, host)
	if waits := (*uplink.WaitsError)(nil); errors.As(err, &waits) && who.Waits != text {
		who.Waits = text
		return who, cmp.Or(uplink.SaveMember(askingFile(file), who), err)
	}
	if err != nil {
		return who, err
	}
	who.Waits = ""
	if err := uplink.SaveMember(file, who); err != nil {
		return who, err
	}
	if err := os.Remove(askingFile(file)); err != nil {
		return who, err
	}
	return who, nil
}

// askingFile is what a computer keeps that has asked to join, beside the file of one that has joined.
func askingFile(member string) string { return filepath.Join(filepath.Dir(member), "joining.json") }

// keyFor is what this computer asks with, and is kept before it asks. The key of an earlier attempt at the same hall is
// used again: the hall may have it, because the answer was lost, or because a person has accepted it. What this
// computer waits with is kept likewise.
func keyFor(file string, inv wire.Invitation, text string) (uplink.Member, error) {
	who, err := uplink.Prepare(inv)
	if err != nil {
		return who, err
	}
	who.Token = tokenPrint(text)
	was, err := uplink.ReadAsking(file)
	if err == nil && was.Hub == inv.Hub {
		who.Seed, who.Waits = was.Seed, was.Waits
		if was.Token == who.Token {
			return who, nil
		}
	}
	return who, uplink.SaveMember(file, who)
}

// waitingToken is the token with which this computer waits to be accepted; "": it does not.
func waitingToken(member string) string {
	who, _ := uplink.ReadAsking(askingFile(member)) // one that cannot be read says nothing
	return who.Waits
}

// readToken returns the token itself.
func readToken(token string) (string, error) {
	if !filepath.IsAbs(token) {
		return token, nil
	}
	b, err := os.ReadFile(token)
	if err != nil {
		return "", fmt.Errorf("the token of the hall: %w", err)
	}
	return strings.TrimSpace(strings.TrimPrefix(string(b), "\ufeff")), nil // which some editors put before a text
}

// tokenPrint tells tokens apart without keeping the secret.
func tokenPrint(text string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(text), "")))
	return hex.EncodeToString(sum[:8])
}

// lastWords is how long the end of the program waits until the hall has what the boards wrote at their end.
const lastWords = 500 * time.Millisecond

// close ends the uplink. The boards have ended.
func (m *membership) close() {
	if m == nil {
		return
	}
	m.up.KickAll()
	pause(m.ending, lastWords)
	m.end()
	m.work.Wait()
}

// wireCode is how an error of Instruct, Decide or Saved travels.
func wireCode(err error) string {
	switch {
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
