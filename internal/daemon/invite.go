package daemon

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/qr"
	"boardwatchd/internal/web"
)

// inviteLife is how long the pairing code that is made at the start can be used, once.
const inviteLife = 12 * time.Hour

// invite publishes the page's address and lets one phone pair: as a page to print, and as text if the options allow it.
func (f *frontend) invite(ctx context.Context) {
	url, log := f.address(), f.d.opt.Log
	code, err := f.devices.NewCode(access.Arbiter, inviteLife)
	if err != nil {
		log.Error().Err(err).Msg("no code to pair a phone")
		return
	}
	file := filepath.Join(f.files.dir, inviteFile)
	if f.devices.Shared() { // they belong to the program that was here first
		file = filepath.Join(f.files.dir, fmt.Sprintf(otherInviteFile, os.Getpid()))
	}
	picture, err := qr.New(web.PairingURL(url, code))
	if err == nil {
		err = f.printable(file, code, url)
	}
	if err != nil {
		log.Error().Err(err).Msg("no page to print for pairing a phone")
	}
	log.Info().Str("page", url).Str("pair", file).Int("devices", len(f.devices.Devices())).Msg("the arbiter's page")
	f.d.running.Go(func() { f.withdraw(ctx, file, code) })
	if f.d.opt.Invitation != PaperOnly {
		for line := range strings.Lines(f.invitation(picture, code, url, file)) {
			f.d.opt.Show(strings.TrimSuffix(line, "\n"))
		}
	}
}

// invitation is the text for Show.
func (f *frontend) invitation(picture qr.Code, code access.Code, url, file string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The arbiter's page: %s\n", url)
	for _, a := range lanAddresses() {
		if at := urlAt(a.IP.String(), f.served.port()); everywhere(f.d.opt.Config.HTTP.Listen) && at != url {
			fmt.Fprintf(&b, "     or, on %s: %s\n", a.Interface, at)
		}
	}
	if how := f.d.opt.Invitation; how == WithQR || how == WithPlainQR {
		if err := picture.Terminal(&b, how == WithPlainQR); err != nil {
			f.d.opt.Log.Error().Err(err).Msg("no QR code")
		}
	}
	fmt.Fprintf(&b, "Pair a phone, once, until %s: scan the QR code, or open the page and type %s,\n", code.Expires.Local().Format("15:04"), code.Text)
	fmt.Fprintf(&b, "  or open %s\n", web.PairingURL(url, code))
	fmt.Fprintf(&b, "The QR code to print: %s\n", file)
	return b.String()
}

// printable writes the page to print. Only this user can read the file.
func (f *frontend) printable(file string, code access.Code, url string) error {
	var b bytes.Buffer
	err := qr.Page(&b, qr.PageData{Event: f.d.opt.Config.Event, URL: web.PairingURL(url, code), Code: code.Text, Role: string(code.Role), Expires: code.Expires})
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
		return err
	}
	paper, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(paper, &b)
	return cmp.Or(err, paper.Close())
}

// withdraw removes the printed page when its code cannot be used any more, and at the end.
func (f *frontend) withdraw(ctx context.Context, file string, code access.Code) {
	for ctx.Err() == nil {
		changed := f.devices.Changed()
		if !f.devices.CodeOpen(code) {
			break
		}
		select {
		case <-changed:
		case <-time.After(time.Until(code.Expires)):
		case <-ctx.Done():
		}
	}
	if ctx.Err() == nil {
		f.d.opt.Log.Info().Msg("the printed code is void: it was used, or its time is over; paired phones can invite others")
	}
	_ = os.Remove(file) // a void code
}
