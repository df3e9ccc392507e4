package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"boardwatchd/internal/config"
	"boardwatchd/internal/disk"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/orders"
	"boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

// Notices about a hall, a round and a channel are sentences of the page's texts.
func TestReasonsInNotices(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	damaged := filepath.Join(t.TempDir(), "member.json")
	if err := os.WriteFile(damaged, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, unread := uplink.ReadMember(damaged)
	look := func(ch config.Channel) error {
		_, err := ch.CheckFiles()
		return err
	}
	apply := func(s orders.Settings) error {
		_, err := s.Apply(config.Default())
		return err
	}
	for _, c := range []struct {
		say  func(error) words.Sentence
		err  error
		want string
	}{
		{whyOut, &uplink.SilentError{Addresses: []string{"pi:8162"}}, "The hall does not answer at pi:8162. Is it running there, and this computer in the same network?"},
		{whyOut, fmt.Errorf("join: %w", uplink.ErrInvitation), "The hall does not take this token: it was used, was replaced, or its time is over. Ask for a new one there."},
		{whyOut, fmt.Errorf("join: %w", wire.ErrPin), "The program that answers at the hall’s address is not the hall of this token."},
		{whyOut, &OtherHallError{Was: uplink.Member{Computer: "pi", Addresses: []string{"a:1", "b:2"}}}, "This computer is pi of the hall at a:1, b:2, and would leave it."},
		{whyOut, &uplink.RefusedError{Why: "two computers have one name"}, "two computers have one name"},
		{whyOut, unread, damaged + ": it is damaged"},
		{whyOut, &fs.PathError{Op: "open", Path: "/s/hall", Err: syscall.EROFS}, "/s/hall: the disk can only be read"},
		{misfit, apply(orders.Settings{TimeControl: "an hour"}), "this version of the program does not take its time control"},
		{misfit, apply(orders.Settings{Profile: "fide-1920"}), "this version of the program does not take its rules"},
		{misfit, apply(orders.Settings{Local: "bonus: much"}), "this version of the program does not take its local rules"},
		{misfit, errors.New("another one"), "another one"},
		{disk.WhyAt, look(config.Channel{Type: config.Webhook, SecretFile: none}), none + ": it is not there"},
		{disk.WhyAt, look(config.Channel{Type: config.Ntfy, TokenFile: filepath.Dir(damaged)}), filepath.Dir(damaged) + ": it must hold the secret and nothing else"},
		{disk.WhyAt, look(config.Channel{Type: config.Command, Command: []string{damaged}}), damaged + ": it is no program that may be started"},
	} {
		if got := page.English(c.say(c.err)); got != c.want {
			t.Errorf("%v is said as %q, want %q", c.err, got, c.want)
		}
	}
}
