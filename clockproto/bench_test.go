package clockproto

import "testing"

func BenchmarkParseReading(b *testing.B) {
	d := frame(b, "8d 00 0a 20 03 02 20 03 02 09")
	b.ReportAllocs()
	for b.Loop() {
		if Classify(d) != Time {
			b.Fatal("not a time")
		}
		if _, err := ParseReading(d); err != nil {
			b.Fatal(err)
		}
	}
}
