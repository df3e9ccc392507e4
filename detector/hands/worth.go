package hands

// A bend is a corner of the line that maps the model's result to its worth, both logarithms of a likelihood ratio in
// thousandths.
type bend struct{ says, worth int32 }

// worth is how often the model's results come true, in blitz, rapid and classical play: the mean over five populations
// of generated people, the tables' own and four that they do not know. HANDS_WORTH=8000 go test
// ./internal/research/populations -run MeasureWorth -v prints the source of the corners, and how far off each
// population is; a test there compares them. The model gives the least of several paces, seen through a kernel that is
// wider than physics requires (timing notes 3.1), so that up to 5 nats its results are worth more than they say; beyond
// that, only the rare cases remain in which one hand looks like two, and nothing is worth more. Where the populations
// differ by more than the classes do (castling above 3 nats, promotions), the line is nearer to the least of them.
// Nothing is known beyond the last corner: the cap ends before it.
var worth = [...][3][]bend{
	Capture: {
		{{-5000, -4700}, {-3000, -2550}, {-2000, -1750}, {-1000, -950}, {0, 200}, {1000, 1300}, {2000, 2700}, {3000, 4500}, {4000, 5950}, {5000, 6250}, {6000, 6250}, {7000, 6250}},
		{{-5000, -4450}, {-3000, -2300}, {-2000, -1650}, {-1000, -700}, {0, 200}, {1000, 1850}, {2000, 2950}, {3000, 4800}, {4000, 6200}, {5000, 6200}, {6000, 6200}, {7000, 6400}},
		{{-5000, -4300}, {-3000, -2000}, {-2000, -1450}, {-1000, -650}, {0, 250}, {1000, 2400}, {2000, 3600}, {3000, 5200}, {4000, 6300}, {5000, 6450}, {6000, 6450}, {7000, 6450}},
	},
	Castling: {
		{{-5000, -4700}, {-3000, -2250}, {-2000, -2150}, {-1000, -1250}, {0, 1100}, {1000, 1800}, {2000, 3200}, {3000, 3700}, {4000, 4300}, {5000, 5700},
			{6000, 6400}, {7000, 6900}},
		{{-5000, -4100}, {-3000, -2000}, {-2000, -1250}, {-1000, -700}, {0, 1700}, {1000, 2400}, {2000, 3300}, {3000, 3800}, {4000, 4200}, {5000, 4900},
			{6000, 6000}, {7000, 6900}},
		{{-5000, -3250}, {-3000, -1650}, {-2000, -650}, {-1000, 350}, {0, 2300}, {1000, 2500}, {2000, 3300}, {3000, 4100}, {4000, 5200}, {5000, 6000},
			{6000, 6700}, {7000, 7400}},
	},
	Promotion: {
		{{-1000, -5000}, {-600, -4000}, {-200, -2000}, {250, 150}, {700, 800}, {1200, 1600}, {1700, 2500}, {2200, 3300}},
		{{-1000, -5000}, {-600, -4000}, {-200, -2000}, {250, 150}, {700, 800}, {1200, 1600}, {1700, 2500}, {2200, 3300}},
		{{-1000, -5000}, {-600, -4000}, {-200, -2000}, {250, 200}, {700, 1700}, {1200, 2500}, {1700, 3500}, {2200, 4300}},
	},
}

// Worth returns the calibrated logarithm of the model's, in play with the given expected tempo of the hands
// (BlitzTempo, RapidTempo, ClassicalTempo). It keeps the order: a higher result is never worth less.
func Worth(k Kind, tempo, llr int32) int32 {
	if int(k) >= len(worth) || len(worth[k][0]) == 0 {
		return llr
	}
	line := worth[k][0]
	switch {
	case tempo >= ClassicalTempo:
		line = worth[k][2]
	case tempo > BlitzTempo:
		line = worth[k][1]
	}
	first, last := line[0], line[len(line)-1]
	if llr <= first.says {
		return llr - first.says + first.worth
	}
	for i, b := range line[1:] {
		if a := line[i]; llr <= b.says {
			return a.worth + int32(int64(llr-a.says)*int64(b.worth-a.worth)/int64(b.says-a.says))
		}
	}
	return llr - last.says + last.worth
}
