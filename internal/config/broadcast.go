package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Broadcast configures the games of the round for the public (docs/broadcast.md). Without File, URL and Lichess.Round
// there is no broadcast.
type Broadcast struct {
	Delay        time.Duration // of moves, clock times and results
	ResultAtOnce bool          // results are not delayed
	Names        bool          // of the players
	File         string        // the absolute path of a PGN file; empty: none
	URL          PublicURL
	Lichess      Lichess
}

// On reports whether anything is broadcast.
func (b Broadcast) On() bool { return b.File != "" || b.URL != NoURL || b.Lichess.Round != "" }

// Lichess is a round of a broadcast there.
type Lichess struct {
	Server    string // https://lichess.org
	Round     string // identity of the round; empty: nothing is pushed
	TokenFile string // contains the token
}

// PublicURL determines whether the games are at an address of the page, for everybody.
type PublicURL uint8

// The values of broadcast.url.
const (
	NoPublicURL PublicURL = iota
	NoURL                 // there is no such address
	DelayedURL
	LiveURL // without a delay, which has to be set explicitly
)

var publicURLNames = []string{"off", "delayed", "live"}

func (u PublicURL) String() string { return word(publicURLNames, uint8(u)) }

var broadcastKeys = []key{
	span("delay", "15m", 0, 24*time.Hour,
		"Every move, clock time and result is held back for so long, counted from its record in the journal.", func(c *Config) *time.Duration { return &c.Broadcast.Delay }),
	{name: "result_at_once", kind: boolean, def: "false",
		doc: "Results are not held back.",
		set: func(c any, v value) { cfg(c).Broadcast.ResultAtOnce = v.yes }},
	{name: "names", kind: boolean, def: "true",
		doc: "The names of the players are told.",
		set: func(c any, v value) { cfg(c).Broadcast.Names = v.yes }},
	{name: "file", kind: text, max: 500, check: checkPGNFile,
		doc: "Path of a PGN file that is rewritten at each move that is due; empty: none.",
		set: func(c any, v value) { cfg(c).Broadcast.File = v.text }},
	{name: "url", kind: choice, def: "off", choices: publicURLNames,
		doc: "Whether everybody who reaches the page gets the same text at /broadcast/round.pgn; live is needed where there is no delay.",
		set: func(c any, v value) { cfg(c).Broadcast.URL = PublicURL(v.index) }},
	{name: "lichess", kind: section, doc: "A round of a broadcast at lichess to which the games are pushed.", sub: []key{
		{name: "server", kind: text, def: "https://lichess.org", max: 200, check: checkLichess,
			doc: "Address of the server.",
			set: func(c any, v value) { cfg(c).Broadcast.Lichess.Server = v.text }},
		{name: "round", kind: text, max: 8, check: checkLichessRound,
			doc: "Identity of the round, the last 8 letters of its address; empty: nothing is pushed.",
			set: func(c any, v value) { cfg(c).Broadcast.Lichess.Round = v.text }},
		{name: "token_file", kind: text, max: 500, private: true, check: checkSecretFile,
			doc: "File that holds a token with the scope study:write.",
			set: func(c any, v value) { cfg(c).Broadcast.Lichess.TokenFile = v.text }},
	}},
}

func checkPGNFile(s string) error {
	if !filepath.IsAbs(s) || strings.HasSuffix(s, "/") {
		return errors.New("is not the whole path of a file, like /var/lib/boardwatchd/broadcast/round.pgn")
	}
	if !strings.EqualFold(filepath.Ext(s), ".pgn") { // the file is replaced without a question
		return errors.New("does not end in .pgn; the file of that name is replaced, whatever it was")
	}
	return nil
}

// checkLichess refuses addresses over which a stranger could read the token.
func checkLichess(s string) error {
	u, err := webAddress(s)
	if err != nil {
		return err
	}
	if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.ForceQuery {
		return errors.New("has something after the host; write the address of the server only, like https://lichess.org")
	}
	if host := u.Hostname(); u.Scheme != "https" && host != "localhost" && host != "127.0.0.1" && host != "::1" {
		return errors.New("is not encrypted: write https://, because the token goes there")
	}
	return nil
}

func checkLichessRound(s string) error {
	if len(s) != 8 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
		return errors.New("is not the identity of a round: write the last 8 letters of its address")
	}
	return nil
}

// broadcast checks for settings that would show a game in progress, and for settings that cannot work.
func (w *walker) broadcast() {
	b, page := w.config.Broadcast, w.config.HTTP.Listen
	at := w.place("broadcast.url", "broadcast.delay")
	switch {
	case b.URL == DelayedURL && b.Delay == 0:
		w.problem(at, "broadcast.url", "is delayed, and broadcast.delay is 0s: write a delay, like 15m, or url: live if everybody in the network may follow the games as they are played")
	case b.URL == LiveURL && b.Delay != 0:
		w.problem(at, "broadcast.url", "is live, and broadcast.delay is %s: write url: delayed, or delay: 0s", durationString(int64(b.Delay)))
	case b.URL != NoURL && page == Off:
		w.problem(at, "broadcast.url", "is %s, and http.listen is off: there is no page to serve it; write an address, or use broadcast.file", b.URL)
	}
	if l := b.Lichess; (l.Round == "") != (l.TokenFile == "") {
		w.problem(w.place("broadcast.lichess.round", "broadcast.lichess.token_file"), "broadcast.lichess", "needs both a round and a token_file, or neither")
	}
}

// inForce describes the broadcast in lines for people; empty without a broadcast.
func (b Broadcast) inForce() []string {
	if !b.On() {
		return nil
	}
	line := "broadcast: moves and clock times " + durationString(int64(b.Delay)) + " after they were recorded"
	if b.Delay == 0 {
		line = "broadcast: moves and clock times as they are recorded, without a delay"
	}
	if b.ResultAtOnce && b.Delay > 0 {
		line += ", results at once"
	}
	if !b.Names {
		line += ", without names"
	}
	var to []string
	if b.File != "" {
		to = append(to, b.File)
	}
	if b.URL != NoURL {
		to = append(to, "/broadcast/round.pgn for everybody who reaches the page")
	}
	if b.Lichess.Round != "" {
		to = append(to, fmt.Sprintf("round %s at %s with the token in %s", b.Lichess.Round, b.Lichess.Server, b.Lichess.TokenFile))
	}
	return []string{line + "; to " + strings.Join(to, ", ")}
}
