package alert

import (
	"context"
	"fmt"
	"testing"
	"time"

	"boardwatchd/internal/record"
)

// BenchmarkSaid measures the cost of a finding for the station's goroutine, while Run reads at the other end.
func BenchmarkSaid(b *testing.B) {
	o := New(Options{})
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- o.Run(ctx) }()
	body := []byte(`{"type":"finding","seq":1,"t":1,"board":"12","game":1,"id":"961:illegal.knight","kind":"illegal.knight","side":"white","state":"confirmed","alert":"now","articles":["3.6","7.5.1"],"reason":"The knight went from f3 to d5."}`)
	b.ReportAllocs()
	for b.Loop() {
		o.Said("12", body)
	}
	cancel()
	<-ended
}

// BenchmarkRecovered measures the cost in a recovery of a record that does not concern the outbox.
func BenchmarkRecovered(b *testing.B) {
	o := New(Options{})
	r := record.Record{Seq: 1, At: 1, Kind: record.Rx, Body: make([]byte, 64)}
	b.ReportAllocs()
	for b.Loop() {
		o.Recovered("12", r)
	}
}

// BenchmarkAlerts measures a page that requests everything while a thousand alerts are open.
func BenchmarkAlerts(b *testing.B) {
	o := New(Options{Now: func() time.Time { return epoch }})
	for i := range maxOpen {
		o.Said("12", fmt.Appendf(nil, `{"type":"finding","id":"%d:illegal.king","kind":"illegal.king","state":"confirmed","alert":"now"}`, i))
	}
	for b.Loop() {
		if len(o.Alerts()) != maxOpen {
			b.Fatal("not a thousand alerts")
		}
	}
}
