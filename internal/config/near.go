package config

import "strings"

// didYouMean returns a hint for a near miss, or "". It ignores case and the difference between - and _, which are the
// usual mistakes, and recognises a name by its first word (token for token_file).
func didYouMean(s string, allowed []string) string {
	const longest = 40 // no allowed value is longer; bounds the work
	if len(s) > longest {
		return ""
	}
	fold := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "-", "_") }
	best, at := 1+len(s)/3, ""
	for _, a := range allowed {
		if d := distance(fold(s), fold(a)); d < best || (d == best && at == "" && d <= 2) {
			best, at = d, a
		}
	}
	for _, a := range allowed {
		if at == "" && strings.HasPrefix(a, fold(s)+"_") {
			at = a
		}
	}
	if at == "" {
		return ""
	}
	return "; did you mean " + at + "?"
}

// distance returns the number of single-character insertions, deletions, substitutions and swaps of neighbours that
// lead from a to b (optimal string alignment).
func distance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
