package station_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"boardwatchd/internal/journal"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// old holds the output in the journal of revision 5.
type old struct {
	records  []record.Record
	findings map[string]*lastSaid
	order    []string // in the order of the first decision
	config   json.RawMessage
	game     int
}

// lastSaid is the last output about a finding in the journal.
type lastSaid struct {
	Game            int
	Side            string
	State, Alert    string
	Decided         string
	finding, ruling string
	strikes         int // of the side after the ruling
	result          string
}

// strikesOld is the ledger of the fourth game as revision 5 showed it at the end.
var strikesOld = [2]int{1, 1}

func revision5(t testing.TB) *old {
	t.Helper()
	if testing.Short() {
		t.Skip("judges a long journal many times over; not with -short")
	}
	f, err := os.Open("testdata/revision5.bwj.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	o := &old{}
	rd := journal.NewReader(z)
	for {
		r, err := rd.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		r.Body = bytes.Clone(r.Body)
		o.records = append(o.records, r)
	}
	opening, err := watch.ParseOpening(o.records[0].Body)
	if err != nil || opening.Core != "5" {
		t.Fatalf("%+v, %v", opening, err)
	}
	o.config = opening.Config
	o.read()
	return o
}

func (o *old) read() {
	o.findings, o.order, o.game = map[string]*lastSaid{}, nil, 0
	for _, r := range o.records {
		switch r.Kind {
		case record.Decide:
			var d watch.Decision
			_ = json.Unmarshal(r.Body, &d)
			if !slices.Contains(o.order, d.Finding) {
				o.order = append(o.order, d.Finding)
			}
		case record.Say:
			var v struct {
				Type, ID, Finding string
				Result            *string
				lastSaid
				After map[string]int `json:"strikes_after"`
			}
			_ = json.Unmarshal(r.Body, &v)
			switch v.Type {
			case "game":
				o.game = v.Game
			case "finding":
				v.finding = string(r.Body)
				o.findings[v.ID] = &v.lastSaid
			case "ruling":
				f := o.findings[v.Finding]
				f.ruling, f.strikes = string(r.Body), v.After[f.Side]
			}
		}
	}
}

// renamed returns a copy in which findings have another name or are about another ply, so that this core does not find
// them.
func (o *old) renamed(how func(id string) way) *old {
	n := &old{config: o.config}
	for _, r := range o.records {
		body := string(r.Body)
		for id := range o.findings {
			if r.Kind != record.Say && r.Kind != record.Decide || !strings.Contains(body, `"`+id+`"`) {
				continue
			}
			w := how(id)
			body = strings.ReplaceAll(body, `"`+id+`"`, `"`+w.id(id)+`"`)
			if w == nothing {
				body = strings.Replace(body, `"ply":`, `"ply":1`, 1) // this core finds nothing there
			}
		}
		r.Body = []byte(body)
		n.records = append(n.records, r)
	}
	n.read()
	return n
}

// blind returns a copy without any messages of the board after a record: this core finds nothing there.
func (o *old) blind(from record.Seq) *old {
	n := &old{config: o.config}
	for _, r := range o.records {
		if r.Kind == record.Rx && r.Seq > from {
			r.Body = []byte{0}
		}
		n.records = append(n.records, r)
	}
	n.read()
	return n
}

// cut returns a copy that ends in the middle of a step: the last decision is in the journal, its effects are not.
func (o *old) cut() *old {
	last := 0
	for i, r := range o.records {
		if r.Kind == record.Decide {
			last = i
		}
	}
	n := &old{config: o.config, records: o.records[:last+1]}
	n.read()
	return n
}

// A way is the kind of difference between a finding of the journal and those of this core.
type way int

const (
	equal   way = iota
	kind        // it has another kind
	earlier     // another first evidence
	nothing     // it is about a ply without a fault
)

func (w way) id(id string) string {
	n, name, _ := strings.Cut(id, ":")
	switch w {
	case kind:
		return n + ":" + name + "_by_another_name"
	case earlier, nothing:
		var seq int
		fmt.Sscan(n, &seq)
		return fmt.Sprintf("%d:%s", seq-1, name)
	}
	return id
}

// write writes the journal into a folder.
func (o *old) write(t testing.TB, dir string) {
	t.Helper()
	w, err := journal.Create(dir, "1", journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range o.records {
		if r.Kind == record.Close {
			continue
		}
		if seq, err := w.Add(r.At, r.Kind, r.Body); err != nil || seq != r.Seq {
			t.Fatal(seq, r.Seq, err)
		}
	}
	if err := w.Close(o.records[len(o.records)-1].At, "stop"); err != nil {
		t.Fatal(err)
	}
}
