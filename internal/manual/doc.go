// Package manual turns what the commands say about themselves into manual pages and shell completion.
//
// It knows the man macros of roff and how bash, zsh and fish ask for completions. It does not know any command: names,
// flags, sentences and examples come from the caller, who has them from the same place as --help.
//
//	err := manual.Page(w, program, command)  // boardwatchd-replay(1)
//	err := manual.Overview(w, program)       // boardwatchd(1)
//	err := manual.Bash(w, program)
//
// # The input it must survive
//
// Any text: what roff or a shell would take for a command is escaped.
//
// # Limits
//
// The same input gives the same bytes. Completion knows the commands, their words, their flags and the values of flags
// that have a list; for everything else the shell offers file names.
package manual
