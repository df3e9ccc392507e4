package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nkeys"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/wire"
)

// linesOf are those of a check.
func linesOf(lines []Line, check string) (text string) {
	for _, l := range lines {
		if l.Check == check {
			text += l.Level.String() + " " + l.Text + " -> " + l.Remedy + "\n"
		}
	}
	return text
}

func TestAHallIsExamined(t *testing.T) {
	c, s := goodComputer(t)
	beginHall(t, c, s)
	var asked string
	list := roster.List{
		Rows: []roster.Row{
			{Computer: "table-7", Level: roster.Bad, Problems: []roster.Problem{{What: "away", Level: roster.Bad, Text: "It cannot be reached since 14:03.", Do: "Look at its power."}}},
			{Computer: "table-8", Board: "3", Level: roster.Warn, Problems: []roster.Problem{{What: "clock_missing", Level: roster.Warn, Text: "No clock", Detail: "no cable\x1b", Do: "Switch it on."}}},
			{Computer: "table-9", Level: roster.Good},
			{Computer: "hall", Own: true, Level: roster.Good},
		},
		Newcomers: []roster.Newcomer{{Code: "K7QF-2M9X"}}, Stranded: []roster.Stranded{{Board: "3"}},
	}
	c.Hall = func(_ context.Context, dir string, _ config.Hall) ([]byte, error) {
		asked = dir
		return json.Marshal(list)
	}
	text := linesOf(Examine(t.Context(), *c, *s), "hall")
	for _, want := range []string{
		"fail computer table-7: It cannot be reached since 14:03. -> Look at its power.\n",
		"warn board 3 at table-8: No clock: no cable -> Switch it on.\n",
		"warn computers that wait to be accepted: 1 -> ", "warn decisions that no board gets, because their computers are not in the hall any more: 1 -> ", "ok computers and boards of the hall that are in order: 1 of 3",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if want := filepath.Join(c.Root, s.Config.StateDir, "hall"); asked != want {
		t.Errorf("asked was the hall in %s, want %s", asked, want)
	}
	if text := linesOf(Examine(t.Context(), *c, *s), "boards"); text != "ok the state directory is that of a hall: its boards are at other computers -> \n" {
		t.Errorf("of a hall's own boards: %s", text)
	}
	c.Listen = func(context.Context, string) (io.Closer, error) { return nil, syscall.EADDRINUSE }
	c.Get = func(context.Context, string) (int, []byte, error) {
		return 503, []byte(`{"status":"no_board","boards":0}`), nil
	}
	list.Rows, list.Newcomers = list.Rows[3:], nil
	lines := Examine(t.Context(), *c, *s)
	if text := linesOf(lines, "hall"); !strings.Contains(text, "ok no computer is in the hall yet") {
		t.Errorf("a hall without computers: %s", text)
	}
	if text := linesOf(lines, "page"); strings.Contains(text, "is not well") {
		t.Errorf("the page of a hall without computers: %s", text)
	}
	for _, answer := range []func(context.Context, string, config.Hall) ([]byte, error){
		func(context.Context, string, config.Hall) ([]byte, error) {
			return nil, errors.New("connection refused")
		},
		func(context.Context, string, config.Hall) ([]byte, error) { return []byte("no list"), nil },
	} {
		c.Hall = answer
		c.Listen = func(context.Context, string) (io.Closer, error) { return io.NopCloser(nil), nil }
		if text := linesOf(Examine(t.Context(), *c, *s), "hall"); !strings.HasPrefix(text, "warn of the hall's computers nothing is known") {
			t.Errorf("a hall that does not answer:\n%s", text)
		}
	}
}

// A computer whose hall does not answer, or has revoked it, is not in it, whatever its own file says.
func TestAComputerThatItsHallDoesNotTake(t *testing.T) {
	c, s := goodComputer(t)
	inv, err := hub.FilesIn(t.TempDir()).Invite("table-7", []string{"127.0.0.1:1"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	who, err := uplink.Prepare(inv)
	if err != nil {
		t.Fatal(err)
	}
	write(t, c, filepath.Join(s.Config.StateDir, "hall", "member.json"), "")
	if err := uplink.SaveMember(filepath.Join(c.Root, s.Config.StateDir, "hall", "member.json"), who); err != nil {
		t.Fatal(err)
	}
	text := linesOf(Examine(t.Context(), *c, *s), "hall")
	if want := "warn this computer is to be table-7 of a hall: the hall of this computer does not answer at 127.0.0.1:1, or does not take this computer"; !strings.Contains(text, want) {
		t.Errorf("%q is missing in\n%s", want, text)
	}
}

// A token in the configuration that is none, or a file that is not there, is reported before anybody wonders why
// the computer does not come.
func TestATokenThatCannotBeUsed(t *testing.T) {
	key, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey()
	seed, serr := key.Seed()
	if err != nil || serr != nil {
		t.Fatal(err, serr)
	}
	for join, want := range map[string]string{
		"":                  "ok no hall is served here",
		"bwh1.zzz":          "fail this computer cannot join a hall: hall.join: ",
		"/boot/nowhere":     "fail this computer cannot join a hall: hall.join: /boot/nowhere is not there",
		"/boot/token":       "fail this computer cannot join a hall: hall.join: ",
		"/boot/right-token": "ok no hall is served here",
	} {
		c, s := goodComputer(t)
		write(t, c, "/boot/token", "nothing\n")
		inv := wire.Invitation{Computer: "table-1", Addresses: []string{"127.0.0.1:8162"}, Pin: make([]byte, 32), Hub: public, Seed: string(seed)}
		write(t, c, "/boot/right-token", inv.Token()+"\n")
		s.Config.Hall.Join = join
		if text := linesOf(Examine(t.Context(), *c, *s), "hall"); !strings.HasPrefix(text, want) {
			t.Errorf("%q: %s", join, text)
		}
	}
}

// beginHall makes the state directory one of a hall.
func beginHall(t *testing.T, c *Computer, s *Subject) {
	t.Helper()
	if _, err := hub.FilesIn(filepath.Join(c.Root, s.Config.StateDir, "hall")).Invite("table-1", nil, time.Now()); err != nil {
		t.Fatal(err)
	}
}

// Keys that cannot be read are named.
func TestAHallWithDamagedKeys(t *testing.T) {
	c, s := goodComputer(t)
	write(t, c, filepath.Join(s.Config.StateDir, "hall", "hub.seed"), "damaged")
	c.Hall = func(context.Context, string, config.Hall) ([]byte, error) {
		return nil, errors.New("connection refused")
	}
	if text := linesOf(Examine(t.Context(), *c, *s), "hall"); !strings.HasPrefix(text, "fail no computer can reach the hall: ") || !strings.Contains(text, "hub.seed cannot be read -> Put a good copy") {
		t.Error(text)
	}
}

// The program that has the port of a hall is named.
func TestAHallWhosePortIsTaken(t *testing.T) {
	c, s := goodComputer(t)
	beginHall(t, c, s)
	c.Hall = func(context.Context, string, config.Hall) ([]byte, error) { return nil, errors.New("no answer") }
	c.Listen = func(context.Context, string) (io.Closer, error) { return nil, syscall.EADDRINUSE }
	if text := linesOf(Examine(t.Context(), *c, *s), "hall"); !strings.HasPrefix(text, "fail no computer can reach the hall: port 8162 of hall.listen is taken by another program") {
		t.Error(text)
	}
}
