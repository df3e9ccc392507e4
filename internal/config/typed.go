package config

import "strings"

// CommandLine are the arguments of a command about the program that has this configuration, as a person has to type
// them in a shell. Without a file they are unchanged.
func CommandLine(file, arguments string) string {
	if file == "" {
		return arguments
	}
	if strings.ContainsFunc(file, func(c rune) bool { return c <= ' ' || strings.ContainsRune("'\"$`\\&;()<>|*?[]#~!", c) }) {
		file = "'" + strings.ReplaceAll(file, "'", `'\''`) + "'"
	}
	return "-c " + file + " " + arguments
}
