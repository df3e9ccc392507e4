package config

import (
	"runtime"
	"strings"
	"testing"
)

// worst returns the texts that cost yaml.v3 most, per byte.
func worst() map[string]string {
	fill := func(head, s, tail string) string {
		return head + strings.Repeat(s, (MaxBytes-len(head)-len(tail))/len(s)) + tail
	}
	return map[string]string{
		"comments after keys": fill("", "a: #\n", ""),
		"comments in a list":  fill("", "- #\n", ""),
		"comments below keys": fill("", "a:\n#\n", ""),
		"nested lists":        fill("", "- - #x\n", ""),
		"a flow list":         fill("[", "a,", "]"),
		"a flow mapping":      fill("{", "a:,", "}"),
		"an open flow list":   fill("[", "a,", ""),
		"deep brackets":       fill("", "[", ""),
		"deep braces":         fill("", "{", ""),
		"aliases":             fill("- &a b\n- [", "*a,", "]"),
		"keys":                fill("", "a: b\n", ""),
		"unknown long keys":   fill("", strings.Repeat("k", 39)+": 1\n", ""),
		"boards":              fill("boards:\n", "- name: a\n", ""),
		"local rules":         fill("rules: {override: {", "bonus_s: 1,", "}}"),
		"unknown local rules": fill("rules:\n override:\n", "  bonus_x: 1\n", ""),
		"articles":            fill("rules: {override: {articles: {", "illegal.rook: [],", "}}}"),
		"words":               fill("rules: {override: {classes: [", "a,", "]}}"),
		"channels":            fill("alerts: {channels: [", "{name: a,url: b},", "]}"),
		"host names":          fill("http: {names: [", "a,", "]}"),
		"escapes":             fill("event: \"", `\u0041`, "\""),
		"a block":             fill("event: |\n", " \n", ""),
		"too much of it":      strings.Repeat("a: b\n", 2<<20),
	}
}

// The bar is 50 ms and 16 MiB for any input. Memory is exact and is checked
// here; time depends on the machine, so BenchmarkWorst shows it.
func TestMemoryIsBounded(t *testing.T) {
	const bar = 16 << 20
	var most uint64
	for name, src := range worst() {
		b := []byte(src)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Parse("f", b)
		runtime.ReadMemStats(&after)
		used := after.TotalAlloc - before.TotalAlloc
		if used > bar {
			t.Errorf("%s: %d bytes allocated in all (%v)", name, used, err != nil)
		}
		most = max(most, used)
	}
	t.Logf("at most %.1f MB allocated for %d bytes of input", float64(most)/1e6, MaxBytes)
}

func BenchmarkWorst(b *testing.B) {
	for name, src := range worst() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Parse("f", []byte(src)) // most are refused; only the time counts
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("f", []byte(full)); err != nil {
			b.Fatal(err)
		}
	}
}
