package doctor

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"boardwatchd/internal/config"
)

// public examines the broadcast to the public. It sends nothing.
func public(ctx context.Context, v *visit) {
	b := v.Config.Broadcast
	if !b.On() {
		v.ok("nothing is public: neither broadcast.file, broadcast.url nor broadcast.lichess is set")
		return
	}
	switch {
	case b.Delay == 0:
		v.warn("write a delay, like 15m, unless the organiser wants the games as they are played", "the games are public without a delay")
	default:
		v.ok("moves and clock times are public %s after they were recorded", b.Delay)
	}
	if b.File != "" {
		v.publicFile(b.File)
	}
	if b.Lichess.Round != "" {
		v.lichess(ctx, b.Lichess)
	}
}

func (v *visit) publicFile(file string) {
	dir := filepath.Dir(file)
	info, err := os.Stat(v.path(dir))
	if err == nil && !info.IsDir() {
		err = errors.New("is not a directory")
	} else if err == nil {
		err = v.Writable(v.path(dir))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		v.fail("make the directory, for the user that boardwatchd runs as, or correct broadcast.file", "broadcast.file: %s is not there", dir)
	case err != nil:
		v.fail("choose a directory in which the program's user may write (a service: below /var/lib/boardwatchd)", "broadcast.file: %s cannot be written: %s", dir, why(err))
	default:
		v.ok("broadcast.file: %s can be written", file)
	}
}

func (v *visit) lichess(ctx context.Context, l config.Lichess) {
	// The file is examined in the same way as a channel's.
	open, err := config.Channel{TokenFile: l.TokenFile}.CheckFiles()
	switch {
	case err != nil:
		v.fail("mend that, then run doctor again as the user that boardwatchd runs as", "lichess: %v", err)
		return
	case open != "":
		v.warn("keep secrets to their owner", "lichess: %s", config.TooOpen(open))
	}
	u, err := url.Parse(l.Server)
	if err != nil {
		return // reported with the configuration
	}
	status, _, err := v.Get(ctx, u.Scheme+"://"+u.Host+"/")
	switch {
	case err != nil:
		v.fail("check whether this network has a name server and the internet", "lichess: %s does not answer: %s", u.Host, why(err))
	case status >= 500:
		v.warn("wait, and look again", "lichess: %s answers, and is not well (status %d)", u.Host, status)
	default:
		v.ok("lichess: %s answers (status %d); nothing was sent, so the token and the round %s were not tried", u.Host, status, l.Round)
	}
}
