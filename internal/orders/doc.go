// Package orders keeps the round as people have set it on the page: its settings, the players at each board, and the
// boards that still play under earlier settings, in one file beside the journals.
//
// # What it knows
//
// Settings and how they change a configuration, seats by board with the ids of the players, the file round.json. The
// content of the file was set by a person and stays in force, even after a restart, until a person sets another round
// or the configuration is changed. The package does not know boards, games, HTTP, or when something is applied.
//
//	state, err := orders.Read(path)      // the zero State where there is no file
//	conf, err := state.Of(board).Apply(conf)
//	err = state.Write(path)
//
// # Promises
//
//   - Write replaces the file as a whole, and returns when it is on the disk.
//   - The file holds ids only. Names are in people.json.
//   - Local rules are keys and values of rules.override; an error names their line and what to do.
//
// # Limits
//
// 2,000 seats, 64 boards of each computer that play on under earlier settings, 4,000 characters of local rules. A file
// that is larger than 2 MiB is refused.
package orders
