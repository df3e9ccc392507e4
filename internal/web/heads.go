package web

import (
	"net/http"

	"boardwatchd/internal/journal"
)

// headsEvery is the number of pings of the feed between two lists of the journals' heads: five minutes.
const headsEvery = 60

// headFrom is the head of a board's journal, with a record that is on the disk: nil if that is unknown, because the
// board was closed, or opened with another journal, meanwhile.
func (s *Server) headFrom(board string, seq int64) *journal.Head {
	if h := s.Boards.Head(board); h.Seq > 0 && int64(h.Seq) >= seq {
		return &h
	}
	return nil
}

type boardHead struct {
	Board string `json:"board"`
	journal.Head
}

type headsAnswer struct {
	Heads []boardHead `json:"heads"`
	NowMS int64       `json:"now_ms"`
}

// allHeads are the heads of all journals that are being written, if a record is on the disk.
func (s *Server) allHeads() headsAnswer {
	a := headsAnswer{Heads: []boardHead{}, NowMS: s.Now().UnixMilli()}
	for _, b := range s.Live.Summaries() {
		if h := s.headFrom(b.Board, 1); h != nil {
			a.Heads = append(a.Heads, boardHead{b.Board, *h})
		}
	}
	return a
}

func (s *Server) heads(w http.ResponseWriter, _ *http.Request, _ *call) error {
	return answer(w, s.allHeads())
}
