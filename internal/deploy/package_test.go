package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"boardwatchd/internal/config"
)

const packageDir = "../../deploy/package/"

// A configuration that is installed must be one, and must name the directory that its unit makes.
func TestConfigurationsOfThePackage(t *testing.T) {
	for file, state := range map[string]string{"boardwatchd.yaml": "/var/lib/boardwatchd", "hall.yaml": "/var/lib/boardwatchd-hall"} {
		c, err := config.Load(packageDir + file)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if c.StateDir != state {
			t.Errorf("%s: state_dir is %s", file, c.StateDir)
		}
		unit := strings.TrimSuffix(strings.Replace(file, "hall.yaml", "boardwatchd-hall.yaml", 1), ".yaml") + ".service"
		if !strings.Contains(read(t, unit), " -c /etc/boardwatchd/"+file+"\n") {
			t.Errorf("%s does not read %s", unit, file)
		}
	}
}

func TestScriptsOfThePackage(t *testing.T) {
	for script, shell := range map[string]string{"postinst": "sh", "prerm": "sh", "postrm": "sh", "build": "bash", "try": "bash"} {
		path := filepath.Join(packageDir, script)
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&0o111 == 0 {
			t.Errorf("%s cannot be run: %v, %v", script, info, err)
		}
		if _, err := exec.LookPath(shell); err != nil {
			continue // a computer without bash
		}
		if out, err := exec.Command(shell, "-n", path).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
	}
}
