package main

import (
	"context"
	"encoding/json"
	"time"

	"boardwatchd/internal/daemon"
	"boardwatchd/internal/pairing"
	"boardwatchd/internal/station"
)

const maxOffences = 20

// perMille are the players' rates for 0, 1, 2 … offences in a hundred moves: not every kind is possible in every turn,
// and no player errs shortly after another error. Measured over 160 generated games for each of 13 rates, and
// interpolated.
var perMille = [maxOffences + 1]int{
	0, 5, 11, 18, 26, 35, 45, 57, 71, 86, 105, 126, 150, 173, 200, 240, 285, 330, 390, 480, 580,
}

// offenceRates turns a number of offences in a hundred moves into the players' rates of offences and of innocent acts
// that look alike.
func offenceRates(offences int) (guilty, innocent int) { return perMille[offences], 13 * offences }

// Names that cannot be mistaken for those of real people.
var (
	surnames = [...]string{
		"Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Juniper", "Larch",
		"Linden", "Maple", "Oak", "Pine", "Rowan", "Spruce", "Willow", "Yew",
	}
	givenNames = [...]string{
		"Alex", "Charlie", "Dana", "Eli", "Jean", "Jo", "Kim", "Lou",
		"Mika", "Nicola", "Noa", "Robin", "Sam", "Sasha", "Toni", "Val",
	}
)

// inventPairing seats two people at every table: the same people for the same seed, and nobody at two tables.
func inventPairing(seed uint64, tables []string) *pairing.Pairing {
	const all = uint64(len(surnames) * len(givenNames))
	next := seed
	player := func() pairing.Player {
		n := next % all
		next += 37 // it has no common factor with all, and neighbours share neither name
		return pairing.Player{Name: surnames[n%uint64(len(surnames))] + ", " + givenNames[n/uint64(len(surnames))]}
	}
	var p pairing.Pairing
	for _, name := range tables {
		p.Games = append(p.Games, pairing.Game{Board: name, White: player(), Black: player()})
	}
	return &p
}

// introductions give a board the names of its players again when another game begins, because names hold for one game.
// The map is filled before the first game. A board that waits for its names gets them once.
type introductions map[string]chan struct{}

// introduce returns the function that gives one board the names of its players.
func (all introductions) introduce(d *daemon.Daemon, board string) func(context.Context, *station.Station, time.Time) {
	another := make(chan struct{}, 1)
	all[board] = another
	return func(ctx context.Context, to *station.Station, _ time.Time) {
		for to != nil {
			select {
			case <-ctx.Done():
				return
			case <-another:
				d.SendNames(ctx, board)
			}
		}
	}
}

// hear receives the daemon's output.
func (all introductions) hear(body []byte) {
	var said struct {
		Type, Board string
		Game        int
	}
	if json.Unmarshal(body, &said) != nil || said.Type != "game" || said.Game < 2 {
		return
	}
	select {
	case all[said.Board] <- struct{}{}:
	default:
	}
}
