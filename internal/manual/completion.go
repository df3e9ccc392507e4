package manual

import (
	"fmt"
	"io"
	"strings"
)

// helpFlag is a flag of every command besides its own ones.
var helpFlag = Flag{Name: "help", Usage: "what the command does, its flags and an example"}

func (c Command) flags() []Flag { return append([]Flag{helpFlag}, c.Flags...) }

func (p Program) names() (names []string) {
	for _, c := range p.Commands {
		names = append(names, c.Name)
	}
	return append(names, "help")
}

// shellWord quotes for the shells.
func shellWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Bash writes a completion script for bash 4 and later. It needs no package of helpers.
func Bash(w io.Writer, p Program) error {
	var b strings.Builder
	fn := "_" + p.Name
	fmt.Fprintf(&b, "# bash completion for %s, made by %s completion bash\n\n%s() {\n", p.Name, p.Name, fn)
	b.WriteString("  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=''\n")
	b.WriteString("  COMPREPLY=()\n  if ((COMP_CWORD == 1)); then\n")
	fmt.Fprintf(&b, "    words='%s --version'\n  else\n    case $command:$before in\n", strings.Join(p.names(), " "))
	fmt.Fprintf(&b, "      help:*) words='%s' ;;\n", strings.Join(p.names(), " "))
	for _, c := range p.Commands {
		var plain []string
		for _, f := range c.Flags {
			switch {
			case len(f.Values) > 0:
				fmt.Fprintf(&b, "      %s:%s) words='%s' ;;\n", c.Name, f.Dashed(), strings.Join(f.Values, " "))
			case f.Value != "":
				plain = append(plain, c.Name+":"+f.Dashed())
			}
		}
		if len(plain) > 0 {
			fmt.Fprintf(&b, "      %s) return ;;\n", strings.Join(plain, " | "))
		}
		fmt.Fprintf(&b, "      %s:*)\n        if [[ $word == -* ]]; then words='", c.Name)
		for i, f := range c.flags() {
			if i > 0 {
				b.WriteString(" ")
			}
			b.WriteString(f.Dashed())
		}
		fmt.Fprintf(&b, "'; elif ((COMP_CWORD == 2)); then words='%s'; fi ;;\n", strings.Join(c.Words, " "))
	}
	b.WriteString("    esac\n  fi\n")
	b.WriteString("  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\n\n")
	fmt.Fprintf(&b, "complete -o default -F %s %s\n", fn, p.Name)
	_, err := io.WriteString(w, b.String())
	return err
}

// Zsh writes a completion function for zsh.
func Zsh(w io.Writer, p Program) error {
	var b strings.Builder
	fmt.Fprintf(&b, "#compdef %s\n# made by %s completion zsh\n\nlocal -a commands\ncommands=(\n", p.Name, p.Name)
	entry := strings.NewReplacer(`\`, `\\`, ":", `\:`)
	for _, c := range p.Commands {
		fmt.Fprintf(&b, "  %s\n", shellWord(c.Name+":"+entry.Replace(first(c.Brief))))
	}
	b.WriteString("  'help:the commands, or the help of one'\n)\n\nif ((CURRENT == 2)); then\n  _describe command commands\n  return\nfi\n")
	b.WriteString("local command=$words[2]\nshift words\n((CURRENT--))\ncase $command in\n  help) _describe command commands ;;\n")
	text := strings.NewReplacer(`\`, `\\`, "[", "(", "]", ")", ":", `\:`, "\n", " ")
	for _, c := range p.Commands {
		fmt.Fprintf(&b, "  %s)\n    _arguments", c.Name)
		for _, f := range c.flags() {
			spec := "*" + f.Dashed() + "[" + text.Replace(f.Usage) + "]"
			switch {
			case len(f.Values) > 0:
				spec += ":" + strings.ToLower(f.Value) + ":(" + strings.Join(f.Values, " ") + ")"
			case f.Value != "":
				spec += ":" + strings.ToLower(f.Value) + ":_files"
			}
			fmt.Fprintf(&b, " \\\n      %s", shellWord(spec))
		}
		if len(c.Words) > 0 {
			fmt.Fprintf(&b, " \\\n      %s", shellWord("1:word:("+strings.Join(c.Words, " ")+")"))
		}
		fmt.Fprintf(&b, " \\\n      '*:file:_files' ;;\n")
	}
	b.WriteString("esac\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// Fish writes completions for fish.
func Fish(w io.Writer, p Program) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# fish completion for %s, made by %s completion fish\n\n", p.Name, p.Name)
	// Single quotes of fish know two escapes: of the backslash and of the quote.
	word := func(text string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", " ").Replace(text) + "'"
	}
	for _, c := range p.Commands {
		fmt.Fprintf(&b, "complete -c %s -n __fish_use_subcommand -f -a %s -d %s\n", p.Name, c.Name, word(first(c.Brief)))
	}
	for _, c := range p.Commands {
		seen := fmt.Sprintf("complete -c %s -n '__fish_seen_subcommand_from %s'", p.Name, c.Name)
		for _, f := range c.flags() {
			form := "-l " + f.Name
			if len(f.Name) == 1 {
				form = "-s " + f.Name
			}
			switch {
			case len(f.Values) > 0:
				form += " -x -a " + word(strings.Join(f.Values, " "))
			case f.Value != "":
				form += " -r"
			}
			fmt.Fprintf(&b, "%s %s -d %s\n", seen, form, word(f.Usage))
		}
		if len(c.Words) > 0 {
			fmt.Fprintf(&b, "%s -f -a %s\n", seen, word(strings.Join(c.Words, " ")))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
