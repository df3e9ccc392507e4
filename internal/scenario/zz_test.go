package scenario

import (
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	b, _ := os.ReadFile("/work/shared/scenarios/scenarios.yaml")
	f, err := Read("s.yaml", b)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range f.Cases {
		c := &f.Cases[i]
		v, err := c.Judge(Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range v.Differences {
			if strings.HasPrefix(d, "press_results") || strings.Contains(d, "before") {
				t.Log(c.ID, d)
				n++
			}
		}
	}
	t.Log(len(f.Cases), n)
	for _, c := range Own() {
		v, _ := c.Judge(Options{})
		for _, d := range v.Differences {
			if strings.HasPrefix(d, "press_results") || c.Broken || len(c.Problems) > 0 {
				t.Log(c.ID, d)
			}
		}
	}
}
