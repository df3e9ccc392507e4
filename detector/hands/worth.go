package hands

// A bend is a corner of the line from what the model says to what it is worth, both logarithms of a likelihood ratio in thousandths.
type bend struct{ says, worth int32 }

// worth is how often the model comes true, over five populations of generated people that were made by three hands: the tables' own and
// four that they do not know (docs/hands.md, "Calibration"). The kernel of the model is wider than physics asks for (timing notes 3.1), so
// between 2 and 5 nats there is more behind it than it says. Beyond the last corner nothing is known of: the cap ends before.
var worth = [...][]bend{
	Capture:  {{-5000, -5000}, {-1500, -1300}, {0, -100}, {1000, 1050}, {2500, 3200}, {4500, 5600}, {7000, 7300}},
	Castling: {{-5000, -5000}, {-500, -600}, {500, 900}, {2500, 2900}, {4500, 4400}, {7000, 6900}},
}

// Worth is what the model's logarithm comes true as. It keeps the order: what is more is never worth less.
func Worth(k Kind, llr int32) int32 {
	if int(k) >= len(worth) || len(worth[k]) == 0 {
		return llr
	}
	line := worth[k]
	last := line[len(line)-1]
	if llr <= line[0].says {
		return llr - line[0].says + line[0].worth
	}
	for i, b := range line[1:] {
		if a := line[i]; llr <= b.says {
			return a.worth + int32(int64(llr-a.says)*int64(b.worth-a.worth)/int64(b.says-a.says))
		}
	}
	return llr - last.says + last.worth
}
