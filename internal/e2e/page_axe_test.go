//go:build linux

package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/runtime"
)

// axe-core finds what keeps people out: contrast, names, roles, order. It is under the MPL and no part of this project:
// it is fetched as its users fetch it, and must be exactly this.
const (
	axeVersion = "axe-core@4.14.1"
	axeSHA256  = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c" // of axe.min.js
	axeRemedy  = "install npm and a network, or set BOARDWATCHD_AXE to the path of axe.min.js of " + axeVersion
)

// axeSource reads axe.min.js: $BOARDWATCHD_AXE, or the user's cache, or npm.
var axeSource = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("BOARDWATCHD_AXE"); path != "" {
		return readAxe(path)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "boardwatchd")
	path := filepath.Join(dir, "axe-"+axeSHA256[:12]+".min.js")
	if text, err := readAxe(path); err == nil {
		return text, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return fetchAxe(dir, path)
})

func readAxe(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != axeSHA256 {
		return "", fmt.Errorf("%s is not axe.min.js of %s: its SHA-256 is %x", path, axeVersion, sum)
	}
	return string(text), nil
}

// fetchAxe lets npm download the package, and takes the one file out of it.
func fetchAxe(dir, path string) (text string, err error) {
	temp, err := os.MkdirTemp(dir, "axe")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	pack := exec.Command("npm", "pack", "--silent", axeVersion)
	pack.Dir = temp
	out, err := pack.Output()
	if err != nil {
		return "", fmt.Errorf("npm pack %s: %w", axeVersion, err)
	}
	unpack := exec.Command("tar", "-xzf", strings.TrimSpace(string(out)), "package/axe.min.js")
	unpack.Dir = temp
	if out, err := unpack.CombinedOutput(); err != nil {
		return "", fmt.Errorf("unpack %s: %w: %s", axeVersion, err, out)
	}
	file := filepath.Join(temp, "package", "axe.min.js")
	if text, err = readAxe(file); err != nil {
		return "", err
	}
	return text, os.Rename(file, path)
}

// held runs an expression while the page draws nothing new: what changes meanwhile is drawn after it.
func held(js string) string {
	return `(async () => {
		const draw = window.requestAnimationFrame, waiting = [];
		window.requestAnimationFrame = (f) => waiting.push(f);
		try {
			return await (` + js + `);
		} finally {
			window.requestAnimationFrame = draw;
			for (const f of waiting) draw(f);
		}
	})()`
}

// accessible fails with what axe-core finds on the screen. The rules are all of WCAG 2.2 A and AA, and the good
// practices.
func (p *phone) accessible(screen, source string) {
	p.Helper()
	p.audit(screen, source, "rules: {'target-size': {enabled: true}, 'label-content-name-mismatch': {enabled: true}}")
}

// contrasts is accessible for the contrast of colours alone, which is all that a dark screen changes.
func (p *phone) contrasts(screen, source string) {
	p.Helper()
	p.audit(screen, source, "runOnly: ['color-contrast']")
}

// audit runs axe-core, which looks for seconds while alerts go on coming: the screen is held meanwhile, and must have
// room for the whole page, because what lies under the bar counts as hidden by it.
func (p *phone) audit(screen, source, rules string) {
	p.Helper()
	if !eval[bool](p, "!!window.axe") {
		r := do(p, runtime.Evaluate, runtime.EvaluateParams{Expression: source + ";void 0"})
		if r.ExceptionDetails != nil {
			p.Fatalf("axe-core does not start: %s", r.ExceptionDetails.Text)
		}
	}
	var violations []string
	until(p, screen+" has room", func() bool {
		violations = eval[[]string](p, held(`document.documentElement.scrollHeight > innerHeight ? null : axe.run(document, {
			resultTypes: ['violations'], `+rules+`,
		}).then((r) => r.violations.map((v) => v.impact + ' ' + v.id + ': ' + v.help + v.nodes.map((n) => '\n    ' + n.target.join(' ') + '  ' +
			n.html.slice(0, 160) + '\n      ' + n.failureSummary.replaceAll('\n', ' ').slice(0, 300)).join('')))`))
		if violations == nil {
			p.resize(p.whole())
		}
		return violations != nil
	})
	for _, v := range violations {
		p.Errorf("axe on %s: %s", screen, v)
	}
}

// axe is the source of axe-core, or "" and a skipped subtest that says why.
func axe(t *testing.T) string {
	t.Helper()
	text, err := axeSource()
	if err != nil {
		t.Run("axe", func(t *testing.T) {
			t.Skipf("no axe-core, so nothing is said about accessibility: %v; %s", err, axeRemedy)
		})
	}
	return text
}
