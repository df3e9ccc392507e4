package watch

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"boardwatchd/detector/hands"
	"boardwatchd/rules/words"
)

// A ScanBefore describes a board's scan when it was last watched. It applies only to the board with that serial number,
// and is checked against the first moves (docs/hands.md).
type ScanBefore struct {
	Serial   string `json:"serial"`
	PeriodUS int64  `json:"period_us"`
	Order    string `json:"order"`
	Fit      int32  `json:"fit"` // permille
	Moves    int    `json:"moves"`
}

// sensor returns the recorded scan for the tracker. Its lead, for which it was accepted, was not recorded: the fit is
// used instead.
func (b *ScanBefore) sensor() hands.Sensor {
	s := hands.Sensor{PeriodUS: b.PeriodUS, Fit: b.Fit, Lead: b.Fit, Moves: b.Moves}
	for o := hands.Raster; o < hands.Batch; o++ {
		if o.String() == b.Order {
			s.Order = o
		}
	}
	return s
}

// FindScan finds the last scan in the text of a journal's segment, and the serial number before it. Values already
// found in a later segment are kept: b is complete when it has both.
func (b *ScanBefore) FindScan(data []byte) (complete bool) {
	at := len(data)
	if b.PeriodUS == 0 {
		var line struct {
			PeriodMS json.Number `json:"period_ms"`
			Fit      json.Number
			Order    string
			Moves    int
		}
		if at = lastHealth(data, "scan", &line); at < 0 {
			return false
		}
		b.PeriodUS, b.Fit, b.Order, b.Moves = inThousandths(line.PeriodMS), int32(inThousandths(line.Fit)), line.Order, line.Moves
	}
	for b.Serial == "" {
		var line struct{ Detail string }
		if at = lastHealth(data[:at], "board_identified", &line); at < 0 {
			return false
		}
		serial, ok := strings.CutPrefix(line.Detail, words.Say("row.serial", "").String())
		if b.Serial = serial; !ok {
			b.Serial = "" // the firmware
		}
	}
	return true
}

// inThousandths reads a number with at most three decimals, as the core writes them; 0 if it is not one.
func inThousandths(n json.Number) int64 {
	whole, part, _ := strings.Cut(string(n), ".")
	v, err := strconv.ParseInt(whole+(part + "000")[:3], 10, 64)
	if err != nil || len(part) > 3 {
		return 0
	}
	return v
}

// lastHealth reads the last health line of this sort in the text of a journal, and returns its position; -1: there is
// none.
func lastHealth(data []byte, what string, line any) int {
	for {
		at := bytes.LastIndex(data, []byte(`"what":"`+what+`"`))
		if at < 0 {
			return -1
		}
		from := bytes.LastIndex(data[:at], []byte(`{"type":"health"`))
		if from >= 0 && json.NewDecoder(bytes.NewReader(data[from:])).Decode(line) == nil {
			return from
		}
		data = data[:at]
	}
}
