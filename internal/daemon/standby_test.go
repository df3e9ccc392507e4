package daemon

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/sharedtest"
)

// inAHall is a daemon with a channel of its own that belongs to a hall which is never there.
func inAHall(t *testing.T) *Daemon {
	t.Helper()
	conf := config.Default()
	conf.HTTP.Listen = config.Off
	conf.Hall.Join = "bwh1.nothing"
	conf.Alerts.Channels = []config.Channel{{Name: "own", Type: config.Ntfy, Step: 1, URL: "http://127.0.0.1:1/own"}}
	d := Open(Options{Config: conf, Dir: t.TempDir(), Log: zerolog.Nop(), Getenv: func(string) string { return "" }})
	if err := os.MkdirAll(d.opt.Dir+"/"+hallDir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.member.end)
	return d
}

func TestOwnChannelsAreUsedUntilTheHallGivesSome(t *testing.T) {
	m := inAHall(t).member
	want := func(names ...string) {
		t.Helper()
		if !slices.Equal(m.channels, names) {
			t.Errorf("channels %q, want %q", m.channels, names)
		}
	}
	given := func(list ...standbyChannel) {
		t.Helper()
		b, err := json.Marshal(standby{After: time.Minute, Channels: list})
		if err == nil {
			err = m.keepStandby(b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	m.attach(m.standby)
	want("own")
	given()
	want("own")
	given(standbyChannel{Name: "halls", Type: config.Ntfy, Step: 1, URL: "http://127.0.0.1:1/halls"})
	want("halls")
	given()
	want("own")
}

// The hall gives its channels to a computer whose disk takes nothing.
func TestTheHallsChannelsAreUsedWhereTheDiskTakesNothing(t *testing.T) {
	m := inAHall(t).member
	if err := os.RemoveAll(m.d.opt.Dir); err != nil {
		t.Fatal(err)
	}
	given := standby{After: time.Minute, Channels: []standbyChannel{
		{Name: "hook", Type: config.Webhook, Step: 1, URL: "http://127.0.0.1:1/hook", Secret: "secret"},
		{Name: "topic", Type: config.Ntfy, Step: 1, URL: "http://127.0.0.1:1/topic", Secret: "token"},
		{Name: "program", Type: config.Command, Step: 1, URL: "/bin/true"},
	}}
	b, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.keepStandby(b); err == nil {
		t.Error("the hall is not told that it is not on the disk")
	}
	if want := []string{"hook", "topic"}; !slices.Equal(m.channels, want) {
		t.Errorf("channels %q, want %q", m.channels, want)
	}
}

// A hall that is connected, as far as anybody knows, and says of a board nothing at all, is away.
func TestAComputerAlertsWhenTheHallConfirmsNothing(t *testing.T) {
	m := inAHall(t).member
	m.standby.After = 300 * time.Millisecond
	m.attachKept()
	m.up.Watch("b1", "b1-r1")
	m.work.Go(func() { m.standIn(m.ending) })
	t.Cleanup(func() { m.end(); m.work.Wait() })
	sharedtest.Until(t, "it alerts by itself", func() bool { return strings.Contains(notices(m.d), "sends their alerts itself") })
}
