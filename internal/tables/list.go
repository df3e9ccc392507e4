package tables

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"boardwatchd/internal/pairing"
)

// A Problem is a line of a list that cannot be read.
type Problem struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.Text) }

// MaxTable is the greatest length of the name of a table.
const MaxTable = 20

// ParseList reads lines of serial,table or computer,port,table. An empty computer means the only one. Semicolons and
// tabs are separators too; a line that begins with # and a first line with names of columns are skipped. Unreadable
// lines are left out and reported.
func ParseList(text string) (list []Entry, problems []Problem) {
	tables, boards := map[string]int{}, map[Entry]int{}
	for _, row := range pairing.Rows([]byte(text)) {
		n := row.Line
		e, why := parseRow(row)
		if n == 1 && strings.EqualFold(e.Table, "table") {
			continue
		}
		switch first := tables[strings.ToLower(e.Table)]; {
		case why != "":
		case first > 0:
			why = fmt.Sprintf("table %s stands in line %d too", e.Table, first)
		case boards[e.key()] > 0:
			why = fmt.Sprintf("the board stands in line %d too", boards[e.key()])
		case len(list) == MaxEntries:
			why = fmt.Sprintf("more than %d tables cannot be kept", MaxEntries)
		}
		if why != "" {
			problems = append(problems, Problem{n, why})
			continue
		}
		tables[strings.ToLower(e.Table)], boards[e.key()] = n, n
		list = append(list, e)
	}
	return list, problems
}

func parseRow(row pairing.Row) (e Entry, why string) {
	if row.Bad != "" {
		return e, row.Bad
	}
	switch parts := row.Fields; len(parts) {
	case 2:
		e = Entry{Serial: parts[0], Table: parts[1]}
	case 3:
		e = Entry{Computer: parts[0], Port: parts[1], Table: parts[2]}
	default:
		return e, "it is neither serial,table nor computer,port,table"
	}
	if why := CheckTable(e.Table); why != "" {
		return e, why
	}
	if e.Serial == "" && e.Port == "" {
		return e, "the serial number or the port of the board is missing"
	}
	for _, s := range []string{e.Serial, e.Computer, e.Port} {
		if len(s) > 200 || strings.ContainsFunc(s, unicode.IsControl) {
			return e, "a serial number, computer or port cannot be so"
		}
	}
	return e, ""
}

// CheckTable returns why a table cannot have a name; "": it can.
func CheckTable(table string) string {
	switch {
	case table == "":
		return "the table is missing"
	case utf8.RuneCountInString(table) > MaxTable:
		return fmt.Sprintf("a table has at most %d letters and digits", MaxTable)
	case strings.ContainsFunc(table, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -_.", r)
	}):
		return fmt.Sprintf("table %q: letters, digits, spaces, - _ and . are possible", table)
	}
	return ""
}
