package config

import "strings"

// OfService reports whether a configuration is that of a service, whose files are for root alone: it is below /etc.
func OfService(file string) bool { return strings.HasPrefix(file, "/etc/") }

// Typed is a command about the program that has this configuration, as a person has to type it in a shell. Without a
// file it is about the program of the person who types it.
func Typed(file, verb, arguments string) string {
	line := "boardwatchd " + verb
	if OfService(file) {
		line = "sudo " + line
	}
	if file != "" {
		if strings.ContainsFunc(file, func(c rune) bool { return c <= ' ' || strings.ContainsRune("'\"$`\\&;()<>|*?[]#~!", c) }) {
			file = "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
		}
		line += " -c " + file
	}
	if arguments != "" {
		line += " " + arguments
	}
	return line
}
