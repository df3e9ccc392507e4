package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/hall/uplink"
	"boardwatchd/internal/live"
	"boardwatchd/internal/orders"
	"boardwatchd/internal/pairing"
	"boardwatchd/internal/record"
	"boardwatchd/internal/station"
	"boardwatchd/internal/watch"
	"boardwatchd/internal/web"
	"boardwatchd/rules"
	"boardwatchd/rules/words"
)

// roundFile is the file of the round as people have set it, in the state directory.
const roundFile = "round.json"

// ordering keeps the round and applies it to the boards. However often the program is started, the boards are brought
// to the state of the file: the players by an instruction in the journal, the settings by the opening record of another
// journal or segment. A game in progress continues under its settings, unless a person has decided otherwise.
type ordering struct {
	d    *Daemon
	path string
	wake chan struct{} // something may have to be done

	fileMu sync.Mutex // held while the file is written; before mu

	mu         sync.Mutex
	state      orders.State
	mark       string                 // of the orders in state
	seats      map[string]orders.Seat // of the orders in state, by board
	runs       map[string]*boardRun
	movedGames map[string]gameState // of boards whose game continues in the journal of another round
}

// gameState is the state of the game at the end of a journal.
type gameState struct {
	journal string
	live.Summary
}

// boardRun is a board while it is watched under some settings.
type boardRun struct {
	settings      orders.Settings // under which the board is watched
	stop          context.CancelFunc
	names         *watch.Instruction // the last names in its journal; nil: none
	gameOverSince time.Time          // since when its last game is over, while other settings wait; zero: it is not
	again         bool               // it was stopped to begin again
}

// openOrders reads the file. If the configuration or the pairing was changed after it was written, they replace it.
func (d *Daemon) openOrders() *ordering {
	o := &ordering{d: d, path: filepath.Join(d.opt.Dir, roundFile), wake: make(chan struct{}, 1), runs: map[string]*boardRun{}, movedGames: map[string]gameState{}}
	state := openKept(d, o.path, orders.Read, "notice.damaged_round", "notice.damaged_round.do")
	switch {
	case state.Orders == nil:
	case (state.Hall == "" || !d.inHall()) && state.Base != o.base() && d.opt.PairingGone == nil:
		d.opt.Log.Warn().Str("round", state.Orders.Round).Msg("the configuration was changed since the round was set on the page: it counts now")
	default:
		o.putInForce(state)
	}
	return o
}

// write writes a state to the disk.
func (o *ordering) write(state orders.State) error {
	err := state.Write(o.path)
	o.d.copyKept(o.path)
	return err
}

// putInForce puts a state into force.
func (o *ordering) putInForce(state orders.State) {
	mark, seats := state.Orders.Mark(), map[string]orders.Seat{}
	if state.Orders != nil {
		seats = seatsByBoard(state.Orders.Seats)
	}
	if state.Hall == "" { // otherwise the hall has set the tables
		for board, s := range seats {
			s.Table = s.Board
			seats[board] = s
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.state, o.mark, o.seats = state, mark, seats
}

// base identifies the configuration and pairing on which a round is based.
func (o *ordering) base() string {
	var seats pairing.Pairing
	if o.d.seats != nil {
		seats = o.d.seats.pairing
	}
	core := o.d.opt.Config.Core(config.NewBoard("", config.Auto)).Canonical()
	b, err := json.Marshal([]any{string(core), seats})
	if err != nil {
		panic("daemon: internal error: " + err.Error()) // texts and numbers
	}
	return orders.MarkOf(b)
}

// round is the name of the round in force.
func (o *ordering) round() string {
	if s := o.now(); s.Orders != nil && s.Orders.Round != "" {
		return s.Orders.Round
	}
	return o.d.opt.Config.Round
}

// event is the name of the event in force.
func (o *ordering) event() string {
	if s := o.now(); s.Orders != nil && s.Orders.Event != "" {
		return s.Orders.Event
	}
	return o.d.opt.Config.Event
}

func (o *ordering) now() orders.State {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state
}

// confOf is the configuration under which a board is to be watched.
func (o *ordering) confOf(board string) (config.Config, orders.Settings) {
	state := o.now()
	settings := state.Of(board)
	conf, err := settings.Apply(o.d.opt.Config)
	if err != nil { // of another version of this program
		o.d.opt.Log.Warn().Err(err).Msg("the round that was set cannot hold")
		o.d.frontend.setNotice("round", words.Say("notice.round", misfit(err)), words.Say("notice.round.do"))
		return o.d.opt.Config, settings
	}
	return conf, settings
}

var misfits = map[string]string{"time_control": "notice.round_time", "profile": "notice.round_rules", orders.Local: "notice.round_local"}

// misfit describes the part of a round that this program cannot use.
func misfit(err error) words.Sentence {
	var wrong *orders.WrongError
	if errors.As(err, &wrong) && misfits[wrong.Key] != "" {
		return words.Say(misfits[wrong.Key])
	}
	return words.Verbatim(err.Error())
}

// begin registers a board that will be watched. Its journal's records follow.
func (o *ordering) begin(board string, settings orders.Settings, stop context.CancelFunc) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.runs[board] = &boardRun{settings: settings, stop: stop}
}

// ended reports whether the watching was stopped to begin again under other settings.
func (o *ordering) ended(board string) (again bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	run := o.runs[board]
	delete(o.runs, board)
	return run != nil && run.again
}

// hear follows the players of a board.
func (o *ordering) hear(board string, r record.Record) {
	if r.Kind != record.Instruct {
		return
	}
	var i watch.Instruction
	if json.Unmarshal(r.Body, &i) != nil || i.Do != watch.DoNames {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if run := o.runs[board]; run != nil {
		run.names = &i
	}
}

// poke has the boards checked now.
func (o *ordering) poke() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

const (
	bringEvery = time.Second
	// restAfter is how long a game is over before its board goes on to the next round by itself, because a result is
	// often corrected at once.
	restAfter = time.Minute
)

// follow applies the round to the boards until ctx ends.
func (o *ordering) follow(ctx context.Context) {
	for {
		o.mu.Lock()
		boards := slices.Sorted(maps.Keys(o.runs))
		o.mu.Unlock()
		for _, b := range boards {
			o.applyOrders(ctx, b)
		}
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		case <-time.After(bringEvery):
		}
	}
}

// applyOrders applies the settings and names of the round to one board.
func (o *ordering) applyOrders(ctx context.Context, board string) {
	o.mu.Lock()
	state, run, seat := o.state, o.runs[board], o.seats[o.d.tables.key(board)]
	var written *watch.Instruction
	if run != nil {
		written = run.names
	}
	o.mu.Unlock()
	s := o.d.Station(board)
	if state.Orders == nil || run == nil || s == nil {
		return
	}
	if run.settings != state.Orders.Settings && !o.d.opt.AnyPort {
		o.stopForNewSettings(board, run, &state)
		return
	}
	if !o.moveGame(ctx, board, s) {
		return
	}
	if names := namesOf(seat); !state.Orders.OwnSeats && !sameNames(names, written) {
		now, ok := o.d.frontend.boards.One(board)
		if !ok || now.Ply > 0 && !state.Orders.AtOnce(board) {
			return // the person who began the game has to end it
		}
		if err := s.Instruct(ctx, names.Body()); err != nil && !errors.Is(err, station.ErrEnded) && ctx.Err() == nil {
			o.d.opt.Log.Error().Err(err).Str("board", board).Msg("the players' names were not taken")
		}
	}
}

// moveGame transfers a game in progress to a journal that was just begun, from the end of the journal of the previous
// round: position, side to move, castling rights, White's side of the board, strikes, and switched flags. It returns
// false if it is too early.
func (o *ordering) moveGame(ctx context.Context, board string, s *station.Station) bool {
	o.mu.Lock()
	game, ok := o.movedGames[board]
	o.mu.Unlock()
	if !ok {
		return true
	}
	now, here := o.d.frontend.boards.One(board)
	if !here || o.d.frontend.boards.Journal(board) == game.journal {
		return false
	}
	o.mu.Lock()
	delete(o.movedGames, board)
	o.mu.Unlock()
	if now.Game > 0 {
		return true // the round was played here before, and its journal has a game
	}
	for _, i := range game.instructions() {
		if err := s.Instruct(ctx, i.Body()); err != nil && !errors.Is(err, station.ErrEnded) && ctx.Err() == nil {
			o.d.opt.Log.Error().Err(err).Str("board", board).Str("do", i.Do).Msg("the game does not go on in the new round as it stood")
		}
	}
	return true
}

// instructions are the inputs that give another journal the state of the game.
func (g *gameState) instructions() []watch.Instruction {
	list := []watch.Instruction{{Do: watch.DoPosition, FEN: string(g.FEN), Reversed: g.Reversed, WhiteClock: g.WhiteClock}}
	if g.Strikes != (live.Sides{}) {
		white, black := watch.Value(strconv.Itoa(g.Strikes.White)), watch.Value(strconv.Itoa(g.Strikes.Black))
		list = append(list, watch.Instruction{Do: watch.DoStrikes, White: white, Black: black})
	}
	for _, f := range [...]struct {
		name string
		on   bool
	}{{rules.FlagAppendixD, g.AppendixD}, {rules.FlagAssistant, g.Assistant}, {rules.FlagNoTouch, g.NoTouch}} {
		if f.on {
			list = append(list, watch.Instruction{Do: watch.DoFlag, Name: f.name, On: true})
		}
	}
	return list
}

// namesOf is the instruction with the players and the table of a board, or without names if no players are paired
// there.
func namesOf(s orders.Seat) watch.Instruction {
	if s.SamePlayers(orders.Seat{}) {
		return watch.Instruction{Do: watch.DoNames}
	}
	return watch.Instruction{Do: watch.DoNames, White: watch.Value(s.White), Black: watch.Value(s.Black), Name: s.Table}
}

// sameNames reports whether the names in a journal, or the lack of them, are already right. Names without a table,
// written by an older program, count as right if the players are: names that are given again would be those of another
// game.
func sameNames(names watch.Instruction, written *watch.Instruction) bool {
	if written == nil {
		written = &watch.Instruction{}
	}
	table := written.Name == "" || pairing.BoardKey(written.Name) == pairing.BoardKey(names.Name)
	return table && written.White == names.White && written.Black == names.Black
}

// stopForNewSettings stops the watching of a board under earlier settings once its game is over, or at once if that was
// ordered. The goroutine that keeps the board then starts it again.
func (o *ordering) stopForNewSettings(board string, run *boardRun, state *orders.State) {
	now, ok := o.d.frontend.boards.One(board)
	if !ok {
		return
	}
	before, held := state.Before[board]
	if !state.Orders.AtOnce(board) {
		if inProgress(&now) {
			run.gameOverSince = time.Time{}
			if !held || before != run.settings {
				o.playsOn(board, run.settings, true)
			}
			return
		}
		if run.gameOverSince.IsZero() {
			run.gameOverSince = time.Now()
		}
		if rest := restAfter / time.Duration(o.d.opt.Speed); held && now.Ply > 0 && time.Since(run.gameOverSince) < rest {
			return
		}
	}
	if held {
		o.playsOn(board, run.settings, false)
	}
	if inProgress(&now) && now.FEN != "" && string(now.Round) != o.round() {
		o.mu.Lock()
		o.movedGames[board] = gameState{o.d.frontend.boards.Journal(board), now}
		o.mu.Unlock()
	}
	o.d.opt.Log.Info().Str("board", board).Str("round", state.Orders.Round).Msg("the board goes on with what was set for the round")
	o.mu.Lock()
	run.again = true
	o.mu.Unlock()
	run.stop()
}

// playsOn notes whether a board plays on under its earlier settings. If the disk does not take the note, the next start
// checks again.
func (o *ordering) playsOn(board string, settings orders.Settings, on bool) {
	o.fileMu.Lock()
	defer o.fileMu.Unlock()
	next := o.now().With(board, settings, on)
	if err := o.write(next); err != nil {
		o.d.opt.Log.Error().Err(err).Msg("which boards play on in an earlier round")
	}
	o.putInForce(next)
}

// inProgress reports whether a game has begun and has no result, even if it is not being played: a contradicted result
// waits for a person, and cannot be entered once the next round has begun.
//
// Before the first ply a game has begun if the clock runs, or if a finding of the journal's first game waits for a
// person: the first move may be illegal. A finding of an earlier game does not count.
func inProgress(s *live.Summary) bool {
	runs := s.Clock != nil && s.Clock.Running != ""
	return s.Result == "" && (s.Ply > 0 || runs || s.Open > 0 && s.Game <= 1)
}

// put puts a round into force. Nil means that it is on the disk.
func (o *ordering) put(given *orders.Orders, hall string) error {
	o.fileMu.Lock()
	defer o.fileMu.Unlock()
	return o.putNow(given, hall)
}

// putNow is put for a caller that holds the lock setting.
func (o *ordering) putNow(given *orders.Orders, hall string) error {
	next := o.now()
	next.Orders, next.Base, next.Hall = given, o.base(), hall
	o.mu.Lock()
	running := map[string]orders.Settings{}
	for board, run := range o.runs {
		running[board] = run.settings
	}
	o.mu.Unlock()
	for board, settings := range running {
		now, ok := o.d.frontend.boards.One(board)
		held := ok && settings != given.Settings && inProgress(&now) && !given.AtOnce(board)
		if _, was := next.Before[board]; held || was && settings == given.Settings {
			next = next.With(board, settings, held)
		}
	}
	if err := o.write(next); err != nil {
		return err
	}
	o.putInForce(next)
	o.d.frontend.endNotice(damagedID(o.path))
	o.poke()
	o.d.frontend.publish("round", "", map[string]string{"type": "round", "as_of": given.Mark()})
	o.d.opt.Log.Info().Str("round", given.Round).Int("seats", len(given.Seats)).Msg("a round was set")
	return nil
}

// SetRound puts the round that a person has set into force.
func (o *ordering) SetRound(_ context.Context, c web.RoundChange) error {
	if o.d.inHall() {
		return web.ErrRoundElsewhere
	}
	o.fileMu.Lock()
	defer o.fileMu.Unlock()
	state := o.now()
	if state.Orders != nil && state.Orders.Request == c.Request {
		return nil
	}
	if c.AsOf != state.Orders.Mark() {
		return web.ErrRoundChanged
	}
	given := &orders.Orders{
		Settings: orders.Settings{Event: c.Event, Round: c.Round, TimeControl: c.TimeControl, Profile: c.Profile, Local: c.Local},
		Request:  c.Request, By: c.Device, WallMS: time.Now().UnixMilli(),
	}
	if o.d.opt.AnyPort && given.Settings != o.settings(&state) {
		return &orders.WrongError{Key: "round", Text: "this is a simulation: only players can be changed"}
	}
	if _, err := given.Apply(o.d.opt.Config); err != nil {
		return err
	}
	var names []string
	for _, s := range c.Seats {
		names = append(names, s.White, s.Black)
	}
	ids := o.d.frontend.people.PlayersOf(names)
	for i, s := range c.Seats {
		given.Seats = append(given.Seats, orders.Seat{Board: s.Board, White: ids[2*i], Black: ids[2*i+1]})
	}
	given.Alone = o.alone(c)
	concerned, waiting := o.playing(&state, given)
	switch {
	case c.Playing == web.PlayingNow:
		given.Now = append(concerned, waiting...)
	case c.Playing == "" && len(concerned) > 0:
		return &web.PlayingError{Boards: o.d.tables.namesForPeople(concerned)}
	}
	return o.putNow(given, "")
}

// alone are the players without an opponent who are not paired otherwise, nor somebody else at their board.
func (o *ordering) alone(c web.RoundChange) (list []orders.Seat) {
	paired := map[string]bool{}
	for _, s := range c.Seats {
		paired["board "+pairing.BoardKey(s.Board)], paired[s.White], paired[s.Black] = true, true, true
	}
	for _, a := range c.Alone {
		if !paired["board "+pairing.BoardKey(a.Board)] && !paired[a.Player] {
			list = append(list, orders.Seat{Board: a.Board, White: o.d.frontend.people.PlayersOf([]string{a.Player})[0]})
		}
	}
	return list
}

// playing returns the boards with a game in progress that a change concerns, and the other boards for which it applies
// at once if it does for those: boards that still wait for an earlier change, and all boards if the settings change,
// because a game may have begun when the change arrives.
func (o *ordering) playing(state *orders.State, given *orders.Orders) (concerned, waiting []string) {
	settings := given.Settings != o.settings(state)
	old, seats := o.seated(state), seatsByBoard(given.Seats)
	for _, s := range o.d.frontend.boards.Summaries() {
		if s.Gone {
			continue
		}
		key := o.d.tables.key(s.Board)
		other := !old[key].SamePlayers(seats[key]) && s.Ply > 0
		s.Watching = true // a board that is away gets it when it is back
		switch {
		case settings && inProgress(&s), other && (given.Round == o.roundOf(state) || inProgress(&s)):
			concerned = append(concerned, s.Board)
		case settings, o.stateOf(given, seats[key], &s) == "next":
			waiting = append(waiting, s.Board)
		}
	}
	return concerned, waiting
}

// configured is the round of a hall's configuration, as if a person had set it; nil: it names none. It has no rule set
// that is chosen by the clock, and no players: a computer keeps those of its own pairing.
func (o *ordering) configured() *orders.Orders {
	c := o.d.opt.Config
	s := orders.Settings{Round: c.Round, TimeControl: c.TimeControl.String()}
	if c.Profile != config.Auto && len(c.LocalRules) == 0 {
		s.Profile = c.Profile
	}
	if c.Round == "" && len(c.TimeControl.Periods) == 0 {
		return nil
	}
	return &orders.Orders{Settings: s, OwnSeats: true}
}

// inForce is the round that the computers of the hall are to have: as a person has set it, or from the configuration.
func (o *ordering) inForce() (given *orders.Orders, mark string, seats map[string]orders.Seat) {
	o.mu.Lock()
	given, mark, seats = o.state.Orders, o.mark, o.seats
	o.mu.Unlock()
	if given == nil {
		given = o.configured()
		mark = given.Mark()
	}
	return given, mark, seats
}

// roundFor is the round for a computer of the hall. Boards maps the boards' names there to their shown names. Nil:
// there is no round.
func (o *ordering) roundFor(boards map[string]string) (body []byte, mark string) {
	given, whole, seats := o.inForce()
	if given == nil {
		return nil, ""
	}
	g := orders.Gift{Orders: *given, Names: map[string]string{}}
	g.Orders.Seats, g.Orders.Alone, g.Orders.Now = nil, nil, nil
	if g.Orders.Event == "" {
		g.Orders.Event = o.d.opt.Config.Event
	}
	for _, board := range slices.Sorted(maps.Keys(boards)) {
		if given.AtOnce(boards[board]) {
			g.Orders.Now = append(g.Orders.Now, board)
		}
		s, ok := seats[o.d.tables.key(boards[board])]
		if !ok {
			continue
		}
		g.Orders.Seats = append(g.Orders.Seats, orders.Seat{Board: board, White: s.White, Black: s.Black, Table: s.Table})
		for _, id := range []string{s.White, s.Black} {
			g.Names[id] = o.d.frontend.people.Said(id)
		}
	}
	body, err := json.Marshal(g)
	if err != nil {
		panic("daemon: internal error: " + err.Error()) // texts and numbers
	}
	return body, orders.GiftMark(whole, body)
}

// takeRound puts the hall's round into force. Nil means that it is on the disk, uplink.ErrUnwritten that the disk does
// not take it.
func (o *ordering) takeRound(body []byte, mark string) error {
	var g orders.Gift
	if err := json.Unmarshal(body, &g); err != nil {
		return err
	}
	if _, err := g.Orders.Apply(o.d.opt.Config); err != nil {
		return fmt.Errorf("the round of the hall cannot hold here: %w", err)
	}
	o.d.frontend.people.Named(g.Names)
	if err := o.put(&g.Orders, mark); err != nil {
		return fmt.Errorf("%w: %w", uplink.ErrUnwritten, err)
	}
	return nil
}

// takenMark is the mark of the hall's round that is in force.
func (o *ordering) takenMark() string { return o.now().Hall }
