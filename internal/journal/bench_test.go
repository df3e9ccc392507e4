package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"boardwatchd/internal/record"
)

func BenchmarkAppend(b *testing.B) {
	for _, perFlush := range []int{1, 10} {
		b.Run(fmt.Sprintf("%d per flush", perFlush), func(b *testing.B) {
			w, err := Create(b.TempDir(), "b", Options{SegmentBytes: 1 << 30})
			if err != nil {
				b.Fatal(err)
			}
			body := []byte{0x8d, 0, 0x0a, 0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x08}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if _, err := w.Add(0, record.Rx, body); err != nil {
					b.Fatal(err)
				}
				if n++; n%perFlush == 0 {
					w.Flush()
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "records/s")
			if err := w.Close(0, "stop"); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkRead reads a journal of 20,000 records; the baseline reads the same
// records as lines of JSON with the standard library, without checksums.
func BenchmarkRead(b *testing.B) {
	const n = 20_000
	data := game(n).bytes(0, n)
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	type jsonRecord struct {
		Seq  int64           `json:"seq"`
		At   int64           `json:"at"`
		Kind string          `json:"kind"`
		Hex  string          `json:"hex,omitempty"`
		Say  json.RawMessage `json:"say,omitempty"`
	}
	r := NewReader(bytes.NewReader(data))
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		j := jsonRecord{Seq: int64(rec.Seq), At: rec.At, Kind: rec.Kind.String()}
		if rec.Kind == record.Rx {
			j.Hex = fmt.Sprintf("%x", rec.Body)
		} else {
			j.Say = rec.Body
		}
		if err := enc.Encode(j); err != nil {
			b.Fatal(err)
		}
	}
	perRecord := map[string]float64{}
	run := func(name string, data []byte, read func()) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				read()
			}
			perRecord[name] = b.Elapsed().Seconds() / float64(b.N) / n
			b.ReportMetric(1/perRecord[name], "records/s")
			if base := perRecord["json"]; base > 0 && name != "json" {
				b.ReportMetric(base/perRecord[name], "×json")
			}
		})
	}
	run("json", lines.Bytes(), func() {
		dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		for {
			var j jsonRecord
			if err := dec.Decode(&j); err == io.EOF {
				return
			} else if err != nil {
				b.Fatal(err)
			}
		}
	})
	run("journal", data, func() {
		r := NewReader(bytes.NewReader(data))
		for {
			if _, err := r.Next(); err == io.EOF {
				return
			} else if err != nil {
				b.Fatal(err)
			}
		}
	})
}
