package wordstest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardwatchd/rules/words"
)

var (
	hole = regexp.MustCompile(`\{([0-9]+)(:[a-z]+)?\^?\}`)
	// word matches an English word: in a move, such as exf6, a digit follows the letters.
	word    = regexp.MustCompile(`\b[a-z]{3,}\b`)
	machine = regexp.MustCompile(`^([0-9]+:)?[a-z]+\.[a-z0-9_]+$`) // a kind, 961:illegal.knight
	fen     = regexp.MustCompile(`^[1-8BKNPQRbknpqr]+(/[1-8BKNPQRbknpqr]+){7} [bw] [-A-HKQa-hkq]+ `)
)

// own are families whose sentences all get the same arguments: side and squares. Some of them leave one of the two out.
var own = []string{"reason."}

// Faults lists the faults of a sentence that must exist in every language.
func Faults(s words.Sentence) (list []string) {
	switch {
	case s.IsZero():
		return []string{"nothing is said"}
	case s.Key == "":
		return []string{fmt.Sprintf("%q is said in English only", s.Text)}
	}
	for _, lang := range words.Languages() {
		if text := s.In(lang); strings.ContainsAny(text, "{}") || strings.TrimSpace(text) == "" {
			list = append(list, fmt.Sprintf("%s: %q has a gap", lang, text))
		}
	}
	return append(list, faults(&s)...)
}

func faults(s *words.Sentence) (list []string) {
	if s.Key == "" {
		if inEnglish(s.Text) {
			list = append(list, fmt.Sprintf("%q is put in, in English only", s.Text))
		}
		return list
	}
	for i := range s.Args {
		list = append(list, faults(&s.Args[i])...)
	}
	if strings.Trim(s.Key, ",; ") == "" {
		return list // it joins its arguments
	}
	text := words.Text("en", s.Key)
	if text == s.Key {
		return append(list, s.Key+" has no text")
	}
	var used []int
	for _, m := range hole.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n >= len(s.Args) {
			list = append(list, fmt.Sprintf("%s needs an argument %s", s.Key, m[1]))
		}
		used = append(used, n)
	}
	for n := range s.Args {
		if !slices.Contains(used, n) && !slices.ContainsFunc(own, func(prefix string) bool { return strings.HasPrefix(s.Key, prefix) }) {
			list = append(list, fmt.Sprintf("%s does not say its argument %d", s.Key, n))
		}
	}
	return list
}

// inEnglish reports whether a literal argument is something other than a square, move, time, position, number, kind or
// name of a finding.
func inEnglish(text string) bool {
	return word.MatchString(text) && !machine.MatchString(text) && !fen.MatchString(text)
}
