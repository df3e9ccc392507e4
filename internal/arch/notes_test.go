package arch

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// topics are the files of docs/notes: "timing notes 3.4" is section 3.4 of docs/notes/timing.md.
var topics = []string{
	"contract", "ecosystem", "inference", "laws", "protocol", "reconstruction", "reliability", "timing", "unwinnability",
}

// bare are the rooms whose comments cite one topic by sections alone: "section 5.4" of clockproto is of the protocol
// notes.
var bare = map[string]string{
	"dgt": "protocol", "clockproto": "protocol", "internal/emulator": "protocol", "internal/research/presses": "protocol",
	"internal/watch": "protocol", "rules": "laws", "configs/profiles": "laws",
}

// rowsOf are the tables whose rows are cited by a number alone, with the section that they stand in.
var rowsOf = map[string]struct{ topic, section string }{
	"quirk": {"protocol", "14"}, "row": {"reconstruction", "7.2"},
}

var (
	heading  = regexp.MustCompile(`^#+ ([0-9]+(?:\.[0-9]+)*[a-z]?)[. ]`)
	tableRow = regexp.MustCompile(`^\| ([0-9]+(?:\.[0-9]+)*|[BFL][0-9]+) \|`)
	listItem = regexp.MustCompile(`^([0-9]+)\. `)

	named  = regexp.MustCompile("(?i)\\b([a-z]+)(?: notes'?|\\.md`?),? \\(?")
	agreed = regexp.MustCompile(`(?i)\bcontract,? (sections? )`)
	alone  = regexp.MustCompile(`(?i)\bsections? `)
	row    = regexp.MustCompile(`(?i)\b(quirk|row)s? `)
	others = regexp.MustCompile(`(?i)(notes'?,?|contract,?|specification,|standard,|RFC [0-9]+,?) \(?$`)

	word   = regexp.MustCompile(`^(?i)(sections?|points?|no|rows?|items?|quirks?|rules?|steps?) `)
	number = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)*[a-z]?|[BFL][0-9]{1,2})\b`)
	link   = regexp.MustCompile(`^(, and |, | and | to |-)`)
	unit   = regexp.MustCompile(`^ (s|ms|%|of|moves|mm|kB|bytes)\b`)
)

// TestCitationsHaveTheirSections looks up every citation of the notes, "timing notes 3.4" or "quirk 14", in comments,
// stories, profiles and documents: a stranger must be able to open what is cited.
func TestCitationsHaveTheirSections(t *testing.T) {
	known := map[string]map[string]bool{}
	for _, topic := range topics {
		known[topic] = sections(lines(t, "docs/notes/"+topic+".md"))
	}
	count := map[string]int{}
	texts := citing(t)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for _, c := range citations(name, texts[name]) {
			count[c.topic]++
			if !known[c.topic][c.place] {
				t.Errorf("%s: docs/notes/%s.md has no %s: …%s…", name, c.topic, c.place, c.context)
			}
		}
	}
	for _, topic := range topics {
		if count[topic] == 0 {
			t.Errorf("nothing cites docs/notes/%s.md", topic)
		}
	}
	if count["timing"] < 100 || count["laws"] < 100 || count["protocol"] < 100 {
		t.Fatalf("too few citations found: is the test looking at the comments? %v", count)
	}
	t.Log(count)
}

// TestCitationsAreRead has the ways in which places are written.
func TestCitationsAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"(timing notes, section 0, point 6)":                       "0 0:6",
		"timing notes 1.3, 3.4) and 2":                             "1.3 3.4",
		"timing notes, sections 1.4, 2, 3.1 to 3.4, 3.6; protocol": "1.4 2 3.1 3.2 3.3 3.4 3.6",
		"DGT protocol notes, section 5.4: 1,549 ticks":             "5.4",
		"laws notes, section 6 no 16 and no 19":                    "6 6:16 6:19",
		"laws notes 5.1 no 9, section 6":                           "5.1 5.1:9 6",
		"reconstruction notes 7.4, row 60":                         "7.4 7.2:60",
		"reliability notes, section 2 (B1 to B4)":                  "2",
		"reliability notes, B9 and B10":                            "B9 B10",
		"protocol notes, quirk 14":                                 "14:14",
		"contract, section 3":                                      "3",
		"the timing notes (1.1 to 1.3)":                            "1.1 1.2 1.3",
		"protocol notes 6.7 and 16, step 5":                        "6.7 16 16:5",
		"the timing notes alone, 3 people":                         "", "hall notes 3.1": "3.1",
		"a note of the laws, section 4, that is no part of them": "",
	} {
		var got []string
		for _, c := range citations("x.go", text) {
			got = append(got, c.place)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A citation is a place in the notes of a topic.
type citation struct{ topic, place, context string }

// citations finds those in the text of a file, whose lines are joined.
func citations(name, text string) (list []citation) {
	add := func(topic string, from, at int) {
		context := text[max(0, from-20):min(len(text), at+30)]
		for _, p := range places(text[at:]) {
			if strings.HasPrefix(p, "row:") {
				p = rowsOf["row"].section + strings.TrimPrefix(p, "row")
			} else if strings.HasPrefix(p, "quirk:") {
				p = rowsOf["quirk"].section + strings.TrimPrefix(p, "quirk")
			}
			list = append(list, citation{topic, p, context})
		}
	}
	for _, m := range named.FindAllStringSubmatchIndex(text, -1) {
		switch topic := strings.ToLower(text[m[2]:m[3]]); {
		case slices.Contains(topics, topic):
			add(topic, m[0], m[1])
		case strings.Contains(text[m[0]:m[1]], " notes"):
			add("unknown topic "+topic, m[0], m[1]) // of which no place is known
		}
	}
	for _, m := range agreed.FindAllStringSubmatchIndex(text, -1) {
		add("contract", m[0], m[2])
	}
	if topic := bare[path.Dir(name)]; topic != "" {
		for _, m := range alone.FindAllStringIndex(text, -1) {
			if !others.MatchString(text[max(0, m[0]-30):m[0]]) {
				add(topic, m[0], m[0])
			}
		}
	}
	for _, m := range row.FindAllStringSubmatchIndex(text, -1) {
		kind := strings.ToLower(text[m[2]:m[3]])
		ofRow := kind == "row" && strings.HasPrefix(name, "detector/")
		if (ofRow || kind == "quirk") && !others.MatchString(text[max(0, m[0]-30):m[0]]) {
			add(rowsOf[kind].topic, m[0], m[0])
		}
	}
	return list
}

// places reads "sections 1.4, 2, 3.1 to 3.4" and "6 no 3", as far as they go: a row, an item or a point is
// SECTION:NUMBER.
func places(s string) (list []string) {
	section, kind, last, ranged := "", "", "", false
	for {
		if m := word.FindString(s); m != "" {
			s, kind = s[len(m):], strings.TrimSuffix(strings.ToLower(strings.TrimSpace(m)), "s")
		}
		n := number.FindString(s)
		if n == "" || unit.MatchString(s[len(n):]) {
			return list
		}
		s = s[len(n):]
		place := n
		switch kind {
		case "row", "quirk":
			place = kind + ":" + n
		case "", "section":
			section = n
		default:
			place = section + ":" + n
		}
		if ranged {
			list = append(list, between(last, place)...)
		}
		list, last = append(list, place), place
		sep := link.FindString(s)
		if sep == "" && strings.HasPrefix(s, " ") && word.MatchString(s[1:]) {
			sep = " "
		}
		if sep == "" {
			return list
		}
		s, ranged = s[len(sep):], strings.TrimSpace(sep) == "to" || sep == "-"
		if sep == ", " && kind != "" && kind != "section" && word.FindString(s) == "" {
			return list // "no 9, 4 of them": what follows a row is no row
		}
	}
}

// between counts the places from one to another, both left out, where only their last number differs.
func between(from, to string) (list []string) {
	cut := strings.LastIndexAny(to, ".:BFL") + 1
	if cut == 0 || !strings.HasPrefix(from, to[:cut]) {
		return nil
	}
	next := func(s string) string {
		digits := []byte(s)
		for i := len(digits) - 1; i >= 0; i-- {
			if digits[i]++; digits[i] <= '9' {
				return string(digits)
			}
			digits[i] = '0'
		}
		return "1" + string(digits)
	}
	for n := next(from[cut:]); n != to[cut:] && len(n) <= len(to[cut:]); n = next(n) {
		list = append(list, to[:cut]+n)
	}
	return list
}

// sections are the numbers of the headings and rows of a document. A row or an item with a plain number belongs to the
// section above it.
func sections(lines []string) map[string]bool {
	known, section := map[string]bool{}, ""
	for _, line := range lines {
		if m := heading.FindStringSubmatch(line); m != nil {
			section = m[1]
			known[section] = true
		} else if m := tableRow.FindStringSubmatch(line); m != nil {
			known[m[1]] = known[m[1]] || strings.ContainsAny(m[1], ".BFL")
			known[section+":"+m[1]] = true
			known[section+":"+strings.TrimPrefix(m[1], section+".")] = true
		} else if m := listItem.FindStringSubmatch(line); m != nil {
			known[section+":"+m[1]] = true
		}
	}
	return known
}

// citing are the files in which citations are looked up, each as one line without the marks of comments.
func citing(t *testing.T) map[string]string {
	t.Helper()
	mark := regexp.MustCompile(`(?m)^\s*(//|#+|\*)?\s*`)
	texts := map[string]string{}
	err := filepath.WalkDir(filepath.Join("..", ".."), func(file string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(filepath.Join("..", ".."), file)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if d.Name() == "node_modules" || d.Name() == ".git" || rel == "internal/arch" {
				return filepath.SkipDir
			}
			return nil
		case rel == "CHANGELOG.md" || !slices.Contains([]string{".go", ".md", ".yaml", ".js"}, path.Ext(rel)) && path.Dir(rel) != "detector/testdata":
			return nil
		}
		text, err := os.ReadFile(file)
		texts[rel] = strings.ReplaceAll(mark.ReplaceAllString(string(text), ""), "\n", " ")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
