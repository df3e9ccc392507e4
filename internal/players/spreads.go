package players

import "boardwatchd/internal/random"

// The distributions of people's times.
var (
	spreadTight = random.Shape{644, 736, 795, 837, 874, 907, 938, 969, 1000, 1032, 1066, 1103, 1144, 1194, 1259, 1359, 1553} // sigma 0.2
	spreadHand  = random.Shape{463, 585, 669, 733, 790, 843, 894, 947, 1000, 1056, 1118, 1187, 1266, 1364, 1496, 1711, 2160} // sigma 0.35
	spreadSlow  = random.Shape{267, 398, 502, 587, 667, 746, 826, 910, 1000, 1099, 1211, 1341, 1498, 1703, 1994, 2510, 3743} // sigma 0.6
)
