package daemon

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"boardwatchd/internal/link"
	"boardwatchd/rules/words"
)

// serials follows which boards answer with which serial number. A number with which several boards answer identifies
// none of them: boards that are found by their number are then not watched, and if the configuration names the ports it
// is reported.
type serials struct {
	d *Daemon

	mu              sync.Mutex
	connectedSerial map[string]string // number of each connected board, by the board's name

	lastSerial       map[string]string // number of the device that was last watched under a board's name
	serialBeforeLast map[string]string // number of the device before that
	wrongAtPort      map[string]string // number of another device that answers at a board's port, by that board's name

	reported map[string]bool // shared numbers that were found; discover's goroutine owns it
}

func newSerials(d *Daemon) *serials {
	return &serials{d: d, connectedSerial: map[string]string{}, lastSerial: map[string]string{}, serialBeforeLast: map[string]string{}, wrongAtPort: map[string]string{}, reported: map[string]bool{}}
}

// noteSerial takes in the serial number that a board shows. It is called at each step of the board's loop, mostly
// without a change.
func (s *serials) noteSerial(board, serial string, connected bool) {
	if !connected {
		serial = ""
	}
	s.mu.Lock()
	old := s.connectedSerial[board]
	if old == serial {
		s.mu.Unlock()
		return
	}
	if delete(s.connectedSerial, board); serial != "" {
		if was := s.lastSerial[board]; was != "" && was != serial {
			s.serialBeforeLast[board] = was
		}
		s.connectedSerial[board], s.lastSerial[board] = serial, serial
	}
	s.mu.Unlock()
	for _, number := range []string{old, serial} {
		if number != "" {
			s.reportShared(number)
		}
	}
}

// answering is the number with which a board answers now; empty: the board does not answer.
func (s *serials) answering(board string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connectedSerial[board]
}

// other is the number of another board that answers at the port of a board; "": none does.
func (s *serials) other(board string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrongAtPort[board]
}

// belonging is the number that the configuration sets for a board, or the last one that answered; "": unknown.
func (s *serials) belonging(board string) string {
	for _, b := range s.d.opt.Config.Boards {
		if b.Name == board && b.Serial != "" {
			return b.Serial
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lastSerial[board]
}

// noteWrongPort notes whether another board answers at the port of a board. If that one belongs to another table, the
// report names both.
func (s *serials) noteWrongPort(board, serial string, wrong bool) {
	if !wrong {
		serial = ""
	}
	s.mu.Lock()
	old, owner := s.wrongAtPort[board], ""
	if old != serial {
		if delete(s.wrongAtPort, board); serial != "" {
			s.wrongAtPort[board] = serial
		}
		for _, of := range []map[string]string{s.serialBeforeLast, s.lastSerial} {
			for _, name := range slices.Sorted(maps.Keys(of)) {
				if name != board && of[name] == serial && serial != "" {
					owner = name
				}
			}
		}
		for _, b := range s.d.opt.Config.Boards {
			if b.Name != board && b.Serial == serial && serial != "" {
				owner = b.Name
			}
		}
	}
	s.mu.Unlock()
	if old == serial {
		return
	}
	id := "exchanged-" + board
	if owner == "" {
		s.d.frontend.endNotice(id)
		return
	}
	s.d.frontend.setNotice(id, words.Say("notice.exchanged", s.d.tables.of(owner), serial, s.d.tables.of(board)), words.Say("notice.exchanged.do"))
}

// reportShared reports that several watched boards answer with the same serial number.
func (s *serials) reportShared(number string) {
	s.mu.Lock()
	var boards []string
	for _, board := range slices.Sorted(maps.Keys(s.connectedSerial)) {
		if s.connectedSerial[board] == number {
			boards = append(boards, board)
		}
	}
	s.mu.Unlock()
	id := "serial-" + number
	if len(boards) < 2 {
		s.d.frontend.endNotice(id)
		return
	}
	for i, board := range boards {
		if st := s.d.Station(board); st != nil && st.Port() != "" {
			boards[i] += " (" + st.Port() + ")"
		}
	}
	s.d.frontend.setNotice(id, words.Say("notice.serial", number, strings.Join(boards, ", ")), words.Say("notice.serial.do"))
}

// unique are the boards with a number that no other board has. The others are reported by their ports, and are not
// watched.
func (s *serials) unique(found []link.Found) (list []link.Found) {
	ports := map[string][]words.Sentence{}
	for _, b := range found {
		number := b.Serial
		if st := s.d.Station("board-" + number); st != nil && len(ports[number]) == 0 {
			if p := st.Port(); p != "" && p != b.Path {
				ports[number] = append(ports[number], words.Say("notice.found_watched", p))
			}
		}
		ports[number] = append(ports[number], words.Verbatim(b.Path))
	}
	for _, b := range found {
		if len(ports[b.Serial]) == 1 {
			list = append(list, b)
		}
	}
	for number := range s.reported {
		if ports[number] == nil {
			ports[number] = []words.Sentence{}
		}
	}
	for _, number := range slices.Sorted(maps.Keys(ports)) {
		if at := ports[number]; len(at) > 1 {
			s.d.frontend.setNotice("found-"+number, words.Say("notice.found", number, words.List(", ", at)), words.Say("notice.found.do"))
			s.reported[number] = true
		} else if s.reported[number] {
			delete(s.reported, number)
			s.d.frontend.endNotice("found-" + number)
		}
	}
	return list
}
