package doctor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/hub"
	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/hall/wire"
	texts "boardwatchd/internal/web/page"
	"boardwatchd/rules/words"
)

// askHall requests the operator's list from the hall that runs here.
func askHall(ctx context.Context, dir string, c config.Hall) ([]byte, error) {
	return hub.FilesIn(dir).AskList(ctx, c.Listen, c.Cluster)
}

// servesHall reports whether the state directory is that of a hall.
func (v *visit) servesHall() bool {
	return v.dir != "" && hub.FilesIn(v.path(filepath.Join(v.dir, "hall"))).Exists() == nil
}

// joins returns why the configuration's token of a hall cannot be used.
func (v *visit) joins() error {
	token := v.Config.Hall.Join
	switch {
	case token == "":
		return nil
	case filepath.IsAbs(token):
		if !v.there(token) {
			return errors.New(token + " is not there")
		}
		token = v.read(token)
	}
	_, err := wire.ReadToken(token)
	return err
}

// hall checks every computer and board of a hall that is served here, from the hall's own list.
func hall(ctx context.Context, v *visit) {
	if v.dir == "" {
		return
	}
	dir := v.path(filepath.Join(v.dir, "hall"))
	if m, err := uplink.ReadMember(filepath.Join(dir, "member.json")); err == nil {
		if err := uplink.Reaches(m); errors.Is(err, uplink.ErrOut) {
			v.fail(texts.English(words.Say("notice.hall_out.do", config.Typed(v.File, "join", "TOKEN"))), "%s", texts.English(words.Say("notice.hall_out", m.Computer)))
		} else if err != nil {
			v.warn("boardwatchd hall list there says whether it was revoked: then hall invite there, and join here; a hall with another address: "+config.Typed(v.File, "join", "--address HOST:PORT"),
				"this computer is to be %s of a hall: %v", m.Computer, err)
		} else {
			v.ok("this computer is %s of the hall at %s", m.Computer, m.Addresses[0])
		}
	} else if err := v.joins(); err != nil {
		v.fail("write the token that boardwatchd hall invite prints at the hall's computer into hall.join, or the path of a file with it; or boardwatchd join TOKEN", "this computer cannot join a hall: hall.join: %v", err)
	}
	switch err := hub.FilesIn(dir).Exists(); {
	case errors.Is(err, fs.ErrPermission):
		v.warn("sudo boardwatchd doctor", "this user may not look into %s", filepath.Join(v.dir, "hall"))
		return
	case err != nil:
		v.ok("no hall is served here")
		return
	}
	b, err := v.Hall(ctx, dir, v.Config.Hall)
	var l roster.List
	if err == nil {
		err = json.Unmarshal(b, &l)
	}
	if damaged := hub.FilesIn(dir).DamagedKeys(len(v.Config.Hall.Cluster) > 0); err != nil && len(damaged) > 0 {
		v.fail(texts.English(words.Say("notice.hall_keys.do")), "no computer can reach the hall: %s cannot be read", strings.Join(damaged, ", "))
		return
	}
	if err != nil && v.hallPortTaken(ctx) {
		return
	}
	if err != nil {
		v.warn("start it: boardwatchd hall, or sudo systemctl start boardwatchd-hall", "of the hall's computers nothing is known: %v", err)
		return
	}
	if n := len(l.Newcomers); n > 0 {
		v.warn(config.Typed(v.File, "hall list", "")+" shows them; "+config.Typed(v.File, "hall accept", "CODE NAME"), "computers that wait to be accepted: %d", n)
	}
	if n := len(l.Stranded); n > 0 {
		v.warn("take them back on the hall's page, under Computers, and decide again", "decisions that no board gets, because their computers are not in the hall any more: %d", n)
	}
	good, all := 0, 0
	for _, r := range l.Rows {
		v.addProblems(&r)
		if r.Own { // the hall's own computer
			continue
		}
		all++
		if r.Level == roster.Good {
			good++
		}
	}
	if all == 0 {
		v.ok("no computer is in the hall yet: %s", config.Typed(v.File, "hall invite", "NAME"))
		return
	}
	v.ok("computers and boards of the hall that are in order: %d of %d", good, all)
}

// hallPortTaken reports the program that has the port of a hall which does not answer.
func (v *visit) hallPortTaken(ctx context.Context) bool {
	c := v.Config.Hall
	if len(c.Cluster) > 0 {
		return false
	}
	l, err := v.Listen(ctx, c.Listen)
	if err == nil {
		_ = l.Close() // there was no connection
	}
	if !errors.Is(err, syscall.EADDRINUSE) {
		return false
	}
	holder, _ := v.Holder(port(c.Listen))
	v.fail("end that program: a hall that runs tries the port again every 5 seconds", "no computer can reach the hall: port %s of hall.listen is taken by %s", port(c.Listen), holder)
	return true
}

var levelOf = map[string]Level{roster.Bad: Fail, roster.Warn: Warn, roster.Note: OK}

// addProblems adds a line for each problem of a computer or a board.
func (v *visit) addProblems(r *roster.Row) {
	name := "computer " + r.Computer
	if r.Board != "" {
		name = "board " + cmp.Or(r.Name, r.Board)
		if r.Table != "" && r.Table != r.Board {
			name += " (table " + r.Table + ")"
		}
		name += " at " + r.Computer
	}
	for _, p := range r.Problems {
		text := p.Text
		if p.Detail != "" {
			text += ": " + p.Detail
		}
		v.line(levelOf[p.Level], p.Do, "%s: %s", printable(name), printable(text))
	}
}
