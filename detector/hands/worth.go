package hands

// A bend is a corner of the line from what the model says to what it is worth, both logarithms of a likelihood ratio in thousandths.
type bend struct{ says, worth int32 }

// worth is how often the model comes true, in blitz, rapid and classical play: in the mean over five populations of generated people that were
// made by two hands, the tables' own and four that they do not know. HANDS_WORTH=8000 go test ./internal/hands -run MeasureWorth -v
// prints what the corners were taken from, and how far off each population is; a test there holds them against it. The kernel of the model is wider
// than physics asks for (timing notes 3.1), so between 2 and 5 nats there is more behind it than it says; beyond, only the rare
// things are left that one hand does like two, and nothing is worth more. Where the populations differ by more than the classes do (castling above
// 3 nats, promotions), the line is nearer to the least of them. Beyond the last corner nothing is known of: the cap ends before.
var worth = [...][3][]bend{
	Capture: {
		{{-5000, -5600}, {-3000, -3450}, {-2000, -2500}, {-1000, -1100}, {0, -100}, {1000, 900}, {2000, 2100}, {3000, 3350}, {4000, 4700}, {5000, 5950},
			{6000, 6600}, {8000, 7000}},
		{{-5000, -5300}, {-3000, -3150}, {-2000, -2250}, {-1000, -900}, {0, -50}, {1000, 1100}, {2000, 2300}, {3000, 3650}, {4000, 5100}, {4800, 6100},
			{6000, 6500}, {8000, 6900}},
		{{-5000, -5200}, {-3000, -2900}, {-2000, -1900}, {-1000, -800}, {0, 0}, {1000, 1400}, {2000, 2750}, {3000, 4050}, {4000, 5400}, {5000, 6350},
			{8000, 6600}},
	},
	Castling: {
		{{-5000, -5000}, {-3000, -2900}, {-2000, -2600}, {-1000, -1950}, {-200, -900}, {200, 400}, {1000, 1050}, {2500, 3100}, {4500, 4400},
			{5500, 5700}, {7000, 7000}},
		{{-5000, -4400}, {-3000, -2800}, {-2000, -2000}, {-1000, -1200}, {-200, -250}, {150, 900}, {1000, 1350}, {2500, 3250}, {4000, 4600},
			{5000, 5300}, {7000, 6900}},
		{{-5000, -4200}, {-3000, -2550}, {-2000, -1650}, {-1000, -500}, {-200, 350}, {100, 1650}, {1000, 1800}, {2500, 3250}, {4000, 4500},
			{5000, 5700}, {7000, 7400}},
	},
	Promotion: {
		{{-3000, -5200}, {-2000, -2500}, {-1000, -1150}, {0, 150}, {1000, 1050}, {2000, 1500}, {3000, 1800}, {4000, 2450}, {5000, 3500}, {6000, 5000}},
		{{-3000, -4900}, {-2000, -2300}, {-1000, -900}, {0, 200}, {1000, 1000}, {2000, 1500}, {3000, 1750}, {4000, 2450}, {5000, 3500}, {6000, 5000}},
		{{-3000, -4800}, {-2000, -2200}, {-1000, -750}, {0, 500}, {1000, 1350}, {2000, 2150}, {3000, 2350}, {4000, 2750}, {5000, 3800}, {6000, 5300}},
	},
}

// Worth is what the model's logarithm comes true as, in play of which hands are expected to have that tempo (BlitzTempo, RapidTempo,
// ClassicalTempo). It keeps the order: what is more is never worth less.
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
