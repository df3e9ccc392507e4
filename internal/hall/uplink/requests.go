package uplink

// requests are the ids of people's inputs to a board, with the numbers of their records, so that a repeated input is
// not carried out again.
type requests struct {
	seqs      map[string]int64
	order     []string
	unsettled map[string]bool // handed to the board, with an unknown outcome
}

// keptRequests is how many are remembered for each board. A phone repeats its request within minutes.
const keptRequests = 4096

func (r *requests) add(id string, seq int64) {
	if r.seqs == nil {
		r.seqs = map[string]int64{}
	}
	if _, ok := r.seqs[id]; !ok {
		r.order = append(r.order, id)
	}
	r.seqs[id] = seq
	if len(r.order) > keptRequests {
		delete(r.seqs, r.order[0])
		r.order = r.order[1:]
	}
}

// hand notes that a request is given to the board; over notes that its outcome is known.
func (r *requests) hand(id string) {
	if id == "" {
		return
	}
	if r.unsettled == nil {
		r.unsettled = map[string]bool{}
	}
	r.unsettled[id] = true
}

func (r *requests) over(id string)        { delete(r.unsettled, id) }
func (r *requests) handed(id string) bool { return r.unsettled[id] }

// forget lets a request be carried out again.
func (r *requests) forget(id string) { delete(r.seqs, id) }

// seq is the number of a request's record; 0: there is none.
func (r *requests) seq(id string) int64 { return r.seqs[id] }
