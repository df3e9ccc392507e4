package roster

import (
	"encoding/json"
	"fmt"
	"testing"

	"boardwatchd/internal/hall/wire"
	"boardwatchd/internal/live"
)

// BenchmarkList makes the list of 25 computers with 20 boards each, of which each tenth has something wrong.
func BenchmarkList(b *testing.B) {
	var computers []Computer
	var boards []live.Facts
	for i := range 25 {
		c := Computer{Name: fmt.Sprint("table-", i), Here: true, Seen: now, Version: "1", Core: "1", Self: wire.Self{Run: "r"}}
		for j := range 20 {
			name := fmt.Sprint(20*i + j)
			f := live.Facts{Summary: live.Summary{Board: name, Watching: true, Link: "up", Journal: "ok"}, Reading: "connected"}
			if j%10 == 0 {
				f.Remarks = []live.Remark{{Health: live.Warn, What: "clock_missing"}}
			}
			boards = append(boards, f)
			c.Boards = append(c.Boards, Board{ShownAs: name, Name: name, Here: true, Place: wire.Place{Serial: name}})
		}
		computers = append(computers, c)
	}
	size := 0
	for b.Loop() {
		text, err := json.Marshal(Make(true, computers, boards, now))
		if err != nil {
			b.Fatal(err)
		}
		size = len(text)
	}
	b.ReportMetric(float64(size), "bytes")
}
