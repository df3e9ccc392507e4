package config

import (
	"fmt"
	"slices"
	"strings"

	"boardwatchd/rules"
)

// Choose puts the rule sets named by word in force, in place of those of the file: see Rules. The configured rating and
// time control stay in force.
func (c *Config) Choose(word string) error {
	name, sets, err := Rules(word)
	if err != nil {
		return err
	}
	for i := range sets {
		sets[i].FIDERated = sets[i].FIDERated || c.FIDERated
		if problems := sets[i].Check(); len(problems) > 0 {
			return problems[0]
		}
	}
	if err := Misfit(c.TimeControl, sets); err != nil {
		return err
	}
	c.Profile, c.Rules, c.LocalRules = name, sets, nil
	return nil
}

// rules makes the rule sets in force from rules.profile, rules.fide_rated and rules.override.
func (w *walker) rules() {
	const section, overriding = "rules", "rules.override"
	c := &w.config
	_, sets, err := Rules(c.Profile)
	if err != nil {
		panic("config: internal error: " + err.Error()) // the word was checked
	}
	before := len(w.problems)
	for i := range sets {
		sets[i].FIDERated = c.FIDERated
		sets[i] = w.local.adapt(sets[i])
		if w.check(sets[i], overriding, "rules.profile", section); len(w.problems) > before {
			return // the same problem would be reported for the others
		}
	}
	for _, ch := range w.local {
		c.LocalRules = append(c.LocalRules, ch.key)
	}
	if err := Misfit(c.TimeControl, sets); err != nil {
		w.problem(w.place("rules.profile", "time_control"), "rules.profile", "%v", err)
	}
	c.Rules = sets
}

// Misfit returns an error that names both if a rule set is not for games with such a time control. It returns nil if it
// is, if the time control is not given, and if the clock chooses among several.
func Misfit(tc TimeControl, sets []rules.Profile) error {
	if len(sets) != 1 || len(tc.Periods) == 0 {
		return nil
	}
	p := sets[0]
	base, increment, delay := tc.Total()
	if p.Fits(base, increment, delay) == nil {
		return nil
	}
	us := strings.HasPrefix(p.Book, "us")
	class := rules.ClassOf(base, increment, delay, us)
	return fmt.Errorf("%s is for %s play, and time_control %s is %s play (%s); %s", p.Name, strings.Join(p.Classes, " or "), tc, class,
		bounds[class], remedies[class])
}

// bounds are the classes of time control in words: FIDE Laws A.1 and B.1, US Chess 5C.
var bounds = map[rules.Class]string{
	rules.Standard:  "60 minutes or more, counting 60 increments",
	rules.Rapid:     "more than 10 and less than 60 minutes, counting 60 increments",
	rules.Blitz:     "10 minutes or less, counting 60 increments",
	rules.USRegular: "more than 65 minutes, counting a minute for each second of delay",
	rules.USDual:    "30 to 65 minutes, counting a minute for each second of delay",
	rules.USQuick:   "more than 10 and less than 30 minutes, counting a minute for each second of delay",
	rules.USBlitz:   "10 minutes or less, counting a minute for each second of delay",
}

// remedies ask for the announcement that the event must have made for all of its rounds (FIDE Laws A.6, B.4).
var remedies = map[rules.Class]string{
	rules.Standard: "write fide-standard, or correct time_control",
	rules.Rapid: "write what the event has announced, fide-rapid (A.5, no adequate supervision) or fide-rapid-supervised" +
		" (A.4, an arbiter for at most three games and every game recorded), or correct time_control",
	rules.Blitz: "write what the event has announced, fide-blitz (B.3, no adequate supervision) or fide-blitz-supervised" +
		" (B.2, an arbiter for each game and every game recorded), or correct time_control",
	rules.USRegular: "write uscf-regular, or correct time_control",
	rules.USDual:    "write uscf-regular, or correct time_control",
	rules.USQuick:   "write uscf-regular, or correct time_control",
	rules.USBlitz:   "write uscf-blitz, or correct time_control",
}

// InForce describes in lines for people the configured behaviour: the rule sets in force, the address of the page, and
// the receivers of alerts.
func (c Config) InForce() []string { return append(c.inForceRules(), c.inForcePage()...) }

// inForceRules describes the rule sets: name, title, edition and class of time control, and the assumptions for missing
// values.
func (c Config) inForceRules() []string {
	var lines []string
	sets := c.Rules
	if c.Profile == Auto {
		head := "rules: auto, because rules.profile names none: each game is judged by the rule set for the time that its clock shows"
		if base, increment, delay := c.TimeControl.Total(); base >= 0 {
			sets = slices.DeleteFunc(slices.Clone(sets), func(p rules.Profile) bool { return p.Fits(base, increment, delay) != nil })
			head = fmt.Sprintf("rules: auto, because rules.profile names none: time_control %s is %s play", c.TimeControl, rules.ClassOf(base, increment, delay, false))
		}
		lines = append(lines, head)
	}
	for _, p := range sets {
		line := fmt.Sprintf("rules: %s (%s), %s, for %s play", p.Name, p.Title, p.Edition, strings.Join(p.Classes, ", "))
		if p.FIDERated {
			line += ", rated by FIDE"
		}
		if a, ok := assumed[p.Name]; ok && c.Profile == Auto {
			line += "; " + a
		}
		lines = append(lines, line)
	}
	if len(c.LocalRules) > 0 {
		lines = append(lines, "rules: changed by rules.override: "+strings.Join(c.LocalRules, ", "))
	}
	return lines
}

// assumed lists the assumptions of auto.
var assumed = map[string]string{
	"fide-rapid": "assumed: A.5, no adequate supervision (with it: fide-rapid-supervised, A.4)",
	"fide-blitz": "assumed: B.3, no adequate supervision (with it: fide-blitz-supervised, B.2)",
}
