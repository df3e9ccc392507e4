package manual

import (
	"fmt"
	"io"
	"strings"
)

// A Program is the documented program.
type Program struct {
	Name, Version string
	Date          string // of the version, YYYY-MM-DD; "": none
	Brief         string // its description in a few words, without a full stop
	About         []string
	Commands      []Command
	Files         []File
	Statuses      []Status
}

// A Command is one row of the table of commands.
type Command struct {
	Name    string
	Args    string   // the arguments after the name
	Brief   string   // the first line can be used alone
	Words   []string // arguments that the command defines, such as invite
	Flags   []Flag
	Example string
}

// A Flag is written with two dashes, and with one if its name is one letter.
type Flag struct {
	Name    string
	Value   string // name of its value; "" for a flag that is on or off
	Usage   string
	Default string   // "": not shown
	Values  []string // all possible ones, if they can be listed
}

// Dashed is the flag in its typed form.
func (f Flag) Dashed() string {
	if len(f.Name) == 1 {
		return "-" + f.Name
	}
	return "--" + f.Name
}

// Text is the description of the flag, with its default.
func (f Flag) Text() string {
	if f.Default == "" {
		return f.Usage
	}
	return fmt.Sprintf("%s (default %s)", f.Usage, f.Default)
}

// A File is a file that the program reads or writes.
type File struct{ Path, What string }

// A Status is an exit status of the program.
type Status struct {
	Code int
	What string
}

// first is the first line of a brief.
func first(brief string) string {
	line, _, _ := strings.Cut(brief, "\n")
	return line
}

// Page writes the manual page of one command, in section 1.
func Page(w io.Writer, p Program, c Command) error {
	r := roff{}
	r.title(p.Name+"-"+c.Name, p)
	r.section("NAME")
	r.line(escape(p.Name + "-" + c.Name + " - " + first(c.Brief)))
	r.section("SYNOPSIS")
	r.macro(".B", p.Name+" "+c.Name)
	if c.Args != "" {
		r.line(escape(c.Args))
	}
	if _, more, ok := strings.Cut(c.Brief, "\n"); ok {
		r.section("DESCRIPTION")
		r.line(escape(more))
	}
	r.section("OPTIONS")
	for _, f := range c.Flags {
		r.line(".TP")
		r.line(strings.TrimRight(`\fB`+escape(f.Dashed())+`\fR `+escape(f.Value), " "))
		r.line(escape(f.Text()))
	}
	r.section("EXAMPLES")
	r.line(".nf")
	for line := range strings.SplitSeq(c.Example, "\n") {
		r.line(escape(strings.TrimLeft(line, " ")))
	}
	r.line(".fi")
	r.section("SEE ALSO")
	r.macro(".BR", p.Name, "(1)")
	_, err := io.WriteString(w, r.String())
	return err
}

// Overview writes the page of the program, in section 1.
func Overview(w io.Writer, p Program) error {
	r := roff{}
	r.title(p.Name, p)
	r.section("NAME")
	r.line(escape(p.Name + " - " + p.Brief))
	r.section("SYNOPSIS")
	r.macro(".B", p.Name)
	r.line(`\fICOMMAND\fR [\fIFLAG\fR]... [\fIARGUMENT\fR]...`)
	r.section("DESCRIPTION")
	for i, text := range p.About {
		if i > 0 {
			r.line(".PP")
		}
		r.line(escape(text))
	}
	r.section("COMMANDS")
	for _, c := range p.Commands {
		r.line(".TP")
		r.macro(".BR", p.Name+"-"+c.Name, "(1)")
		r.line(escape(first(c.Brief)))
	}
	r.section("FILES")
	for _, f := range p.Files {
		r.line(".TP")
		r.macro(".I", f.Path)
		r.line(escape(f.What))
	}
	r.section("EXIT STATUS")
	for _, s := range p.Statuses {
		r.line(".TP")
		r.macro(".B", fmt.Sprint(s.Code))
		r.line(escape(s.What))
	}
	_, err := io.WriteString(w, r.String())
	return err
}

// roff is a page that is being written.
type roff struct{ strings.Builder }

func (r *roff) title(name string, p Program) {
	fmt.Fprintf(r, ".TH %s 1 \"%s\" \"%s %s\" \"%s\"\n", strings.ToUpper(name), p.Date, p.Name, p.Version, "User Commands")
	r.line(".nh\n.ad l") // commands are copied from the page: no hyphens may be inserted
}

func (r *roff) section(name string) { r.line(".SH " + name) }

func (r *roff) macro(name string, words ...string) {
	for _, word := range words {
		name += ` "` + strings.ReplaceAll(escape(word), `"`, `\(dq`) + `"`
	}
	r.line(name)
}

func (r *roff) line(text string) { r.WriteString(text + "\n") }

// escape turns roff's own characters into text: a dash stays a dash, and no line begins with a request.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "×", "x").Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		l = strings.TrimLeft(l, " ")
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			l = `\&` + l
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}
