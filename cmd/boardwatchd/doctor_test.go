package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardwatchd/internal/doctor"
	"boardwatchd/internal/link"
)

// goodComputer is a computer on which a phone reaches the page, if it has a network.
func goodComputer(t *testing.T, network bool) doctor.Computer {
	c := doctor.ThisComputer()
	c.Root, c.Now = t.TempDir(), func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }
	c.Disk = func(string) (doctor.Disk, error) { return doctor.Disk{Free: 20 << 30}, nil }
	c.Writable = func(string) error { return nil }
	c.Ports = func() ([]link.Candidate, error) { return nil, nil }
	c.Listen = func(context.Context, string) (io.Closer, error) { return io.NopCloser(nil), nil }
	c.Dial = func(context.Context, string) error { return nil }
	c.Run = func(context.Context, string, ...string) (string, error) { return "", errors.New("not asked") }
	c.Interfaces = func() ([]doctor.Interface, error) {
		return []doctor.Interface{{Name: "wlan0", Up: network, Addrs: []net.IP{net.IPv4(192, 168, 1, 10)}}}, nil
	}
	return c
}

func TestDoctorsStatus(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.yaml"), filepath.Join(dir, "bad.yaml")
	for file, text := range map[string]string{good: "state_dir: /games\n", bad: "evnt: x\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		claim, file, format string
		quiet, network      bool
		status              int
		says                []string
	}{
		{"a good computer", good, "text", false, true, 0, []string{"good.yaml is valid", "http://192.168.1.10:8160", " 0 fail"}},
		{"no network", good, "text", true, false, statusFailed, []string{"no address on a network"}},
		{"a wrong file is a line of the report", bad, "jsonl", false, true, statusFailed, []string{`"check":"config","level":"fail"`, "bad.yaml:1:1: unknown key", `"type":"summary"`}},
	} {
		t.Run(c.claim, func(t *testing.T) {
			var out bytes.Buffer
			e := &env{out: &out, err: io.Discard, getenv: func(k string) string { return map[string]string{"HOME": dir}[k] }, quiet: c.quiet}
			err := examine(t.Context(), e, goodComputer(t, c.network), c.file, c.format)
			status := 0
			if x := (exit{}); errors.As(err, &x) {
				status = x.code
			} else if err != nil {
				t.Fatal(err)
			}
			if status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			for _, s := range c.says {
				if !strings.Contains(out.String(), s) {
					t.Errorf("%s\nshould say %q", out.String(), s)
				}
			}
			if c.quiet && strings.Contains(out.String(), "  ok ") {
				t.Errorf("%s\nis not quiet", out.String())
			}
		})
	}
}
