package scenario

import (
	"strings"
	"testing"
)

// oneCase is a file with one case, into which a test puts a fault.
const oneCase = `profiles:
  p: {tc: 90+30}
  q: {inherits: p}
scenarios:
- id: A1
  title: a title
  profile: q
  start: startpos
  actions: [W move e2e4, W press]
  press_results: [ok]
  expect: {finding: none, ruling: free text, completed: true}
`

func TestACaseIsRead(t *testing.T) {
	f, err := Read("a.yaml", []byte(oneCase))
	if err != nil || len(f.Cases) != 1 {
		t.Fatal(f, err)
	}
	c := &f.Cases[0]
	if len(c.Problems) > 0 || c.Broken || c.ID != "A1" || c.TC != "90+30" || len(c.Acts) != 2 || c.Expect.Finding != "none" {
		t.Errorf("%+v", c)
	}
}

func TestErrorsNameTheirPlace(t *testing.T) {
	for _, row := range []struct {
		name, old, new string
		at, says       string
		broken         bool
	}{
		{"an unknown verb", "W press]", "W pres]", "a.yaml:9:26", "did you mean press", true},
		{"a wrong square", "W move e2e4", "W lift e9", "a.yaml:9:13", "a1 to h8", true},
		{"an empty square", "W move e2e4", "W lift e4", "a.yaml:9:13", "nothing stands on e4", true},
		{"nothing to put down", "W move e2e4", "W put e4", "a.yaml:9:13", "holds nothing", true},
		{"a far nudge", "W move e2e4", "X nudge d2-d4", "a.yaml:9:13", "write slide", true},
		{"a lever while the clock runs", "W press]", "N lever]", "a.yaml:9:26", "pause it first", true},
		{"an unknown key", "  title:", "  titel:", "a.yaml:6:3", "did you mean title", false},
		{"an unknown key of expect", "ruling:", "rulling:", "a.yaml:11:27", "did you mean ruling", false},
		{"a key twice", "  title: a title", "  title: a title\n  title: b", "a.yaml:7:3", "twice", false},
		{"no start", "  start: startpos\n", "", "a.yaml:5:3", "has no start", true},
		{"a wrong FEN", "startpos", "8/8/8 w", "a.yaml:8:10", "startpos", true},
		{"an impossible position", "start: startpos", "start: 8/8/8/8/8/8/8/K7 w - - 0 1", "a.yaml:8:10", "no game can stand there", true},
		{"an illegal preamble", "start: startpos", "start: startpos moves e2e5", "a.yaml:8:10", "e2e5 is not legal", true},
		{"an unknown profile", "profile: q", "profile: qq", "a.yaml:7:12", "none of the file's profiles", true},
		{"no time control", "{tc: 90+30}", "{x: 1}", "a.yaml:5:3", "time control", true},
		{"a wrong time control", "title: a title", "tc: soon", "a.yaml:6:7", "time control", true},
		{"a wrong judgement", "[ok]", "[okay]", "a.yaml:10:19", "okay", false},
		{"a wrong word", "completed: true", "alert: loud", "a.yaml:11:53", "on_claim", false},
		{"an anchor", "a title", "&a title", "a.yaml:6:10", "anchors", true},
		{"a board that is no board", "title: a title", "scan: 5", "a.yaml:6:9", "225 for an ordinary board", true},
		{"hands that nobody has", "title: a title", "hands: bullet", "a.yaml:6:10", "blitz, rapid, classical", true},
		{"a word after startpos", "start: startpos", "start: startpos e2e4", "a.yaml:8:10", "moves e2e4 … may follow", true},
		{"no moves after the word", "start: startpos", "start: startpos moves", "a.yaml:8:10", "moves e2e4 … may follow", true},
		{"an illegal move after a position", "start: startpos", "start: 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 moves e1c1 e8e7 d1d9", "a.yaml:8:10", "d1d9 is not legal", true},
		{"an impossible position unchecked", "start: startpos", "unchecked: true\n  start: 8/8/8/8/8/8/8/K7 w - - 0 1", "a.yaml:9:10", "even unchecked", true},
		{"unchecked is no word", "title: a title", "unchecked: perhaps", "a.yaml:6:14", "neither true nor false", true},
		{"a bad id", "id: A1", "id: a b", "a.yaml:5:7", "letters", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			src := strings.Replace(oneCase, row.old, row.new, 1)
			if src == oneCase {
				t.Fatal("nothing was replaced")
			}
			f, err := Read("a.yaml", []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			c := &f.Cases[0]
			if len(c.Problems) != 1 || c.Broken != row.broken {
				t.Fatalf("broken %v, problems:\n%v", c.Broken, c.Problems)
			}
			if text := c.Problems[0].Error(); !strings.HasPrefix(text, row.at+": ") || !strings.Contains(text, row.says) {
				t.Errorf("%s\nwant %s: …%s…", text, row.at, row.says)
			}
		})
	}
}

func TestASecondCaseOfTheSameIDIsRefused(t *testing.T) {
	_, rows, _ := strings.Cut(oneCase, "scenarios:\n")
	f, err := Read("a.yaml", []byte(oneCase+rows))
	if err != nil {
		t.Fatal(err)
	}
	if c := &f.Cases[1]; !c.Broken || !strings.Contains(c.Problems.Error(), "the first is in line 5") {
		t.Error(c.Problems)
	}
	if f.Cases[0].Broken {
		t.Error("the first one is broken as well")
	}
}

func TestAFileThatIsNoneIsRefused(t *testing.T) {
	for src, says := range map[string]string{
		"":                       "is empty",
		"a: [":                   "not readable as YAML",
		"a: b":                   `has no key "a"`,
		"scenarios: []":          "- id:",
		"- 1":                    "scenarios",
		"profiles: 1":            "names of profiles",
		strings.Repeat("#", 5e6): "at most",
	} {
		if _, err := Read("a.yaml", []byte(src)); err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "a.yaml") {
			t.Errorf("%.20q: %v, want …%s…", src, err, says)
		}
	}
}

// FuzzRead: every file is refused, or its cases can be planned or report the reason.
func FuzzRead(f *testing.F) {
	f.Add([]byte(oneCase))
	f.Add([]byte("scenarios: [{id: a, expect: {bonus: {B: {}}}}]"))
	f.Add([]byte("scenarios:\n- *x"))
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := Read("f", src)
		if err != nil {
			return
		}
		for i := range file.Cases {
			c := &file.Cases[i]
			switch _, err := c.Plan(0); {
			case c.Broken && len(c.Problems) == 0:
				t.Errorf("case %d is broken and says nothing", i)
			case !c.Broken && err != nil:
				t.Errorf("case %d: %v", i, err)
			}
		}
	})
}
