package hub_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"github.com/rs/zerolog"

	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/members"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/sharedtest"
)

// speak sends beats of a computer until the test ends: one of each body in turn, as if two programs had its key.
func (h *hall) speak(t *testing.T, m uplink.Member, bodies ...func() wire.BeatBody) {
	t.Helper()
	key, nc := h.keyed(t, m)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	t.Cleanup(func() { cancel(); <-done })
	go func() {
		defer close(done)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for i := 0; ; i++ {
			msg, err := wire.Sealed(wire.Beat(m.Computer), bodies[i%len(bodies)](), key)
			if err == nil {
				_ = nc.PublishMsg(msg)
			}
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	}()
}

func (h *hall) of(computer string) roster.Computer {
	for _, c := range h.Roster() {
		if c.Name == computer {
			return c
		}
	}
	return roster.Computer{}
}

func beat(run string, ahead time.Duration, boards ...wire.BoardBeat) func() wire.BeatBody {
	return func() wire.BeatBody {
		return wire.BeatBody{Version: "1", Core: "1", Boards: boards, Self: wire.Self{Run: run, Host: "pi", WallMS: time.Now().Add(ahead).UnixMilli()}}
	}
}

func numbered(board, serial string) wire.BoardBeat {
	return wire.BoardBeat{Board: board, Journal: board + "-r1", Place: wire.Place{Serial: serial}}
}

// Beats show a wrong clock, a copied card, and an older program, which reports nothing. A computer that joined and was
// never heard is in the list as well.
func TestTheListShowsWhatBeatsReport(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	speakers := map[string][]func() wire.BeatBody{
		"right": {beat("a", 0)}, "wrong": {beat("b", -time.Hour)}, "copied": {beat("c", 0), beat("d", 0)},
		"old": {func() wire.BeatBody { return wire.BeatBody{Version: "0", Core: "1"} }}, "silent": nil,
	}
	in := map[string]uplink.Member{}
	for name := range speakers {
		in[name] = h.invite(t, name)
	}
	for name, bodies := range speakers {
		if bodies != nil {
			h.speak(t, in[name], bodies...)
		}
	}
	sharedtest.Until(t, "all are heard", func() bool {
		return h.of("right").AheadKnown && h.of("wrong").AheadKnown && h.of("copied").TwoPrograms && h.of("old").Here
	})
	if c := h.of("right"); c.TwoPrograms || c.Ahead.Abs() > 2*time.Second || c.Seen.IsZero() {
		t.Errorf("right: %+v", c)
	}
	if c := h.of("wrong"); c.TwoPrograms || (c.Ahead+time.Hour).Abs() > 2*time.Second {
		t.Errorf("wrong: %+v", c)
	}
	if c := h.of("old"); c.TwoPrograms || c.AheadKnown {
		t.Errorf("old: %+v", c)
	}
	if c := h.of("silent"); c.Name == "" || c.Here || !c.Seen.IsZero() {
		t.Errorf("silent: %+v", c)
	}
}

// A board that answers at another computer has moved, also after a restart of the hall, until somebody says that it
// belongs there.
func TestABoardThatWasMoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := newHall(t, dir, "127.0.0.1:0")
	one, two := h.invite(t, "one"), h.invite(t, "two")
	key, nc := h.keyed(t, one)
	say := func(b wire.BeatBody) {
		t.Helper()
		msg, err := wire.Sealed(wire.Beat("one"), b, key)
		if err == nil {
			err = nc.PublishMsg(msg)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	say(beat("a", 0, numbered("1", "02718"))())
	sharedtest.Until(t, "the board is heard", func() bool { return len(h.of("one").Boards) == 1 })
	say(beat("a", 0)())                         // the cable was pulled
	say(beat("b", 0, numbered("1", "02718"))()) // and the computer started again
	say(wire.BeatBody{Over: true})
	sharedtest.Until(t, "the first computer is gone", func() bool { return !h.of("one").Here })
	if b := h.of("one").Boards[0]; b.Was != (roster.Home{}) {
		t.Errorf("a restart and a cable moved it: %+v", b)
	}
	h.stop()

	h = newHall(t, dir, "127.0.0.1:0")
	two.Addresses = []string{h.Addr().String()}
	h.speak(t, two, beat("c", 0, numbered("7", "02718")))
	moved := func() roster.Home {
		if c := h.of("two"); len(c.Boards) == 1 {
			return c.Boards[0].Was
		}
		return roster.Home{}
	}
	sharedtest.Until(t, "it has moved", func() bool { return moved() == roster.Home{Serial: "02718", Computer: "one", Board: "1"} })
	if err := h.Belongs("no such board"); !errors.Is(err, hub.ErrNoBoardThere) {
		t.Errorf("a board that is not there: %v", err)
	}
	if err := h.Belongs("7"); err != nil || moved() != (roster.Home{}) {
		t.Errorf("it belongs there: %v, %+v", err, moved())
	}
}

// A program on the hall's computer asks for the list; a computer of the hall may not.
func TestTheListIsForProgramsOfThisComputer(t *testing.T) {
	bothWays(t, testTheListIsForProgramsOfThisComputer)
}

func testTheListIsForProgramsOfThisComputer(t *testing.T, servers func(dir string) []string) {
	dir := t.TempDir()
	if _, err := hub.FilesIn(dir).AskList(sharedtest.Context(t), "127.0.0.1:1", nil); !errors.Is(err, hub.ErrNoHall) {
		t.Errorf("without a hall: %v", err)
	}
	cluster := servers(dir)
	h, err := hub.Open(hub.Options{Dir: dir, Listen: "127.0.0.1:0", Cluster: cluster, List: func() []byte { return []byte(`{"rows":[]}`) }, Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := h.Start(ctx); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { defer close(done); h.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	b, err := hub.FilesIn(dir).AskList(sharedtest.Context(t), h.Addr().String(), cluster)
	if err != nil || !json.Valid(b) || string(b) != `{"rows":[]}` {
		t.Fatalf("%q, %v", b, err)
	}
	in := &hall{Hub: h, dir: dir, files: hub.FilesIn(dir)}
	_, nc := in.keyed(t, in.invite(t, "table-1"))
	short, end := context.WithTimeout(context.Background(), time.Second)
	defer end()
	if m, err := nc.RequestWithContext(short, wire.List, nil); err == nil {
		t.Errorf("a computer gets %q", m.Data)
	}
}

// One token for many: each computer waits, is accepted by its code, and hears its name.
func TestNewcomers(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	inv, err := h.files.Invite("", []string{h.Addr().String()}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	ask := func(m uplink.Member) (string, error) {
		return uplink.Join(sharedtest.Context(t), inv, m, "rasp\x1bberry")
	}
	var all []uplink.Member
	for range 3 {
		m, err := uplink.Prepare(inv)
		if err != nil {
			t.Fatal(err)
		}
		var waits *uplink.WaitsError
		sharedtest.Until(t, "it is told to wait", func() bool { _, err := ask(m); return errors.As(err, &waits) })
		sharedtest.Until(t, "it is in the list", func() bool {
			for _, n := range h.Newcomers() {
				if n.Code == waits.Code {
					return n.Host == "raspberry"
				}
			}
			return false
		})
		all = append(all, m)
	}
	codes := h.Newcomers()
	for i, name := range []string{"table-1", ""} {
		if err := h.Accept(codes[i].Code, name); err != nil {
			t.Fatal(err)
		}
		if got, err := ask(all[i]); err != nil || got != map[int]string{0: "table-1", 1: "raspberry"}[i] {
			t.Errorf("it hears %q, %v", got, err)
		}
	}
	if err := h.Refuse(codes[2].Code); err != nil {
		t.Fatal(err)
	}
	if _, err := ask(all[2]); err == nil || err.Error() != members.ErrRefused.Error() {
		t.Errorf("who was refused hears %v", err)
	}
	if n := h.Newcomers(); len(n) != 0 {
		t.Errorf("%v wait", n)
	}
	if err := h.Accept(codes[0].Code, "again"); !errors.Is(err, members.ErrNoNewcomer) {
		t.Errorf("accepted twice: %v", err)
	}
	all[0].Computer = "table-1"
	if c := h.of("table-1"); !c.New || c.Here {
		t.Errorf("before it is there: %+v", c)
	}
	h.speak(t, all[0], beat("a", 0))
	sharedtest.Until(t, "it is there, and its name is its own", func() bool { c := h.of("table-1"); return c.Here && !c.New })
}

// keyed is a computer's key and a connection with it.
func (h *hall) keyed(t *testing.T, m uplink.Member) (nkeys.KeyPair, *nats.Conn) {
	t.Helper()
	key, err := nkeys.FromSeed([]byte(m.Seed))
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	var nc *nats.Conn
	sharedtest.Until(t, "the computer is let in", func() bool { // the server may be reading its list in this moment
		nc, err = h.dial(m, nats.Nkey(public, key.Sign))
		return err == nil
	})
	t.Cleanup(nc.Close)
	return key, nc
}

// Two programs with one key have different boards: each of these stays in the list, beat for beat. When one has ended,
// its boards are gone, which is not the same as a board that is to be watched and is not.
func TestTheBoardsOfTwoPrograms(t *testing.T) {
	t.Parallel()
	h := newHall(t, t.TempDir(), "127.0.0.1:0")
	key, nc := h.keyed(t, h.invite(t, "table-1"))
	said := int64(0)
	say := func(run string, has []string, boards ...wire.BoardBeat) roster.Computer {
		t.Helper()
		b := beat(run, 0, boards...)()
		said++ // in the same millisecond too
		b.Has, b.Self.WallMS = has, b.Self.WallMS+said
		msg, err := wire.Sealed(wire.Beat("table-1"), b, key)
		if err == nil {
			err = errors.Join(nc.PublishMsg(msg), nc.Flush())
		}
		if err != nil {
			t.Fatal(err)
		}
		sharedtest.Until(t, "it is heard", func() bool { c := h.of("table-1"); return c.Self.Run == run && c.Self.WallMS == b.WallMS })
		return h.of("table-1")
	}
	one := func() roster.Computer { return say("a", []string{"1", "7"}, numbered("1", "101")) }
	two := func() roster.Computer { return say("b", []string{"28"}, numbered("28", "128")) }
	sharedtest.Until(t, "two are heard", func() bool { one(); return two().TwoPrograms })
	for range 4 {
		for _, c := range []roster.Computer{one(), two()} {
			if len(c.Boards) != 2 || !c.Boards[0].Here || !c.Boards[1].Here || c.Boards[0].Serial != "101" || c.Boards[1].Serial != "128" {
				t.Fatalf("the boards are %+v", c.Boards)
			}
		}
	}

	// One of the two says that it has left: the other one, which may be the right one, stays in the hall.
	left, err := wire.Sealed(wire.Beat("table-1"), wire.BeatBody{Over: true, Left: true}, key)
	if err == nil {
		err = errors.Join(nc.PublishMsg(left), nc.Flush())
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		one()
	}
	if r, err := h.files.Members().Read(); err != nil || len(r.Computers) != 1 {
		t.Errorf("in the list are %v (%v)", r.Computers, err)
	}

	h = newHall(t, t.TempDir(), "127.0.0.1:0")
	key, nc = h.keyed(t, h.invite(t, "table-1"))
	say("a", []string{"1", "2", "3"}, numbered("1", "101"), numbered("2", "102"), numbered("3", "103"))
	c := say("b", []string{"1", "3"}, numbered("1", "101"))
	if len(c.Boards) != 3 || c.Boards[0].Gone || !c.Boards[1].Gone || c.Boards[2].Gone || c.Boards[2].Here {
		t.Errorf("renamed and not watched: %+v", c.Boards)
	}
	if c := say("b", nil, numbered("1", "101")); c.Boards[1].Gone {
		t.Errorf("of a program that does not say which boards it has: %+v", c.Boards)
	}
}
