//go:build linux

package e2e

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A campaignTable collects rows in the order of the perils.
type campaignTable struct {
	mu   sync.Mutex
	rows map[int]campaignRow
}

func (c *campaignTable) add(i int, row campaignRow) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rows == nil {
		c.rows = map[int]campaignRow{}
	}
	c.rows[i] = row
}

// write prints the table, and puts it into a file that is named.
func (c *campaignTable) write(t *testing.T) {
	var b strings.Builder
	b.WriteString("| what goes wrong | fault | L1 to L9 | games | times | saved, lost, doubled | alerts sent | games exact | plies wrong, missing, not known of all | offences found | accused |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|\n")
	order := make([]int, 0, len(c.rows))
	for i := range c.rows {
		order = append(order, i)
	}
	slices.Sort(order)
	var all campaignRow
	for _, i := range order {
		r := c.rows[i]
		all.add(&r)
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %d | %d, %d, %d | %d | %d | %d, %d, %d of %d | %d of %d | %d |\n",
			r.what, r.fault, r.promises(), r.boards(), r.harmed, r.saved, r.lost, r.doubled, r.alerts, r.exact, r.wrong, r.missing, r.unknown, r.plies, r.found, r.certain, r.accused)
	}
	b.WriteString(c.tested(t))
	b.WriteString(wrapped("\n" + all.summary() + "\n"))
	t.Logf("\n%s", b.String())
	if path := os.Getenv("BOARDWATCHD_CAMPAIGN_TABLE"); path != "" {
		text := "# The campaign, as it came out last\n\nWritten by `make campaign` on " + time.Now().UTC().Format(time.DateOnly) + " at commit " + os.Getenv("BOARDWATCHD_CAMPAIGN_COMMIT") +
			"; `docs/faults.md` says what it is,\nand what faults and promises are called.\n\n" + b.String()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
}

func (r *campaignRow) boards() int { return r.hallCount.boards }

// add adds another row.
func (r *campaignRow) add(o *campaignRow) {
	r.hallCount.boards += o.hallCount.boards
	r.harmed, r.saved, r.lost, r.doubled, r.alerts = r.harmed+o.harmed, r.saved+o.saved, r.lost+o.lost, r.doubled+o.doubled, r.alerts+o.alerts
	r.wrong, r.missing, r.unknown, r.plies, r.accused = r.wrong+o.wrong, r.missing+o.missing, r.unknown+o.unknown, r.plies+o.plies, r.accused+o.accused
}

// summary is what README.md quotes.
func (r *campaignRow) summary() string {
	return fmt.Sprintf("Together: %d games, %d harms; %d things were answered \"saved\", %d of them lost, %d doubled; %d alerts; of %d plies %d wrong, %d missing, %d not known; %d accused.",
		r.boards(), r.harmed, r.saved, r.lost, r.doubled, r.alerts, r.plies, r.wrong, r.missing, r.unknown, r.accused)
}

// promises says of a row whether all that the run compares agreed. A ply that is wrong, and nobody says so, breaks L8.
func (r *campaignRow) promises() string {
	switch {
	case !r.held:
		return "**broken**"
	case r.wrong+r.missing > 0:
		return "held, but L8"
	}
	return "held"
}

// tested writes a row for each fault that no harm of the run makes, with the tests that docs/faults.md names for it: it
// runs them.
func (c *campaignTable) tested(t *testing.T) string {
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "faults.md"))
	if err != nil {
		t.Fatal(err)
	}
	var has string
	for _, r := range c.rows {
		has += r.fault + " "
	}
	var b strings.Builder
	for _, m := range regexp.MustCompile(`(?m)^\| (F[0-9][0-9]) \| (.*?) \| (.*) \|$`).FindAllStringSubmatch(string(page), -1) {
		fault, what, tests := m[1], m[2], regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w+`).FindAllString(m[3], -1)
		if strings.Contains(has, fault) {
			continue
		}
		verdict := "passed"
		if out, err := runTests(root, tests); err != nil {
			t.Errorf("%s, %s: %v: %s", fault, what, err, out)
			verdict = "**failed**"
		}
		fmt.Fprintf(&b, "| %s: `%s` | %s | %s |  |  |  |  |  |  |  |  |\n", what, strings.Join(tests, "`, `"), fault, verdict)
	}
	return b.String()
}

// runTests runs tests by their names, in the packages that have them.
func runTests(root string, names []string) (out []byte, err error) {
	args := []string{"test", "-count=1", "-timeout=20m", "-run", "^(" + strings.Join(names, "|") + ")$"}
	found := map[string]bool{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, name := range names {
			if pack := filepath.Dir(path); strings.Contains(string(text), "\nfunc "+name+"(") {
				found[name] = true
				if dir, _ := filepath.Rel(root, pack); !slices.Contains(args, "./"+dir) {
					args = append(args, "./"+dir)
				}
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(names) == 0 || len(found) != len(names) {
		return nil, fmt.Errorf("of the tests %v only these are there: %v", names, slices.Sorted(maps.Keys(found)))
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	return cmd.CombinedOutput()
}

// wrapped breaks the lines of paragraphs as documents have them.
func wrapped(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		n := 0
		for i, word := range strings.Fields(line) {
			switch {
			case i > 0 && n+1+len(word) > 100:
				b.WriteByte('\n')
				n = 0
			case i > 0:
				b.WriteByte(' ')
				n++
			}
			b.WriteString(word)
			n += len(word)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestReadmeQuotesTheCampaign: README.md has the summary of the run that wrote docs/campaign.md.
func TestReadmeQuotesTheCampaign(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(text)), " ")
	}
	quoted := regexp.MustCompile(`Together: [^.]*\.`).FindString(read("docs/campaign.md"))
	if quoted == "" || !strings.Contains(read("README.md"), quoted) {
		t.Errorf("README.md does not quote docs/campaign.md: %q", quoted)
	}
}
