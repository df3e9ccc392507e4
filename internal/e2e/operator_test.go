//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// byThePackage are the commands of the operator's page that need a system of their own, and the words by which
// deploy/package/try, which has one, runs them.
var byThePackage = map[string]string{
	"sha256sum --check --ignore-missing SHA256SUMS":                         "sha256sum --check --ignore-missing SHA256SUMS",
	"apt install ./boardwatchd_*_arm64.deb":                                 "dpkg -i /var/tmp/new.deb",
	"systemctl stop boardwatchd":                                            "systemctl stop boardwatchd",
	"rm -rf /var/lib/boardwatchd /run/boardwatchd /run/private/boardwatchd": "rm -rf /var/lib/boardwatchd /run/boardwatchd /run/private/boardwatchd",
	"systemctl start boardwatchd":                                           "systemctl start boardwatchd",
	"systemctl restart boardwatchd":                                         "systemctl restart boardwatchd",
	"systemctl disable --now boardwatchd":                                   "systemctl --quiet disable --now boardwatchd",
	"systemctl enable --now boardwatchd-hall":                               "systemctl --quiet enable --now boardwatchd-hall",
	"systemctl status boardwatchd":                                          "systemctl status boardwatchd",
	"journalctl -u boardwatchd --since today":                               "journalctl -u boardwatchd --since today",
	"cat /var/lib/boardwatchd-hall/pair.html > pair.html":                   "cat /var/lib/boardwatchd-hall/pair.html",
	"cp -a /var/lib/boardwatchd ./journals-of-the-event":                    "cp -a /var/lib/boardwatchd",
	`chown -R "$USER" report round.html`:                                    `chown -R "$USER" report round.html`,
}

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestTheOperatorsPage runs every command of docs/operator.md, in its order.
func TestTheOperatorsPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "operator.md"))
	if err != nil {
		t.Fatal(err)
	}
	try, err := os.ReadFile(filepath.Join("..", "..", "deploy", "package", "try"))
	if err != nil {
		t.Fatal(err)
	}
	h := openHub(t)
	table := newPlace(t)
	conf := table.write(t, "boardwatchd.yaml", "http: {listen: off, secure: off}\n")
	token, ran := "", 0
	for _, block := range shellBlock.FindAllStringSubmatch(string(page), -1) {
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			line = strings.TrimPrefix(line, "sudo ")
			args, ours := strings.CutPrefix(line, "boardwatchd ")
			if !ours {
				if part := byThePackage[line]; part == "" || !strings.Contains(string(try), part) {
					t.Errorf("nothing runs %q", line)
				}
				continue
			}
			ran++
			args, _, _ = strings.Cut(args, " > ")
			args = strings.NewReplacer("/etc/boardwatchd/boardwatchd.yaml", conf, "/etc/boardwatchd/hall.yaml", h.conf, "TOKEN", token).Replace(args)
			w := table
			if strings.Contains(args, h.conf) {
				w = h.place
			}
			words := strings.Fields(args)
			if words[0] == "simulate" {
				d := w.start(t, append(words, "-c", table.write(t, "rehearsal.yaml", "http: {listen: '127.0.0.1:0', secure: off}\n"))...)
				d.out.await(t, " game 1:")
				if code := d.stop(t); code != 0 {
					t.Errorf("%s: status %d", line, code)
				}
				continue
			}
			r := w.run(t, "", words...)
			if r.status != 0 && (words[0] != "doctor" || r.status != 1) { // this computer may have something wrong
				t.Errorf("%s: status %d\n%s%s", line, r.status, r.out, r.err)
			}
			if strings.HasPrefix(args, "hall invite") && strings.HasPrefix(r.out, "bwh1.") {
				token = strings.TrimSpace(r.out)
				h.secret("token", token)
			}
		}
	}
	if ran < 10 {
		t.Errorf("only %d commands were found on the page", ran)
	}
}
