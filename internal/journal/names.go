package journal

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Extension is the ending of a segment's file name. A compressed file keeps it: NAME.bwj.gz, NAME.2.bwj.zst.
const Extension = ".bwj"

// lockExtension is the ending of the file that is locked while a journal is written.
const lockExtension = ".lock"

// SegmentName returns the file name of a journal's segment: NAME.bwj, NAME.2.bwj, NAME.3.bwj ….
func SegmentName(name string, number int) string {
	if number == 1 {
		return name + Extension
	}
	return name + "." + strconv.Itoa(number) + Extension
}

// ParseSegmentName splits a segment's file name. ok is false if the name is not that of a segment.
func ParseSegmentName(file string) (name string, number int, ok bool) {
	for _, packed := range []string{".gz", ".zst"} {
		file = strings.TrimSuffix(file, packed)
	}
	name, ok = strings.CutSuffix(file, Extension)
	if !ok {
		return "", 0, false
	}
	number = 1
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		n, err := strconv.Atoi(name[i+1:])
		if err != nil || n < 2 || strconv.Itoa(n) != name[i+1:] {
			return "", 0, false
		}
		name, number = name[:i], n
	}
	return name, number, CheckName(name) == nil
}

// Beside splits the name of a journal whose own name was taken: NAME--2, NAME--3 ….
func Beside(name string) (of string, number int, ok bool) {
	i := strings.LastIndex(name, "--")
	if i < 0 {
		return "", 0, false
	}
	number, err := strconv.Atoi(name[i+2:])
	return name[:i], number, err == nil && number > 1 && strconv.Itoa(number) == name[i+2:]
}

// CheckName returns the reason why name cannot be the name of a journal, or nil. Dots would make NAME.2 ambiguous,
// slashes would leave the state directory.
func CheckName(name string) error {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' {
			return fmt.Errorf("journal name %q: %q is not allowed; use letters, digits, - and _", name, r)
		}
	}
	if name == "" || len(name) > 200 {
		return fmt.Errorf("journal name %q: 1 to 200 bytes are allowed", name)
	}
	return nil
}

// File is one segment's file in a directory.
type File struct {
	Path   string
	Number int
	Size   int64
}

// Entry is one journal in a directory.
type Entry struct {
	Name      string
	Segments  []File // by number
	Size      int64
	LastWrite time.Time // of the youngest segment
}

// List finds the journals in a directory, by name. A segment that exists both plain and compressed counts once, plain.
func List(dir string) ([]Entry, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list journals: %w", err)
	}
	var entries []Entry
	for _, f := range files { // ReadDir sorts by name
		name, number, ok := ParseSegmentName(f.Name())
		if !ok || f.IsDir() {
			continue
		}
		info, err := f.Info()
		if err != nil {
			continue // removed since the directory was read
		}
		i := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == name })
		if i < 0 {
			i = len(entries)
			entries = append(entries, Entry{Name: name})
		}
		entries[i].add(File{Path: filepath.Join(dir, f.Name()), Number: number, Size: info.Size()}, info.ModTime())
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries, nil
}

func (e *Entry) add(f File, written time.Time) {
	i, there := slices.BinarySearchFunc(e.Segments, f, func(a, b File) int { return cmp.Compare(a.Number, b.Number) })
	switch {
	case !there:
		e.Segments = slices.Insert(e.Segments, i, f)
	case len(f.Path) < len(e.Segments[i].Path): // plain is shorter
		e.Size -= e.Segments[i].Size
		e.Segments[i] = f
	default:
		return
	}
	e.Size += f.Size
	if written.After(e.LastWrite) {
		e.LastWrite = written
	}
}
