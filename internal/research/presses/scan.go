package presses

import (
	"slices"

	"boardwatchd/rules/legal"
)

// fieldReport is one change found by the scan.
type fieldReport struct {
	at     int64
	number byte // of the board, section 5.2
	code   byte // section 5.1
}

// code returns the piece code of section 5.1, whose order is not the usual one.
func code(p legal.Piece) byte {
	var c byte
	switch p.Kind() {
	case legal.Pawn:
		c = 1
	case legal.Rook:
		c = 2
	case legal.Knight:
		c = 3
	case legal.Bishop:
		c = 4
	case legal.King:
		c = 5
	case legal.Queen:
		c = 6
	default:
		return 0
	}
	if p.Side() == legal.Black {
		c += 6
	}
	return c
}

// number returns the board's number of a square (section 5.2).
func number(s legal.Square, reversed bool) byte {
	n := byte(8*(7-s.Rank()) + s.File())
	if reversed {
		n = 63 - n
	}
	return n
}

// act is one change of a square by a hand.
type act struct {
	at     int64
	square legal.Square
	piece  legal.Piece
}

// scanned returns the changes that the coils find: every square is visited once in a period, at a phase of its own
// (section 11.1), and a change is a difference from the visit before. The order of reports within a period is that of
// the scan, not of the hands. Each ply gets the time when its last change was found.
func scanned(r *rng, truth *Truth, acts []act) []fieldReport {
	period, reversed := truth.ScanUS, truth.Options.WhiteBoard == RightOrFar
	visits := map[int64]int64{} // by the instant of the act; no two acts share one
	opening := legal.StartPosition()
	start := opening.Setup().Placement
	var bySquare [64][]act
	for _, a := range acts {
		bySquare[a.square] = append(bySquare[a.square], a)
	}
	phase, upward := r.between(0, period), r.chance(50, 100)
	var found []fieldReport
	for square, list := range bySquare {
		if truth.Disturbed.dead(legal.Square(square)) {
			continue
		}
		n := number(legal.Square(square), reversed)
		order := int64(n)
		if !upward {
			order = 63 - order
		}
		offset := (phase + order*period/64) % period
		last := start[square]
		for i, a := range list {
			visit := offset + (a.at-offset+period-1)/period*period
			visits[a.at] = visit
			if i+1 < len(list) && list[i+1].at <= visit {
				continue // changed again before the coil was read
			}
			if a.piece != last {
				found = append(found, fieldReport{visit, n, code(a.piece)})
				last = a.piece
			}
		}
	}
	for i := range truth.Plies {
		truth.Plies[i].Scanned = visits[truth.Plies[i].Placed]
	}
	slices.SortStableFunc(found, func(a, b fieldReport) int {
		if a.at != b.at {
			return int(min(max(a.at-b.at, -1), 1))
		}
		return int(a.number) - int(b.number)
	})
	return found
}
