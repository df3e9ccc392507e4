package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"boardwatchd/internal/access"
	"boardwatchd/internal/qr"
	"boardwatchd/internal/web"
)

// inviteLife is how long the code of a start can be used, once.
const inviteLife = 12 * time.Hour

// invite says where the page is and lets one phone in: on the terminal, and as a page to print. Where standard output goes
// into the system's log, the code is only in that file: no secret stands in a log.
func (h *hall) invite(ctx context.Context) {
	url, log := h.address(), h.d.log
	code, err := h.devices.NewCode(access.Arbiter, inviteLife)
	if err != nil {
		log.Error().Err(err).Msg("no code to pair a phone")
		return
	}
	file := filepath.Join(h.d.dir, inviteFile)
	if h.devices.Shared() { // of the program that was here first
		file = filepath.Join(h.d.dir, fmt.Sprintf(otherInviteFile, os.Getpid()))
	}
	link, err := qr.New(web.PairingURL(url, code))
	if err == nil {
		err = h.printable(file, link, code, url)
	}
	if err != nil {
		log.Error().Err(err).Msg("no page to print for pairing a phone")
	}
	log.Info().Str("page", url).Str("pair", file).Int("devices", len(h.devices.Devices())).Msg("the arbiter's page")
	h.d.running.Go(func() { h.withdraw(ctx, file, code) })
	if !h.d.quiet && !loggedBySystemd(os.Getenv, os.Stdout) {
		for line := range strings.Lines(h.invitation(link, code, url, file)) {
			h.d.out.show(strings.TrimSuffix(line, "\n"))
		}
	}
}

// invitation is what stands on the terminal.
func (h *hall) invitation(link qr.Code, code access.Code, url, file string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The arbiter's page: %s\n", url)
	for _, a := range lanAddresses() {
		if at := urlAt("http", a.IP.String(), h.served.port()); everywhere(h.d.conf.HTTP.Listen) && at != url {
			fmt.Fprintf(&b, "     or, on %s: %s\n", a.Interface, at)
		}
	}
	if h.d.paints {
		if err := link.Terminal(&b, !utf8Terminal(os.Getenv)); err != nil {
			h.d.log.Error().Err(err).Msg("no QR code")
		}
	}
	fmt.Fprintf(&b, "Pair a phone, once, until %s: scan the QR code, or open the page and type %s,\n", code.Expires.Local().Format("15:04"), code.Text)
	fmt.Fprintf(&b, "  or open %s\n", web.PairingURL(url, code))
	fmt.Fprintf(&b, "The QR code to print: %s\n", file)
	return b.String()
}

func utf8Terminal(getenv func(string) string) bool {
	for _, key := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(key); v != "" {
			v = strings.ToUpper(v)
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return false
}

// printable writes the page to print; nobody but this user can read it.
func (h *hall) printable(file string, link qr.Code, code access.Code, url string) error {
	var b bytes.Buffer
	err := qr.Page(&b, qr.PageData{Event: h.d.conf.Event, URL: web.PairingURL(url, code), Code: code.Text, Role: string(code.Role), Expires: code.Expires})
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, &b)
	return firstError(err, f.Close())
}

// withdraw takes the printed page away when its code cannot be used any more, and at the end.
func (h *hall) withdraw(ctx context.Context, file string, code access.Code) {
	for ctx.Err() == nil {
		changed := h.devices.Changed()
		if !h.devices.CodeOpen(code) {
			break
		}
		select {
		case <-changed:
		case <-time.After(time.Until(code.Expires)):
		case <-ctx.Done():
		}
	}
	if ctx.Err() == nil {
		h.d.log.Info().Msg("the printed code is void: it was used, or its time is over; paired phones can invite others")
	}
	_ = os.Remove(file) // a void code
}

// loggedBySystemd says that a file is the stream to the system's log.
func loggedBySystemd(getenv func(string) string, f *os.File) bool {
	stream := getenv("JOURNAL_STREAM")
	if stream == "" {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return true
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || stream == fmt.Sprintf("%d:%d", st.Dev, st.Ino)
}
