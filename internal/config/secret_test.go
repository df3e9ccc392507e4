package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// put writes a file with exactly that mode, regardless of the umask.
func put(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadSecret(t *testing.T) {
	if s, err := ReadSecret(put(t, "token", " tk_abc\r\n", 0o600)); err != nil || s != "tk_abc" {
		t.Errorf("%q, %v", s, err)
	}
	const secret = "hunter2"
	for claim, c := range map[string]struct{ path, hint string }{
		"a file that is not there":  {filepath.Join(t.TempDir(), "none"), "no such file"},
		"a directory":               {t.TempDir(), "is not a file"},
		"an empty file":             {put(t, "a", " \n", 0o600), "is empty"},
		"two lines":                 {put(t, "b", secret+"\n"+secret+"\n", 0o600), "nothing else"},
		"bytes that are no text":    {put(t, "c", secret+"\x00\xff", 0o600), "plain characters"},
		"a file that is another's":  {put(t, "d", strings.Repeat(secret, 1000), 0o600), "at most 4096"},
		"a device that never ends":  {"/dev/zero", "is not a file"},
		"a secret that has a blank": {put(t, "e", secret+" "+secret, 0o600), "nothing else"},
	} {
		t.Run(claim, func(t *testing.T) {
			s, err := ReadSecret(c.path)
			if err == nil || s != "" || !strings.Contains(err.Error(), c.hint) || !strings.Contains(err.Error(), c.path) || strings.Contains(err.Error(), secret) {
				t.Errorf("%q, %v; want the path and %q", s, err, c.hint)
			}
		})
	}
}

func TestLookAtTheFilesOfAChannel(t *testing.T) {
	for claim, c := range map[string]struct {
		ch            Channel
		warning, hint string
	}{
		"a token that only its owner may read": {Channel{Type: Ntfy, TokenFile: put(t, "a", "x", 0o600)}, "", ""},
		"a token that everybody may read":      {Channel{Type: Ntfy, TokenFile: put(t, "a", "x", 0o644)}, "chmod 0640", ""},
		"a key that is not there":              {Channel{Type: Webhook, SecretFile: "/none/key"}, "", "no such file"},
		"no secret at all":                     {Channel{Type: Webhook}, "", ""},
		"a program":                            {Channel{Type: Command, Command: []string{put(t, "p", "", 0o755)}}, "", ""},
		"a program that may not be executed":   {Channel{Type: Command, Command: []string{put(t, "p", "", 0o644)}}, "", "chmod 0755"},
		"a program that is not there":          {Channel{Type: Command, Command: []string{"/none/p"}}, "", "no such program"},
		"a directory for a program":            {Channel{Type: Command, Command: []string{t.TempDir()}}, "", "is not a program"},
	} {
		t.Run(claim, func(t *testing.T) {
			open, err := c.ch.CheckFiles()
			warning := ""
			if open != "" {
				warning = TooOpen(open)
			}
			if (warning == "") != (c.warning == "") || !strings.Contains(warning, c.warning) {
				t.Errorf("warning %q, want %q", warning, c.warning)
			}
			if (err == nil) != (c.hint == "") || err != nil && !strings.Contains(err.Error(), c.hint) {
				t.Errorf("%v, want %q", err, c.hint)
			}
		})
	}
}

// FuzzAddresses: every accepted address has the promised form.
func FuzzAddresses(f *testing.F) {
	for _, s := range []string{"http://h/t", "https://[::1]:8160/", "http://a:b@c", "http://h:", "hall.local", "1.2", "xn--a.org", "me@example.org", "https://example.org"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if checkHostName(s) == nil && (len(strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789-.")) > 0 || s == "") {
			t.Errorf("%q passes for a host name", s)
		}
		if u, err := webAddress(s); err == nil && (u.Hostname() == "" || u.User != nil || !strings.HasPrefix(strings.ToLower(s), "http")) {
			t.Errorf("%q passes for an address", s)
		}
		if checkPageURL(s) == nil && checkURL(s) != nil {
			t.Errorf("%q is an address of the page and no address", s)
		}
		if checkContact(s) == nil && !strings.Contains(s, ".") {
			t.Errorf("%q passes for a contact", s)
		}
	})
}
