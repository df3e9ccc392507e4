package daemon

import (
	"maps"
	"slices"

	"boardwatchd/internal/hall/roster"
	"boardwatchd/internal/live"
	"boardwatchd/internal/orders"
	"boardwatchd/internal/pairing"
	"boardwatchd/internal/web"
)

// settings are those in force: of the file, or of the configuration.
func (o *ordering) settings(state *orders.State) orders.Settings {
	if state.Orders != nil {
		return state.Orders.Settings
	}
	c := o.d.opt.Config
	s := orders.Settings{Event: c.Event, Round: c.Round, TimeControl: c.TimeControl.String(), Profile: c.Profile}
	if len(c.LocalRules) > 0 {
		s.Profile = "" // with its local rules
	}
	return s
}

func (o *ordering) roundOf(state *orders.State) string { return o.settings(state).Round }

// seated are the players in force, by board: of the file, or of the pairing.
func (o *ordering) seated(state *orders.State) map[string]orders.Seat {
	if state.Orders != nil && !state.Orders.OwnSeats {
		return seatsByBoard(state.Orders.Seats)
	}
	return seatsByBoard(o.paired())
}

// paired are the seats of the pairing that the program was started with.
func (o *ordering) paired() (list []orders.Seat) {
	if o.d.seats == nil {
		return nil
	}
	var names []string
	for _, g := range o.d.seats.pairing.Games {
		names = append(names, g.White.Name, g.Black.Name)
	}
	ids := o.d.frontend.people.PlayersOf(names)
	for i, g := range o.d.seats.pairing.Games {
		list = append(list, orders.Seat{Board: g.Board, White: ids[2*i], Black: ids[2*i+1]})
	}
	return list
}

func seatsByBoard(list []orders.Seat) map[string]orders.Seat {
	m := make(map[string]orders.Seat, len(list))
	for _, s := range list {
		m[pairing.BoardKey(s.Board)] = s
	}
	return m
}

// RoundState is the round, and the state of each board in it.
func (o *ordering) RoundState() web.RoundState {
	state := o.now()
	s := o.settings(&state)
	a := web.RoundState{
		RoundSet: web.RoundSet{Event: s.Event, Round: s.Round, TimeControl: s.TimeControl, Profile: s.Profile, Local: s.Local},
		AsOf:     state.Orders.Mark(), Here: web.RoundHere,
	}
	if o.d.inHall() {
		a.Here = web.RoundHall
	}
	given := state.Orders
	if given == nil {
		given = &orders.Orders{Settings: s, Seats: o.paired()}
	} else if given.OwnSeats {
		own := *given
		own.Seats, given = o.paired(), &own
	}
	said := o.d.frontend.people.Said
	a.By, a.WallMS = said(given.By), given.WallMS
	watched := map[string][]live.Summary{} // two computers may each have a board of the same key, such as 7 and 07
	for _, b := range o.d.frontend.boards.Summaries() {
		if key := o.d.tables.key(b.Board); !b.Gone { // a board whose computer has left the hall does not come back
			watched[key] = append(watched[key], b)
		}
	}
	twice := boardsOfTwo(given.Seats)
	for _, seat := range given.Seats {
		a.Seats = append(a.Seats, web.RoundSeat{Board: seat.Board, White: said(seat.White), Black: said(seat.Black)})
		key := pairing.BoardKey(seat.Board)
		one := web.RoundBoard{Seat: seat.Board}
		if one.Other = twice[seat.Board]; one.Other != "" {
			one.Mistake = web.PairedTwice
		}
		if len(watched[key]) == 0 {
			one.State, one.Mistake, one.Other = "none", web.PairedNowhere, ""
			a.Boards = append(a.Boards, one)
			continue
		}
		for _, b := range watched[key] {
			one.Board, one.State, one.Round = b.Board, o.stateOf(given, seat, &b), string(b.Round)
			a.Boards = append(a.Boards, one)
		}
		delete(watched, key)
	}
	alone := map[string]string{}
	for _, s := range given.Alone {
		a.Alone = append(a.Alone, web.RoundAlone{Board: s.Board, Player: said(s.White)})
		key := pairing.BoardKey(s.Board)
		if alone[key] = said(s.White); len(watched[key]) == 0 {
			a.Boards = append(a.Boards, web.RoundBoard{Seat: s.Board, State: "none", Mistake: web.PairedAlone, Other: alone[key]})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(watched)) {
		for _, b := range watched[key] {
			one := web.RoundBoard{Board: b.Board, State: "free", Round: string(b.Round)}
			if one.Other = alone[key]; one.Other != "" {
				one.Mistake = web.PairedAlone
			}
			if len(given.Seats) > 0 && inProgress(&b) && (given.Round == "" || one.Round == given.Round) {
				one.Mistake = web.PairedNobody
			}
			a.Boards = append(a.Boards, one)
		}
	}
	a.Away = o.away()
	return a
}

// boardsOfTwo has, for each seat with a player who sits at another one too, that one.
func boardsOfTwo(seats []orders.Seat) map[string]string {
	at, twice := map[string]string{}, map[string]string{}
	for _, s := range seats {
		for _, player := range []string{s.White, s.Black} {
			other, known := at[player]
			switch {
			case player == "":
			case known && other != s.Board:
				twice[s.Board], twice[other] = other, s.Board
			default:
				at[player] = s.Board
			}
		}
	}
	return twice
}

// Fit compares a pairing with the boards that are there, by the rule by which it would be taken.
func (o *ordering) Fit(seats []web.RoundSeat) (fit web.RoundFit) {
	free := map[string][]string{}
	for _, b := range o.d.frontend.boards.Summaries() {
		if key := o.d.tables.key(b.Board); !b.Gone {
			free[key] = append(free[key], o.d.tables.of(b.Board))
		}
	}
	for _, s := range seats {
		key := pairing.BoardKey(s.Board)
		if _, there := free[key]; !there {
			fit.Missing = append(fit.Missing, s.Board)
		}
		free[key] = nil
	}
	for _, names := range free {
		fit.Free = append(fit.Free, names...)
	}
	slices.SortFunc(fit.Free, pairing.Natural)
	slices.SortFunc(fit.Missing, pairing.Natural)
	return fit
}

// stateOf is the state of a board in the round, from what it shows. At a hall only its own computer knows more.
func (o *ordering) stateOf(given *orders.Orders, seat orders.Seat, b *live.Summary) string {
	said := o.d.frontend.people.Said
	names := live.Names{White: said(seat.White), Black: said(seat.Black)}
	right := b.Names != nil && *b.Names == names || b.Names == nil && names == live.Names{}
	other := given.Round != "" && string(b.Round) != given.Round && !o.d.opt.AnyPort
	switch {
	case !b.Watching:
		return "away"
	case !other && (right || b.Names == nil && b.Game > 1): // names are those of one game
		return "set"
	case given.AtOnce(b.Board):
		return "soon"
	case other && inProgress(b), !other && b.Ply > 0:
		return "next"
	}
	return "soon"
}

// away are the computers of the hall that do not have the round yet.
func (o *ordering) away() (list []string) {
	given, whole, _ := o.inForce()
	if o.d.hub == nil || given == nil {
		return nil
	}
	for _, c := range o.d.hub.Computers() {
		if !orders.IsGiftOf(whole, c.Round) {
			list = append(list, c.Name)
		}
	}
	slices.Sort(list)
	return list
}

// mistakes are those of the pairing, for the operator's list.
func (o *ordering) mistakes() (list []roster.PairingMistake) {
	for _, b := range o.RoundState().Boards {
		if b.Mistake != "" {
			list = append(list, roster.PairingMistake{What: "paired_" + b.Mistake, ShownAs: b.Board, Seat: b.Seat, Other: b.Other})
		}
	}
	return list
}
