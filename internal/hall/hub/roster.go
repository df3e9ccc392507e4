package hub

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"

	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/secretfile"
)

// This file is about the operator's list: what beats report about computers and boards, and how a program on this
// computer requests the list.

// homes are the computers to which the boards belong, and their file. The hub's lock guards them.
type homes struct {
	*roster.Homes
	path  string
	retry time.Time
}

func openHomes(path string) (*homes, error) {
	var list []roster.Home
	err := readJSON(path, &list)
	return &homes{Homes: roster.OpenHomes(list), path: path}, err
}

// keepHomes writes new homes to the disk.
func (h *Hub) keepHomes() {
	h.mu.Lock()
	changed, list := h.homes.Changed && time.Now().After(h.homes.retry), []roster.Home(nil)
	if changed {
		list, h.homes.Changed = slices.Clone(h.homes.List), false
	}
	h.mu.Unlock()
	if !changed {
		return
	}
	b, err := json.MarshalIndent(list, "", " ")
	if err == nil {
		err = secretfile.Replace(h.homes.path, append(b, '\n'))
	}
	if err != nil {
		h.opt.Log.Error().Err(err).Msg("where the boards belong is not on the disk: after another start a board that was moved may not be reported")
		h.mu.Lock()
		h.homes.Changed, h.homes.retry = true, time.Now().Add(keepAgain)
		h.mu.Unlock()
	}
}

// heard takes in the part of a beat that is for the operator's list. The caller holds the lock.
func (h *Hub) heard(c *computer, b *wire.BeatBody, now time.Time) {
	if b.Self.Run != c.self.Run {
		c.offset, c.tooLarge = roster.Offset{}, "" // they were those of another program, or of another computer
		if !c.runs.TwoAtOnce(now) {
			c.compare = time.Time{} // bytes that its disk lost before the start are in no chunk if a later segment is whole
		}
	}
	if !slices.Equal(c.watches, b.Has) {
		h.opt.Changed() // a board that is gone leaves its name to others
	}
	c.seen, c.self, c.boards, c.watches = now, b.Self, b.Boards[:min(len(b.Boards), maxBoards)], b.Has
	c.runs.Hear(b.Self, now)
	c.offset.Hear(b.WallMS, now)
	c.remember(b.Has, now)
	for _, one := range c.boards {
		if one.Serial != "" && isName(one.Board) && len(one.Serial) <= maxName {
			h.homes.Hear(roster.Home{Serial: one.Serial, Computer: c.name, Board: one.Board}, h.member)
		}
	}
}

// lastBeat is what the beats last reported about a board.
type lastBeat struct {
	wire.BoardBeat
	at  time.Time // the last beat in which the board was watched; zero: none since the start
	had time.Time // the last beat in which its computer had the board at all
}

// remember notes what a beat reports about the boards. The caller holds the lock.
func (c *computer) remember(has []string, now time.Time) {
	for _, one := range c.boards {
		c.last[one.Board] = lastBeat{one, now, now}
	}
	for _, name := range has[:min(len(has), maxBoards)] {
		l := c.last[name]
		l.had = now
		c.last[name] = l
	}
	for name, l := range c.last {
		if now.Sub(l.had) > time.Minute {
			delete(c.last, name)
		}
	}
}

// isOtherPrograms reports whether a board that the last heartbeat does not name belongs to the second of two programs
// that use one key. The caller holds the lock.
func (c *computer) isOtherPrograms(board string, now time.Time) bool {
	return c.runs.TwoAtOnce(now) && now.Sub(c.last[board].at) < awayAfter
}

// opensWithin is how long a board that its computer has, and has just watched, may be missing in its beats: it is
// opened anew, for another round or rule set, or its program has just been started.
const opensWithin = 15 * time.Second

// opensAgain reports whether a board that the last beat does not name is probably being opened. The caller holds the
// lock.
func (c *computer) opensAgain(board string, now time.Time) bool {
	return slices.Contains(c.watches, board) && now.Sub(c.last[board].at) < opensWithin
}

// without says whether the computer is there and does not have a board any more. The caller holds the lock.
func (c *computer) without(board string, now time.Time) bool {
	had := slices.Contains(c.watches, board) || c.runs.TwoAtOnce(now) && now.Sub(c.last[board].had) < awayAfter
	return !c.beat.IsZero() && c.watches != nil && !had
}

func (h *Hub) member(name string) bool {
	_, in := h.inRoll[name]
	return in
}

// Roster returns the computers of the hall for the operator's list.
func (h *Hub) Roster() (list []roster.Computer) {
	now := time.Now()
	h.mu.Lock()
	defer h.mu.Unlock()
	home := map[roster.Home]string{} // by computer and board
	for _, o := range h.homes.List {
		home[roster.Home{Computer: o.Computer, Board: o.Board}] = o.Serial
	}
	for _, in := range h.roll.Computers {
		c := h.computers[in.Name]
		if c == nil {
			list = append(list, roster.Computer{Name: in.Name, New: in.New, Joined: in.Joined})
			continue
		}
		one := roster.Computer{
			Name: c.name, New: in.New, Joined: in.Joined, Here: !c.beat.IsZero(), Seen: c.seen, Version: c.version, Core: c.core, Self: c.self, TwoPrograms: c.runs.TwoAtOnce(now), OnTwoComputers: c.runs.Apart(), Hosts: c.runs.Hosts(), TooLarge: c.tooLarge, NoRound: c.noRound,
		}
		one.Ahead, one.AheadKnown = c.offset.Known()
		one.Boards, one.RefusedBoards = h.boardsOf(c, now), slices.Clone(c.refusedBoards)
		for i := range one.Boards {
			one.Boards[i].Home = home[roster.Home{Computer: c.name, Board: one.Boards[i].Name}]
		}
		list = append(list, one)
	}
	return list
}

// Member reports whether a computer is in the hall.
func (h *Hub) Member(name string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.member(name)
}

// Revoked are the computers that were revoked within a day, the latest first, with the boards that they had, under
// their shown names.
func (h *Hub) Revoked() (list []roster.Computer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, out := range slices.Backward(h.roll.Revoked) {
		if h.member(out.Name) {
			continue
		}
		c := roster.Computer{Name: out.Name, Revoked: out.At}
		for _, o := range h.names.list {
			if o.Computer == out.Name {
				c.Boards = append(c.Boards, roster.Board{ShownAs: o.Shown, Name: o.Board})
			}
		}
		list = append(list, c)
	}
	return list
}

// boardsOf are the boards of a computer, sorted by name. The caller holds the lock.
func (h *Hub) boardsOf(c *computer, now time.Time) (list []roster.Board) {
	for name, w := range c.workers {
		b := roster.Board{ShownAs: w.shownAs, Name: name, StalledSince: w.stalledSince(), Lost: w.lostOf()}
		here := slices.ContainsFunc(c.boards, func(o wire.BoardBeat) bool { return o.Board == name }) || c.isOtherPrograms(name, now)
		if here && !c.beat.IsZero() {
			last := c.last[name]
			b.Here, b.Place, b.Trouble, b.Damage, b.Journal = true, last.Place, last.Trouble, last.Damage, last.Journal
		}
		b.Gone = !b.Here && c.without(name, now)
		if b.Serial != "" {
			if was, moved := h.homes.Moved(roster.Home{Serial: b.Serial, Computer: c.name, Board: name}); moved {
				b.Was = was
			}
		}
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b roster.Board) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// ErrNoBoardThere means that a board is not shown, or does not answer.
var ErrNoBoardThere = errors.New("that board does not answer at this moment")

// Belongs makes the computer at which a board answers now the one to which it belongs. Its argument is the shown name.
func (h *Hub) Belongs(shown string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	w := h.byShownName[shown]
	if w == nil || h.computers[w.computer] == nil {
		return ErrNoBoardThere
	}
	for _, one := range h.computers[w.computer].boards {
		if one.Board == w.board && one.Serial != "" {
			h.homes.Accept(roster.Home{Serial: one.Serial, Computer: w.computer, Board: one.Board})
			return nil
		}
	}
	return ErrNoBoardThere
}

// maxList is the largest list that AskList unpacks.
const maxList = 64 << 20

// answerList answers the request of a program on this computer.
func (h *Hub) answerList(m *nats.Msg) {
	if h.opt.List == nil || m.Reply == "" {
		return
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(h.opt.List())
	if errors.Join(err, z.Close()) == nil { // into memory
		_ = m.Respond(b.Bytes()) // the asking program has a timeout of its own
	}
}

// ErrNoHall means that a directory has no hall.
var ErrNoHall = errors.New("there is no hall here yet: boardwatchd hall starts one")

// Exists reports whether the directory has ever had a hall.
func (f Files) Exists() error {
	_, err := os.Stat(f.seed())
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNoHall
	}
	return err
}

// listTime is how long AskList waits.
const listTime = 5 * time.Second

// AskList requests the operator's list, as JSON, from the hall that runs in this directory. Its servers are at
// Options.Listen or Options.Cluster. An error other than ErrNoHall mostly means that the hall does not run.
func (f Files) AskList(ctx context.Context, listen string, cluster []string) ([]byte, error) {
	if err := f.Exists(); err != nil {
		return nil, err
	}
	key, err := f.Key()
	if err != nil {
		return nil, err
	}
	public, err := key.PublicKey()
	if err != nil {
		return nil, err
	}
	authority, err := f.Authority()
	if err != nil {
		return nil, err
	}
	ca, err := x509.ParseCertificate(authority.CA())
	if err != nil {
		return nil, err
	}
	servers := cluster
	if len(servers) == 0 {
		servers = []string{local(listen)}
	}
	nc, err := connectToList(ctx, servers, nats.Nkey(public, key.Sign), nats.Secure(wire.Trusting(wire.PinOf(ca))),
		nats.TLSHandshakeFirst(), nats.Timeout(3*time.Second), nats.NoReconnect(), nats.Name("list"),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}))
	if err != nil {
		return nil, fmt.Errorf("the hall does not answer at %s: %w", strings.Join(servers, ", "), err)
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	m, err := nc.RequestWithContext(ctx, wire.List, nil)
	if err != nil {
		return nil, fmt.Errorf("the hall does not answer at %s: %w", strings.Join(servers, ", "), err)
	}
	z, err := gzip.NewReader(bytes.NewReader(m.Data))
	if err != nil {
		return nil, fmt.Errorf("the hall's answer: %w", err)
	}
	return io.ReadAll(io.LimitReader(z, maxList))
}

// listTries is how often a request is repeated when the server breaks the connection off: it is starting, or
// overloaded.
const listTries = 4

// connectToList connects to the hall's server. If nothing listens there is no hall, and it fails at once.
func connectToList(ctx context.Context, servers []string, options ...nats.Option) (nc *nats.Conn, err error) {
	for range listTries {
		nc, err = nats.Connect("tls://"+strings.Join(servers, ",tls://"), options...)
		if err == nil || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, nats.ErrNoServers) {
			return nc, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(time.Second):
		}
	}
	return nil, err
}

// local is the address by which a program on this computer reaches a listener.
func local(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return listen
}
