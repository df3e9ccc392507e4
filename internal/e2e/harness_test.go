//go:build linux

package e2e

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"boardwatchd/internal/sharedtest"
)

// program is the binary under test, built by TestMain.
var program string

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "boardwatchd-e2e")
	if err == nil {
		err = os.Chmod(dir, 0o755) // the tests of permissions run it as another user
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "boardwatchd")
	args := []string{"build", "-o", program}
	if raceBuild {
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, "boardwatchd/cmd/boardwatchd")...)
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	sharedtest.Waiting(8)
	defer closeBrowser()
	return m.Run()
}

// place is a folder of a test's own, with the environment of a user who lives
// there.
type place struct {
	dir     string
	network namespace // "": that of the tests
	program string    // another one than that under test; "": that one
	boot    string    // what the system calls its run, on another computer; "": this one
}

func newPlace(t testing.TB) place {
	t.Helper()
	return place{dir: t.TempDir()}
}

func (p place) path(name string) string { return filepath.Join(p.dir, name) }

// write puts a file into the folder and returns its path.
func (p place) write(t testing.TB, name, text string) string {
	t.Helper()
	path := p.path(name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// env has nothing of the environment in which the tests run: no service manager,
// no state directory, no colours.
func (p place) env() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "XDG_STATE_HOME=" + p.dir, "TZ=UTC",
		"GORACE=halt_on_error=1 exitcode=66 atexit_sleep_ms=0",
	}
	if p.boot != "" {
		env = append(env, "BOARDWATCHD_BOOT_ID="+p.boot)
	}
	return env
}

func (p place) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, cmp.Or(p.program, program), args...)
	if p.network != "" {
		cmd = exec.CommandContext(ctx, "ip", append([]string{"netns", "exec", string(p.network), program}, args...)...)
	}
	cmd.Dir, cmd.Env = p.dir, p.env()
	// Whatever becomes of the tests, no daemon stays behind.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}

// result is what a command that ended left.
type result struct {
	out, err string
	status   int
}

// run runs a command to its end.
func (p place) run(t testing.TB, stdin string, args ...string) result {
	t.Helper()
	cmd := p.command(sharedtest.Context(t), args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%q: %v", args, err)
	}
	r := result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
	sane(t, r.err, args)
	return r
}

// sane fails on what no input may cause.
func sane(t testing.TB, text string, args []string) {
	t.Helper()
	for _, bad := range []string{"panic:", "goroutine ", "DATA RACE", "internal error"} {
		if strings.Contains(text, bad) {
			t.Fatalf("%q:\n%s", args, text)
		}
	}
}

// want fails unless a command ended with this status.
func (r result) want(t testing.TB, status int) result {
	t.Helper()
	if r.status != status {
		t.Fatalf("exit status %d, want %d\nstdout:\n%s\nstderr:\n%s", r.status, status, clip(r.out), clip(r.err))
	}
	return r
}

func clip(s string) string {
	if len(s) > 4000 {
		return s[:2000] + "\n[…]\n" + s[len(s)-2000:]
	}
	return s
}

// process is a command that runs beside the test.
type process struct {
	cmd      *exec.Cmd
	out, err *transcript
	ended    chan struct{}
	began    time.Time
	link     string // that an emulated board makes
}

// start starts a command. It is killed at the end of the test, if it still runs.
func (p place) start(t testing.TB, args ...string) *process {
	t.Helper()
	return start(t, p.command(context.Background(), args...))
}

func start(t testing.TB, cmd *exec.Cmd) *process {
	t.Helper()
	pr := &process{cmd: cmd, out: newTranscript(), err: newTranscript(), ended: make(chan struct{})}
	if i := slices.Index(cmd.Args, "--link"); i >= 0 && i+1 < len(cmd.Args) {
		pr.link = cmd.Args[i+1]
	}
	if cmd.Stdout == nil {
		cmd.Stdout = pr.out
	}
	cmd.Stderr = pr.err
	pr.began = time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = cmd.Wait() // the status is in ProcessState
		pr.out.close()
		pr.err.close()
		close(pr.ended)
	}()
	t.Cleanup(func() {
		pr.kill()
		sane(t, pr.err.String(), cmd.Args)
		if t.Failed() {
			t.Logf("%q\nstdout:\n%s\nstderr:\n%s", cmd.Args[1:], clip(pr.out.String()), clip(pr.err.String()))
		}
	})
	return pr
}

// kill is kill -9, and waits until nothing of the process is left.
func (pr *process) kill() {
	_ = pr.cmd.Process.Kill() // it may have ended already
	<-pr.ended
	if pr.link != "" {
		_ = os.Remove(pr.link) // the next board of another test may get the same pseudo-terminal
	}
}

// stop asks the process to end and returns its exit status.
func (pr *process) stop(t testing.TB) int {
	t.Helper()
	if err := pr.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	return pr.wait(t)
}

// wait waits for the end of the process and returns its exit status.
func (pr *process) wait(t testing.TB) int {
	t.Helper()
	select {
	case <-pr.ended:
	case <-sharedtest.Hung(t):
		t.Fatalf("%q does not end", pr.cmd.Args[1:])
	}
	return pr.cmd.ProcessState.ExitCode()
}

// stopped asks the process to end and fails unless it ends in order.
func (pr *process) stopped(t testing.TB) {
	t.Helper()
	if code := pr.stop(t); code != 0 {
		t.Fatalf("exit status %d after SIGTERM", code)
	}
}

// transcript collects lines and lets a test wait for one.
type transcript struct {
	mu      sync.Mutex
	text    []byte
	seen    int           // bytes that await has passed
	changed chan struct{} // closed and replaced at each change
	closed  bool
}

func newTranscript() *transcript { return &transcript{changed: make(chan struct{})} }

func (tr *transcript) Write(p []byte) (int, error) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.text = append(tr.text, p...)
	close(tr.changed)
	tr.changed = make(chan struct{})
	return len(p), nil
}

func (tr *transcript) close() {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.closed = true
	close(tr.changed)
	tr.changed = make(chan struct{})
}

func (tr *transcript) String() string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return string(tr.text)
}

// next returns the next whole line that await has not passed.
func (tr *transcript) next() (line string, ok, closed bool, changed <-chan struct{}) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if n := bytes.IndexByte(tr.text[tr.seen:], '\n'); n >= 0 {
		line = string(tr.text[tr.seen : tr.seen+n])
		tr.seen += n + 1
		return line, true, false, nil
	}
	return "", false, tr.closed, tr.changed
}

// await waits for a line that contains every one of the texts, and passes all
// lines up to it.
func (tr *transcript) await(t testing.TB, texts ...string) string {
	t.Helper()
	late := sharedtest.Hung(t)
	for {
		line, ok, closed, changed := tr.next()
		if ok {
			if containsAll(line, texts) {
				return line
			}
			continue
		}
		if closed {
			t.Fatalf("it ended without the line %q:\n%s", texts, clip(tr.String()))
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("no line %q:\n%s", texts, clip(tr.String()))
		}
	}
}

func containsAll(line string, texts []string) bool {
	for _, s := range texts {
		if !strings.Contains(line, s) {
			return false
		}
	}
	return true
}

// shared returns the path of a file in the folder of recordings beside the
// project, or skips.
func shared(t testing.TB, name ...string) string {
	t.Helper()
	return sharedtest.Path(t, name...)
}

// long marks a test that waits for real time to pass.
func long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("waits for real time; not with -short")
	}
}
