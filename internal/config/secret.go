package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"boardwatchd/internal/disk"
)

// maxSecret is enough for every kind of token; a longer file is not a secret.
const maxSecret = 4 << 10

// ReadSecret returns the one line of a token_file or secret_file. The error never contains the secret or a part of it.
func ReadSecret(file string) (string, error) {
	src, err := readSmall(file, maxSecret)
	if err != nil {
		return "", err
	}
	s := strings.TrimSpace(string(src))
	switch {
	case s == "":
		return "", noSecret(file, "is empty; put the secret into its first line")
	case strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) || r == ' ' }):
		return "", noSecret(file, "holds more than one word of plain characters; it needs the secret and nothing else")
	}
	return s, nil
}

func readSmall(file string, most int64) ([]byte, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, disk.Unusable(file, "notice.because_gone", "no such file")
	case err == nil && !info.Mode().IsRegular():
		return nil, noSecret(file, "is not a file")
	case err == nil && info.Size() > most:
		return nil, noSecret(file, "has %d bytes; a secret has at most %d", info.Size(), most)
	case err == nil:
		var src []byte
		if src, err = os.ReadFile(file); err == nil {
			return src, nil
		}
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, disk.Unusable(file, "notice.because_unreadable", "permission denied: this program's user must be able to read it (a service: LoadCredential=)")
	}
	return nil, fmt.Errorf("%s: %w", file, withoutPath(err))
}

func noSecret(file, format string, args ...any) error {
	return disk.Unusable(file, "notice.because_no_secret", format, args...)
}

// CheckFiles examines the files that a channel names, which Parse never does. With an error the channel cannot work;
// with a file that everybody may read it can.
func (ch Channel) CheckFiles() (open string, err error) {
	if ch.Type == Command && len(ch.Command) > 0 {
		return "", executable(ch.Command[0])
	}
	for _, file := range []string{ch.TokenFile, ch.SecretFile} {
		if file == "" {
			continue
		}
		if _, err := ReadSecret(file); err != nil {
			return "", err
		}
		if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o007 != 0 {
			open = file
		}
	}
	return open, nil
}

// TooOpen describes a file that everybody may read, with the remedy.
func TooOpen(file string) string {
	return fmt.Sprintf("%s: every user of this computer may read it: chmod 0640 %s, and chgrp to a group of the program's user", file, file)
}

func executable(program string) error {
	info, err := os.Stat(program)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return disk.Unusable(program, "notice.because_gone", "no such program; install it, or correct the path")
	case errors.Is(err, fs.ErrPermission):
		return noProgram(program, "permission denied: this program's user may not look into %s", filepath.Dir(program))
	case err != nil:
		return fmt.Errorf("%s: %w", program, withoutPath(err))
	case !info.Mode().IsRegular():
		return noProgram(program, "is not a program")
	case info.Mode().Perm()&0o111 == 0:
		return noProgram(program, "may not be executed: chmod 0755 %s", program)
	}
	return nil
}

func noProgram(program, format string, args ...any) error {
	return disk.Unusable(program, "notice.because_no_program", format, args...)
}
