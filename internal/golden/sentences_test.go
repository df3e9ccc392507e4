package golden

import (
	"encoding/json"
	"fmt"
	"slices"

	"boardwatchd/rules/words"
	"boardwatchd/rules/words/wordstest"
)

// fromOutside are the health lines whose detail is the name of a device or an error of the system.
var fromOutside = []string{"link_up", "link_down", "gap"}

// sentences checks that everything an object says in English is said in every language, and says the same.
func sentences(body []byte) (list []string) {
	type said = *words.Sentence
	var o struct {
		Type, What, Reason, Detail, Text, Deadline, Timing string
		Say                                                said
		DeadlineSay                                        said `json:"deadline_say"`
		TimingSay                                          said `json:"timing_say"`
		Mate                                               *struct {
			Text string
			Say  said
		}
	}
	if err := json.Unmarshal(body, &o); err != nil {
		return []string{err.Error()}
	}
	check := func(field, english string, s said) {
		switch {
		case english == "" && s == nil:
		case s == nil:
			list = append(list, fmt.Sprintf("%s %q is said in English only", field, english))
		case s.String() != english:
			list = append(list, fmt.Sprintf("%s is %q, and in every language %q", field, english, s))
		default:
			list = append(list, wordstest.Faults(*s)...)
		}
	}
	switch o.Type {
	case "finding":
		check("reason", o.Reason, o.Say)
		check("timing", o.Timing, o.TimingSay)
	case "ruling":
		check("text", o.Text, o.Say)
		check("deadline", o.Deadline, o.DeadlineSay)
		if o.Mate != nil {
			check("mate", o.Mate.Text, o.Mate.Say)
		}
	case "health":
		if !slices.Contains(fromOutside, o.What) {
			check("detail of "+o.What, o.Detail, o.Say)
		}
	}
	return list
}
