package orders

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"boardwatchd/internal/config"
)

// TestSettingsChangeAConfiguration: what is empty is the configuration's, local rules too; what cannot be is reported
// with its key and line.
func TestSettingsChangeAConfiguration(t *testing.T) {
	base, err := config.Parse("x", []byte("event: Open\nround: 1\ntime_control: 90+30\nrules: {profile: fide-standard, override: {strikes_to_lose: 3}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		settings Settings
		want     string // round, time control, rule set, local rules; or the error
	}{
		"nothing":                 {Settings{}, "1 90+30 fide-standard [strikes_to_lose]"},
		"a round":                 {Settings{Round: "2"}, "2 90+30 fide-standard [strikes_to_lose]"},
		"a time control":          {Settings{TimeControl: "100+30"}, "1 100+30 fide-standard [strikes_to_lose]"},
		"rules":                   {Settings{TimeControl: "15+10", Profile: "fide-rapid"}, "1 15+10 fide-rapid []"},
		"by the clock":            {Settings{TimeControl: "15+10", Profile: "auto"}, "1 15+10 auto []"},
		"local rules":             {Settings{Local: "# of the city\nstrikes_to_lose: 2\r\nbonus_s: 60\n"}, "1 90+30 fide-standard [strikes_to_lose bonus_s]"},
		"no time control":         {Settings{TimeControl: "fast"}, "time_control: needs the minutes"},
		"rules of other play":     {Settings{TimeControl: "15+10"}, "profile: fide-standard is for standard play"},
		"no rules":                {Settings{Profile: "fide-chess"}, "profile: "},
		"rules that break out":    {Settings{Profile: "auto\nstate_dir: /"}, "profile: "},
		"no local rule":           {Settings{Local: "bonus_s: 60\nstrike_to_lose: 2"}, "local, line 2: "},
		"local rules, no mapping": {Settings{Local: "bonus_s"}, "local, line 1: "},
		"a local rule breaks out": {Settings{Local: "bonus_s: 60\n\tstate_dir: /"}, "local, line 2: "},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := tt.settings.Apply(base)
			got := strings.Join([]string{c.Round, c.TimeControl.String(), c.Profile, "[" + strings.Join(c.LocalRules, " ") + "]"}, " ")
			if err != nil {
				var wrong *WrongError
				if !errors.As(err, &wrong) || c.StateDir != base.StateDir {
					t.Errorf("%v", err)
				}
				got = err.Error()
			}
			if err == nil && got != tt.want || !strings.HasPrefix(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// TestTheFile: what was written is read again, a missing file is none, and another one is reported with the remedy.
func TestTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "round.json")
	if s, err := Read(path); err != nil || s.Orders != nil || s.Of("7") != (Settings{}) {
		t.Fatalf("%+v %v", s, err)
	}
	o := &Orders{Settings: Settings{Round: "2"}, Seats: []Seat{{Board: "board-07", White: "p-1", Black: "p-2", Table: "7"}}, Now: []string{"board-08"}, Request: "r"}
	s := State{Version: version, Base: "b", Orders: o}.With("7", Settings{Round: "1"}, true)
	if err := s.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil || !reflect.DeepEqual(got, s) || got.Orders.Mark() != o.Mark() {
		t.Errorf("read is %+v, %v", got, err)
	}
	if got.Of("7").Round != "1" || got.Of("8").Round != "2" || !got.Orders.AtOnce("8") || got.Orders.AtOnce("7") {
		t.Errorf("%+v", got)
	}
	if after := got.With("7", Settings{}, false); after.Of("7").Round != "2" || got.Of("7").Round != "1" {
		t.Errorf("%+v %+v", after, got)
	}
	mark := GiftMark(o.Mark(), []byte("gift"))
	if !IsGiftOf(o.Mark(), mark) || IsGiftOf((&Orders{}).Mark(), mark) || IsGiftOf("", mark) {
		t.Errorf("%s", mark)
	}
	for _, text := range []string{`{"version":7}`, `{`, "", strings.Repeat(" ", maxFile+1)} {
		if err := writeText(path, text); err != nil {
			t.Fatal(err)
		}
		if s, err := Read(path); err == nil || !strings.Contains(err.Error(), "set it again") || s.Orders != nil {
			t.Errorf("%.20q: %+v %v", text, s, err)
		}
	}
}

func writeText(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }
