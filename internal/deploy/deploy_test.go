package deploy

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const dir = "../../deploy/systemd/"

// analyze runs systemd-analyze with its settings in the environment taken away.
func analyze(t *testing.T, args ...string) string {
	t.Helper()
	tool, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed here")
	}
	out, err := exec.Command(tool, args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if err != nil {
		t.Errorf("systemd-analyze %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// units are that of a computer with boards, and that of the hall.
var units = []string{"boardwatchd.service", "boardwatchd-hall.service"}

func TestUnitsVerify(t *testing.T) {
	for _, unit := range units {
		// The manual pages come with the package.
		if out := analyze(t, "verify", "--man=no", dir+unit); out != "" {
			t.Errorf("systemd-analyze verify is not silent:\n%s", out)
		}
	}
}

func TestUnitsAreTight(t *testing.T) {
	for _, unit := range units {
		// 15 means 1.5 of 10.
		out := strings.TrimSpace(analyze(t, "security", "--offline=true", "--threshold=15", dir+unit))
		t.Log(out[strings.LastIndexByte(out, '\n')+1:])
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What the reliability of the whole rests on must not be edited away.
func TestUnitsRestartForEver(t *testing.T) {
	own := map[string][]string{
		"boardwatchd.service":      {"SupplementaryGroups=dialout", "Environment=STATE_DIRECTORY=/var/lib/boardwatchd"},
		"boardwatchd-hall.service": {"PrivateDevices=yes", "Environment=STATE_DIRECTORY=/var/lib/boardwatchd-hall"},
	}
	for _, unit := range units {
		lines := strings.Split(read(t, unit), "\n")
		for _, want := range append([]string{
			"Type=notify", "WatchdogSec=10", "Restart=always", "RestartSec=1", "StartLimitIntervalSec=0", "DynamicUser=yes", "LimitNOFILE=1024",
		}, own[unit]...) {
			if !slices.Contains(lines, want) {
				t.Errorf("%s has no %s", unit, want)
			}
		}
		for _, l := range lines {
			// The cable would take the daemon, the page and the alert with it.
			if strings.HasPrefix(l, "BindsTo=") || strings.HasPrefix(l, "RestartPreventExitStatus=") || strings.HasPrefix(l, "User=root") {
				t.Errorf("%s has %s", unit, l)
			}
		}
	}
}

var assignment = regexp.MustCompile(`^(ACTION|SUBSYSTEM|DRIVER|TEST|GROUP|MODE|SYMLINK|GOTO|LABEL|(?:ATTRS?|ENV)\{[A-Za-z_/]+\})(==|\+=|=)"[^"]*"$`)

// rules returns the rules, each as its assignments, and checks their form:
// udev skips a line that it does not understand and says so only in its log.
func rules(t *testing.T) (all [][]string) {
	t.Helper()
	for i, line := range strings.Split(read(t, "99-boardwatchd.rules"), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, ", ")
		for _, p := range parts {
			if !assignment.MatchString(p) {
				t.Errorf("line %d: %s is no udev assignment", i+1, p)
			}
		}
		all = append(all, parts)
	}
	return all
}

func TestRulesHaveUdevsForm(t *testing.T) {
	var gotos, labels []string
	for _, r := range rules(t) {
		for _, p := range r {
			if name, ok := strings.CutPrefix(p, "GOTO="); ok {
				if slices.Contains(labels, name) {
					t.Errorf("GOTO=%s leads backwards, which udev refuses", name)
				}
				gotos = append(gotos, name)
			}
			if name, ok := strings.CutPrefix(p, "LABEL="); ok {
				labels = append(labels, name)
			}
		}
	}
	for _, g := range gotos {
		if !slices.Contains(labels, g) {
			t.Errorf("GOTO=%s leads nowhere", g)
		}
	}
}

// The rules and the program must mean the same devices.
func TestRulesKnowTheBoardsOfTheProgram(t *testing.T) {
	source, err := os.ReadFile("../link/system.go")
	if err != nil {
		t.Fatal(err)
	}
	ids := regexp.MustCompile(`(?m)^\t"([0-9a-f]{4}):([0-9a-f]{4})",`).FindAllStringSubmatch(string(source), -1)
	if len(ids) != 3 {
		t.Fatalf("found %d USB numbers in internal/link", len(ids))
	}
	for _, id := range ids {
		for _, attr := range []string{"ATTR", "ATTRS"} {
			if !slices.ContainsFunc(rules(t), func(r []string) bool {
				return slices.Contains(r, attr+`{idVendor}=="`+id[1]+`"`) && slices.Contains(r, attr+`{idProduct}=="`+id[2]+`"`)
			}) {
				t.Errorf("no rule matches %s:%s by %s", id[1], id[2], attr)
			}
		}
	}
}
