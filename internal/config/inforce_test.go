package config

import (
	"slices"
	"strings"
	"testing"
)

func TestInForceSaysWhoIsTold(t *testing.T) {
	for _, c := range []struct {
		claim, src string
		want       []string // lines, in order
	}{
		{"the defaults", "", []string{
			"page: on http :8160 and on https :8161 with the program's own certificate authority",
			"alerts: a message names the board only (language en); it is sent for 10m at most",
			"alerts: Web Push to devices that ask for it (needs the internet)",
			"alerts: no channels: a phone hears of an alert while the page is open",
		}},
		{"no page", "http: {listen: off}", []string{
			"page: off",
			"alerts: a message names the board only (language en); it is sent for 10m at most",
			"alerts: no channels: a phone hears of an alert while the page is open",
		}},
		{"everything", full, []string{
			"page: on http 192.168.1.10:80 and on https 192.168.1.10:443 with the program's own certificate authority; whoever reaches it may read /metrics",
			"page: also called hall.example.org, boards",
			"alerts: a message names the board, the offence and its article (language de); it is sent for 1h at most; step 2 is told after 45s unless somebody has seen it",
			"alerts: channel tablet, step 1: ntfy at http://192.168.1.10:8090, token from /etc/boardwatchd/ntfy.token, for table-2",
			"alerts: channel server, step 2: webhook at https://example.org, signed with the key in /etc/boardwatchd/hook.key",
			"alerts: channel light, step 1: starts /usr/local/bin/light",
			"broadcast: moves and clock times 30m after they were recorded, results at once, without names; to /srv/www/round.pgn, " +
				"/broadcast/round.pgn for everybody who reaches the page, round AbCd1234 at https://lichess.example with the token in /etc/boardwatchd/lichess.token",
		}},
		{"a broadcast without a delay", "alerts: {push: false}\nbroadcast: {delay: 0s, url: live}", []string{
			"page: on http :8160 and on https :8161 with the program's own certificate authority",
			"alerts: a message names the board only (language en); it is sent for 10m at most",
			"alerts: no channels: a phone hears of an alert while the page is open",
			"broadcast: moves and clock times as they are recorded, without a delay; to /broadcast/round.pgn for everybody who reaches the page",
		}},
		{"a webhook without a key", "http: {secure: off}\nalerts: {channels: [{name: a, type: webhook, url: 'http://h/secret'}]}", []string{
			"page: on http :8160",
			"alerts: a message names the board only (language en); it is sent for 10m at most",
			"alerts: channel a, step 1: webhook at http://h, not signed",
		}},
	} {
		t.Run(c.claim, func(t *testing.T) {
			conf, err := Parse("f", []byte(c.src))
			if err != nil {
				t.Fatal(err)
			}
			got := slices.DeleteFunc(conf.InForce(), func(l string) bool { return strings.HasPrefix(l, "rules:") })
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}
