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

// perMille is the players' measure for 0, 1, 2 … offences in a hundred moves: not every kind is possible in every
// turn, and nobody errs shortly after another. Measured over 160 generated games for each of 13 measures, and read off
// between them.
var perMille = [maxOffences + 1]int{
	0, 5, 11, 18, 26, 35, 45, 57, 71, 86, 105, 126, 150, 173, 200, 240, 285, 330, 390, 480, 580,
}

// offenceRates turns a number of offences in a hundred moves into the players' measures, of offences and of what only
// looks like one.
func offenceRates(offences int) (guilty, innocent int) { return perMille[offences], 13 * offences }

// Names that nobody will take for somebody's.
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

// invent seats two people at every table, the same ones for the same seed and nobody twice.
func invent(seed uint64, tables []string) *pairing.Pairing {
	const all = uint64(len(surnames) * len(givenNames))
	next := seed
	player := func() pairing.Player {
		n := next % all
		next += 37 // no factor in common with all; and neighbours share neither name
		return pairing.Player{Name: surnames[n%uint64(len(surnames))] + ", " + givenNames[n/uint64(len(surnames))]}
	}
	var p pairing.Pairing
	for _, name := range tables {
		p.Games = append(p.Games, pairing.Game{Board: name, White: player(), Black: player()})
	}
	return &p
}

// introductions tell a board its players again when another game begins, because names hold for one game. It is filled
// before anybody plays. A board that has not been told yet is not told twice.
type introductions map[string]chan struct{}

// introduce returns how one board gets to know who plays at it.
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

// hear takes what the daemon says.
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
