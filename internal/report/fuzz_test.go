package report_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"boardwatchd/internal/recording"
	"boardwatchd/internal/report"
)

var unescaped = regexp.MustCompile(`(?i)<(script|img|iframe|object|a |link|form)`)

// FuzzReport: whatever a recording holds, its report is made, has no markup of the recording's, and its JSON is JSON.
func FuzzReport(f *testing.F) {
	text, err := os.ReadFile(write(f, f.TempDir(), table{board: "2", event: "Open", round: "4", white: "<script>", black: "<img src=x>", note: "<a href=x>", seed: 11, offences: 120}).file)
	if err != nil {
		f.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	f.Add([]byte(strings.Join(lines[:min(400, len(lines))], "")))
	f.Add([]byte(lines[0] + `2 5 say {"type":"game","seq":1,"t":0,"board":"<script>","game":1,"fen":"9/pppppppppppppppp/8/8/8/8/8/8/8/8 w - - 0 1"}` + "\n"))
	f.Add([]byte(`{"t":1.5,"dir":"rx","hex":"8e00053400"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(t.TempDir(), "1-r4.bwj")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := recording.Open(file, nil)
		if err != nil {
			return
		}
		defer src.Close() // read only
		c := report.Collector{Options: report.Options{Lang: "de", PGN: true}}
		if err := c.Add(file, src, "<script>", nil); err != nil {
			c.Missing(file, err)
		}
		for _, r := range c.Reports() {
			html, text := written(t, r)
			if m := unescaped.FindString(html); m != "" {
				t.Errorf("%q is in the HTML", m)
			}
			if !json.Valid([]byte(text)) {
				t.Errorf("no JSON: %.200q", text)
			}
		}
	})
}
