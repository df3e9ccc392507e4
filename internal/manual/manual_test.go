package manual

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var program = Program{
	Name: "boardwatchd", Version: "1.2", Brief: "watch boards", About: []string{"One.", ".so it's a dot"},
	Commands: []Command{
		{Name: "replay", Args: "FILE…", Brief: "judge again\nand 'more'", Example: "boardwatchd replay x.bwj", Flags: []Flag{
			{Name: "format", Value: "FORMAT", Usage: "text or [jsonl]: it's $HOME \\ `x`", Default: "text", Values: []string{"text", "jsonl"}},
			{Name: "c", Value: "FILE", Usage: "configuration"}, {Name: "quiet", Usage: "say nothing"},
		}},
		{Name: "hall", Brief: "many", Words: []string{"invite", "list"}, Example: "boardwatchd hall"},
	},
	Files:    []File{{"/etc/x.yaml", "configuration"}},
	Statuses: []Status{{0, "done"}},
}

func TestTextIsNoRequest(t *testing.T) {
	var b bytes.Buffer
	if err := Overview(&b, program); err != nil {
		t.Fatal(err)
	}
	if err := Page(&b, program, program.Commands[0]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`\&.so it's a dot`, `\fB\-\-format\fR FORMAT`, `\fB\-c\fR FILE`, `it's $HOME \e`, "(default text)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// complete asks the script as bash would, for the last of the words.
func complete(t *testing.T, words ...string) []string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed here")
	}
	var b bytes.Buffer
	if err := Bash(&b, program); err != nil {
		t.Fatal(err)
	}
	b.WriteString("COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _boardwatchd; printf '%s\\n' \"${COMPREPLY[@]}\"\n")
	cmd := exec.Command(bash, append([]string{"--norc", "-s", "--", "boardwatchd"}, words...)...)
	cmd.Stdin, cmd.Dir = &b, filepath.Clean(t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

func TestBashCompletes(t *testing.T) {
	for _, c := range []struct{ typed, want string }{
		{"re", "replay"},
		{"h", "hall help"},
		{"hall i", "invite"},
		{"help r", "replay"},
		{"replay --q", "--quiet"},
		{"replay --format j", "jsonl"},
		{"replay -c x", ""},
		{"replay x", ""},
	} {
		if got := strings.Join(complete(t, strings.Fields(c.typed)...), " "); got != c.want {
			t.Errorf("%q is completed by %q, want %q", c.typed, got, c.want)
		}
	}
}

// The shells that are installed read what is written for them.
func TestShellsReadTheScripts(t *testing.T) {
	for shell, write := range map[string]func(*bytes.Buffer) error{
		"bash": func(b *bytes.Buffer) error { return Bash(b, program) },
		"zsh":  func(b *bytes.Buffer) error { return Zsh(b, program) },
		"fish": func(b *bytes.Buffer) error { return Fish(b, program) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil || b.Len() == 0 {
			t.Errorf("%s: %v", shell, err)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		cmd := exec.Command(path, "-n")
		cmd.Stdin = &b
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}
