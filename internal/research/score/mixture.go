package score

// A Part of the one-handed cases that was counted for itself, because the data have more or less of it than the field.
type Part struct {
	Weight float64 // its share in the field; the weights of all parts add up to 1
	False  Share
}

// EarnedMixed is Earned where the one-handed cases are not mixed as in the field: each part's upper bound counts by its
// weight. A part of which nothing was counted may always alarm.
func EarnedMixed(found Share, parts ...Part) float64 {
	alarms := 0.0
	for _, p := range parts {
		alarms += p.Weight * upper(p.False.Count, p.False.Of, 0.05)
	}
	if found.Of == 0 || alarms <= 0 {
		return 1
	}
	return max(1, lower(found.Count, found.Of, 0.05)/alarms)
}
