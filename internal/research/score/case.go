package score

// A Case is one judged manipulation with its label.
type Case struct {
	LLR    float64 // nats
	Two    bool    // both hands were used
	Silent bool    // the detector abstained: never an alert, whatever the threshold
}

// A Point is one threshold: alert at this score and above.
type Point struct {
	Threshold float64 // nats; +Inf: never
	Found     Share   // of the two-handed cases, silent ones included
	False     Share   // of the one-handed ones
}

// Over is what a threshold gives.
func Over(cases []Case, threshold float64) Point {
	var count, of [2]int
	for _, c := range cases {
		i := 0
		if c.Two {
			i = 1
		}
		if of[i]++; !c.Silent && c.LLR >= threshold {
			count[i]++
		}
	}
	return Point{threshold, ShareOf(count[1], of[1]), ShareOf(count[0], of[0])}
}
