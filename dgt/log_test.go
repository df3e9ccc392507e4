package dgt

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

// TestLogRecordsBothDirections has the records of sections 7 and 15.5.
func TestLogRecordsBothDirections(t *testing.T) {
	tests := []struct {
		name, hex string
		want      []LogRecord
	}{
		{"start position", "6f", []LogRecord{{Kind: LogStart}}},
		{"e2 empty, then within 250 ms a white pawn on e4", "40 34 51 24",
			[]LogRecord{{Kind: LogField, Square: 0x34}, {Kind: LogField, Piece: WhitePawn, Square: 0x24, Soon: true}}},
		{"halted left clock at 0:04:58", "70 04 58", []LogRecord{{Kind: LogLeftTime, Minutes: 4, Seconds: 58}}},
		{"halted right clock at 1:29:07", "61 29 07", []LogRecord{{Kind: LogRightTime, Hours: 1, Minutes: 29, Seconds: 7}}},
		{"board cleared", "6d", []LogRecord{{Kind: LogBoardEmpty}}},
		{"start position reversed", "7a", []LogRecord{{Kind: LogStartReversed}}},
		{"downloaded, end", "6e 6b", []LogRecord{{Kind: LogDownloaded}, {Kind: LogEnd}}},

		{"power-up", "7f 7f 7f 6a 42 38", []LogRecord{{Kind: LogFiller}, {Kind: LogFiller}, {Kind: LogFiller}, {Kind: LogPowerUp},
			{Kind: LogField, Piece: WhiteRook, Square: 56}}},
		{"the other tags", "6c 7b 7c 7d 7e 00 ff", []LogRecord{{Kind: LogFourRows}, {Kind: LogStartTag}, {Kind: LogWatchdog},
			{Kind: LogClockState}, {Kind: LogNewAddress}, {Kind: LogZero}, {Kind: LogErased}}},
		{"delays of newer boards", "01 1f 22 30", []LogRecord{{Kind: LogDelay, Unit: UnitSubSecond, Amount: 1},
			{Kind: LogDelay, Unit: UnitSeconds, Amount: 15}, {Kind: LogDelay, Unit: UnitMinutes, Amount: 2}, {Kind: LogDelay, Unit: UnitHours}}},
		{"a result piece", "4e 1b", []LogRecord{{Kind: LogField, Piece: ResultWhite, Square: 27}}},
		{"the last square of a draughts board", "51 63", []LogRecord{{Kind: LogField, Piece: WhiteMan, Square: 99, Soon: true}}},
		{"the highest time", "79 59 59", []LogRecord{{Kind: LogLeftTime, Hours: 9, Minutes: 59, Seconds: 59}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := unhex(t, tt.hex)
			var got []LogRecord
			s := ScanChanges(data)
			for r, ok := s.Next(); ok; r, ok = s.Next() {
				got = append(got, r)
			}
			if !reflect.DeepEqual(got, tt.want) || s.Skipped() != 0 {
				t.Errorf("read %+v, skipped %d; want %+v", got, s.Skipped(), tt.want)
			}
			var back []byte
			for _, r := range tt.want {
				back = r.AppendTo(back)
			}
			if !bytes.Equal(back, data) {
				t.Errorf("wrote % x, want % x", back, data)
			}
		})
	}
}

func TestParseLogPassesOverWhatIsNoRecord(t *testing.T) {
	tests := []struct {
		name, hex string
		want      []LogKind
		skipped   int
	}{
		{"a ring that begins inside a field record", "34 51 24 6b", []LogKind{LogField, LogEnd}, 1},
		{"a ring that begins inside a clock record", "04 38 6f", []LogKind{LogStart}, 2},
		{"delays before the first certain record are passed over", "10 01 6f 10 6b", []LogKind{LogStart, LogDelay, LogEnd}, 2},
		{"minutes above 59 are no clock record", "60 60 00 6f", []LogKind{LogStart}, 3},
		{"seconds that are not BCD are no clock record", "6f 60 00 1a 6f", []LogKind{LogStart, LogStart}, 3},
		{"a square above 99 is no field record", "40 64 00 6f", []LogKind{LogStart}, 3},
		{"a field record cut at the end", "6f 40", []LogKind{LogStart}, 1},
		{"a clock record cut at the end", "6f 61 29", []LogKind{LogStart}, 2},
		{"bytes with bit 7 are no records", "6f 80 fe 6b", []LogKind{LogStart, LogEnd}, 2},
		{"records go on after an end", "6b 6f", []LogKind{LogEnd, LogStart}, 0},
		{"an empty log", "", nil, 0},
		{"a log of nothing", "00 01 02", nil, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			records, skipped := ParseLog(unhex(t, tt.hex))
			var got []LogKind
			for _, r := range records {
				got = append(got, r.Kind)
			}
			if !reflect.DeepEqual(got, tt.want) || skipped != tt.skipped {
				t.Errorf("got %v, skipped %d; want %v, %d", got, skipped, tt.want, tt.skipped)
			}
		})
	}
}

func TestWholeLog(t *testing.T) {
	records, skipped := ParseLog(powerUpLog().Data)
	if skipped != 0 || len(records) != maxLog-2 || records[len(records)-1].Kind != LogEnd {
		t.Errorf("%d records, skipped %d", len(records), skipped)
	}
}

func TestLogRecordsCutWhatCannotBe(t *testing.T) {
	tests := []struct {
		name string
		r    LogRecord
		hex  string
	}{
		{"an invalid kind is nothing", LogRecord{}, ""},
		{"an unknown kind is nothing", LogRecord{Kind: 99}, ""},
		{"a square above 99", LogRecord{Kind: LogField, Piece: 0x1F, Square: 164}, "4f 40"},
		{"a time out of range", LogRecord{Kind: LogRightTime, Hours: 12, Minutes: 61, Seconds: 60}, "62 01 00"},
		{"a delay out of range", LogRecord{Kind: LogDelay, Unit: 5, Amount: 17}, "11"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.r.AppendTo(nil); !bytes.Equal(got, unhex(t, tt.hex)) {
				t.Errorf("wrote % x, want %s", got, tt.hex)
			}
		})
	}
}

func TestLogKindsHaveNames(t *testing.T) {
	for k := LogInvalid; k <= LogErased; k++ {
		if s := k.String(); s == "" || strings.HasPrefix(s, "log kind") {
			t.Errorf("kind %d: %q", byte(k), s)
		}
	}
}
