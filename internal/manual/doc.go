// Package manual makes manual pages and shell completion from the commands' own descriptions.
//
// It knows the man macros of roff and how bash, zsh and fish ask for completions. It does not know any command: names,
// flags, sentences and examples come from the caller, from the same source as --help.
//
//	err := manual.Page(w, program, command)  // boardwatchd-replay(1)
//	err := manual.Overview(w, program)       // boardwatchd(1)
//	err := manual.Bash(w, program)
//
// # The input it must survive
//
// Any text: it escapes what roff or a shell would take for a command.
//
// # Limits
//
// The same input gives the same bytes. Completion knows the commands, their words, their flags and the values of flags
// that have a list; for everything else the shell offers file names.
package manual
