package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardwatchd/rules/helpmate"
	"boardwatchd/rules/legal"
)

func TestFENsAmongTheArguments(t *testing.T) {
	const k, q = "4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/Q3K3"
	for _, c := range []struct{ name, args, want string }{
		{"in one word", k + "_w_-_-_0_1", " " + k + " w - - 0 1\n"},
		{"split by the shell", k + "|w|-|-|0|1", " " + k + " w - - 0 1\n"},
		{"two, without counters", k + "|w|-|-|" + q + "|b|-|-|7|9", " " + k + " w - -\n " + q + " b - - 7 9\n"},
		{"one of each form", k + "_w_-_-|" + q + "|b|-|-|startpos", " " + k + " w - -\n " + q + " b - -\n startpos\n"},
		{"too short", k + "|w|" + q + "|b|-|-", " " + k + " w\n " + q + " b - -\n"},
		{"a line break is a blank, and # no comment", "#\n1", " # 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := strings.Split(c.args, "|")
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "_", " ")
			}
			in, err := questionsOf(strings.NewReader("standard input"), args)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := io.ReadAll(in); string(got) != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestABlankArgumentIsNoFEN(t *testing.T) {
	for _, args := range [][]string{{""}, {"  "}, {"\n"}, {"startpos", ""}, {"", "startpos"}} {
		var x exit
		if _, err := questionsOf(strings.NewReader("standard input"), args); !errors.As(err, &x) || x.code != statusUsage {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// silent is the progress of a command without a terminal.
func silent(t testing.TB) *progress {
	p := newProgress(&env{out: io.Discard, err: io.Discard, quiet: true})
	t.Cleanup(p.stop)
	return p
}

// echo answers with the line.
func echo(b, line []byte) ([]byte, error) { return append(append(b, line...), '\n'), nil }

func TestAnswersComeInTheOrderOfTheLines(t *testing.T) {
	const lines = 5 * ringSlots
	var in strings.Builder
	for i := range lines {
		fmt.Fprintln(&in, i)
	}
	// The first answerer holds its first line back until the other has answered all that fit into the ring beside it.
	others := make(chan struct{}, lines)
	held := false
	slow := func(b, line []byte) ([]byte, error) {
		if !held {
			held = true
			for range ringSlots - 1 {
				<-others
			}
		}
		return echo(b, line)
	}
	quick := func(b, line []byte) ([]byte, error) {
		others <- struct{}{}
		return echo(b, line)
	}
	var out bytes.Buffer
	if err := answerLines(strings.NewReader(in.String()), &out, []answerer{slow, quick, quick}, silent(t)); err != nil {
		t.Fatal(err)
	}
	if out.String() != in.String() {
		t.Error("the answers are not in the order of the lines")
	}
}

func TestAnAnswerDoesNotWaitForTheNextLine(t *testing.T) {
	in, ask := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan error)
	p := silent(t)
	go func() { ended <- answerLines(in, out, []answerer{echo, echo}, p) }()
	got := make([]byte, 3)
	for i := range 100 {
		want := fmt.Sprintf("%02d\n", i)
		if _, err := io.WriteString(ask, want); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(answers, got); err != nil || string(got) != want {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
	}
	ask.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// endless is a line again and again; it counts what was read of it.
type endless struct {
	line string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, strings.Repeat(e.line, max(1, len(p)/len(e.line))))
	e.read += n
	return n, nil
}

func TestTheReaderWaitsWhenNobodyTakesTheAnswers(t *testing.T) {
	for _, c := range []struct {
		name, line string
		most       int
	}{
		{"short lines", "8/8\n", ringSlots*4 + 128<<10},
		{"long lines", strings.Repeat("x", 16<<10-1) + "\n", ringBytes + 128<<10},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				in := &endless{line: c.line}
				p := silent(t)
				full := make(chan struct{})
				ended := make(chan error)
				go func() { ended <- answerLines(in, &closedPipe{full}, []answerer{echo}, p) }()
				synctest.Wait() // the writer waits for the output, the others for room
				if in.read > c.most {
					t.Errorf("%d bytes were read", in.read)
				}
				close(full)
				if err := <-ended; !errors.Is(err, io.ErrClosedPipe) {
					t.Errorf("it ends with %v", err)
				}
			})
		})
	}
}

// closedPipe takes nothing, and at last breaks.
type closedPipe struct{ full chan struct{} }

func (c *closedPipe) Write([]byte) (int, error) {
	<-c.full
	return 0, io.ErrClosedPipe
}

func TestABrokenOutputEndsItThoughTheInputIsOpen(t *testing.T) {
	in, ask := io.Pipe()
	defer ask.Close()
	go func() { _, _ = io.WriteString(ask, "a\n") }() // and no more
	full := make(chan struct{})
	close(full)
	if err := answerLines(in, &closedPipe{full}, []answerer{echo, echo}, silent(t)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("it ends with %v", err)
	}
}

func TestLinesOfEveryKind(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for _, c := range []struct{ name, in, out, err string }{
		{"nothing", "", "", ""},
		{"the last line has no end", "a\nb", "a\nb\n", ""},
		{"blank lines and comments are passed over", "# c\n\n \t\r\na\n#\n", "a\n", ""},
		{"a byte order mark", "\ufeffa\nb\n", "a\nb\n", ""},
		{"a byte order mark before a comment", "\ufeff# c\nb\n", "b\n", ""},
		{"longer than the buffer", "a\n" + long + "\nb\n", "a\n" + long + "\nb\n", ""},
		{"too long", "a\n\nb\n" + strings.Repeat("x", 2<<20) + "\nc\n", "a\nb\n", "line 4: it is longer than 1048576 bytes; write one FEN a line"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			err := answerLines(strings.NewReader(c.in), &out, []answerer{echo, echo}, silent(t))
			if out.String() != c.out || fmt.Sprint(err) != c.err && (err != nil || c.err != "") {
				t.Errorf("%.80q, %v, want %.80q, %s", out.String(), err, c.out, c.err)
			}
		})
	}
}

func TestLinesThatAreNoQuestionsAreNamedUpToABound(t *testing.T) {
	bad := func(b, _ []byte) ([]byte, error) { return append(b, "?\n"...), errors.New("bad") }
	err := answerLines(strings.NewReader(strings.Repeat("a\n", 1000)), io.Discard, []answerer{bad}, silent(t))
	var x exit
	if !errors.As(err, &x) || x.code != statusUsage {
		t.Fatalf("%v", err)
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != namedLines+1 || lines[1] != "line 2: bad" || lines[namedLines] != "and 980 more" {
		t.Errorf("%q", lines)
	}
}

func TestTheAnswersAreTheSameOnAnyNumberOfCores(t *testing.T) {
	var in strings.Builder
	for _, pos := range randomPositions(40) {
		fmt.Fprintln(&in, pos.FEN())
	}
	both, _ := sidesOf("")
	var answers [4]bytes.Buffer
	for n := 1; n < len(answers); n++ {
		var crew []answerer
		for range n {
			crew = append(crew, newLineAnswerer(asking{sides: both, budget: 2000}).line)
		}
		if err := answerLines(strings.NewReader(in.String()), &answers[n], crew, silent(t)); err != nil {
			t.Fatal(err)
		}
		if answers[n].String() != answers[1].String() || strings.Count(answers[n].String(), "\n") != 80 {
			t.Errorf("%d at work give other answers than one", n)
		}
	}
}

func TestProgressIsOneLineThatIsWiped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen bytes.Buffer
		p := &progress{w: &screen, quit: make(chan struct{})}
		p.done.Go(func() { p.show(time.NewTicker(time.Second)) })
		p.answered(1500)
		time.Sleep(2500 * time.Millisecond) // virtual
		p.stop()
		if want := "\r1500 positions, 1500 a second\r1500 positions, 750 a second \r" + strings.Repeat(" ", 29) + "\r"; screen.String() != want {
			t.Errorf("%q, want %q", screen.String(), want)
		}
	})
}

// mateAnswer is an object of canmate --format jsonl.
type mateAnswer struct {
	FEN       string
	Side      string
	Verdict   *string
	Line      []string
	Nodes     *int
	US        *float64
	Reason    string
	Why       *string
	Positions *int
	Budget    int
	Refused   []string
	Error     string
}

func TestAnAnswerSaysWhatTheContractHas(t *testing.T) {
	for _, c := range []struct {
		name, line, side, text, object string
		budget                         int
	}{
		{"never, in a sentence to read out", "4k3/8/8/8/8/8/4P3/4K3 w - -", "black", "never: Black can never mate: Black has only the king.\n",
			`{"fen":"4k3/8/8/8/8/8/4P3/4K3 w - -","side":"black","verdict":"never","line":null,"nodes":0,"us":1.234,"reason":"material","why":"Black can never mate: Black has only the king.","positions":null,"budget":9}`, 9},
		{"the mate is on the board", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "white", "possible: White has given mate.\n",
			`{"fen":"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1","side":"white","verdict":"possible","line":[],"nodes":0,"us":1.234,"reason":"played","why":null,"positions":null,"budget":9}`, 9},
		{"unknown, with the budget that was stated", "startpos", "white", "unknown: it is not known whether White can mate: the budget of 0 nodes is used up; a larger --budget may decide it.\n", "", 0},
		{"no position: one answer for each question", "8/8/8/8/8/8/8/8 w - -", "", "refused: not a chess position: empty_board, missing_king_white, missing_king_black\n" +
			"refused: not a chess position: empty_board, missing_king_white, missing_king_black\n",
			`{"fen":"8/8/8/8/8/8/8/8 w - -","side":"white","verdict":null,"line":null,"nodes":null,"us":null,"refused":["empty_board","missing_king_white","missing_king_black"]}
{"fen":"8/8/8/8/8/8/8/8 w - -","side":"black","verdict":null,"line":null,"nodes":null,"us":null,"refused":["empty_board","missing_king_white","missing_king_black"]}`, 9},
		{"a board left standing after an illegal move", "P3k3/8/8/8/8/8/8/4K3 b - - 0 1", "black",
			"never: Black can never mate: Black has only the king. (not a chess position: pawn_on_last_rank; taken as it stands)\n",
			`{"fen":"P3k3/8/8/8/8/8/8/4K3 b - - 0 1","side":"black","verdict":"never","line":null,"nodes":0,"us":1.234,"reason":"material","why":"Black can never mate: Black has only the king.","positions":null,"budget":9,"refused":["pawn_on_last_rank"]}`, 9},
		{"a check older than the double step", "4k3/8/5N2/8/3P4/8/8/4K3 b - d3 0 1", "black",
			"never: Black can never mate: Black has only the king. (not a chess position: impossible_check; taken as it stands)\n", "", 9},
		{"the side after a tab", "4k3/8/8/8/8/8/4P3/4K3 w - -\tblack\r", "white", "never: Black can never mate: Black has only the king.\n", "", 9},
		{"a side that is none", "4k3/8/8/8/8/8/4P3/4K3 w - -\tgreen", "", "error: side \"green\": it is white or black\n",
			`{"fen":"4k3/8/8/8/8/8/4P3/4K3 w - -","side":"green","error":"side \"green\": it is white or black"}`, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			sides, err := sidesOf(c.side)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := newLineAnswerer(asking{sides: sides, budget: c.budget}).line(nil, []byte(c.line))
			if string(text) != c.text {
				t.Errorf("text\n%swant\n%s", text, c.text)
			}
			objects, _ := newLineAnswerer(asking{sides: sides, budget: c.budget, jsonl: true}).line(nil, []byte(c.line))
			if c.object != "" && withoutTime(t, string(objects)) != c.object+"\n" {
				t.Errorf("objects\n%swant\n%s", objects, c.object)
			}
		})
	}
}

// withoutTime sets every time to 1.234 µs, if it is one.
func withoutTime(t *testing.T, objects string) string {
	t.Helper()
	before, rest, found := strings.Cut(objects, `"us":`)
	if !found || strings.HasPrefix(rest, "null") {
		return objects
	}
	value, rest, _ := strings.Cut(rest, ",")
	var us float64
	if err := json.Unmarshal([]byte(value), &us); err != nil || us < 0 {
		t.Errorf("us is %s", value)
	}
	return before + `"us":1.234,` + rest
}

func FuzzCanmateLine(f *testing.F) {
	for _, line := range []string{
		"startpos", "5K1k/7P/8/8/8/8/8/8 b - - 0 1", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1\twhite", "P3k3/8/8/8/8/8/8/4RK2 w K e4 0 1", "\xff\"\\<é\t \x00",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 149 1", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
	} {
		f.Add(line)
	}
	both, _ := sidesOf("")
	const budget = 300
	objects, texts := newLineAnswerer(asking{both, budget, true}), newLineAnswerer(asking{both, budget, false})
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "\n") || len(line) > 1000 {
			return
		}
		out, err := objects.line(nil, []byte(line))
		text, terr := texts.line(nil, []byte(line))
		if (err == nil) != (terr == nil) {
			t.Fatalf("%q: %v as object, %v as text", line, err, terr)
		}
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		if n := strings.Count(string(text), "\n"); n != len(lines) || len(lines) > 2 {
			t.Fatalf("%q: %d objects, %d lines of text", line, len(lines), n)
		}
		for i, object := range lines {
			dec := json.NewDecoder(strings.NewReader(object))
			dec.DisallowUnknownFields()
			var a mateAnswer
			if derr := dec.Decode(&a); derr != nil {
				t.Fatalf("%q: %s: %v", line, object, derr)
			}
			checkMateAnswer(t, line, &a, err, strings.Split(string(text), "\n")[i])
		}
	})
}

// checkMateAnswer holds an answer against the line, the same answer as text, and the Laws.
func checkMateAnswer(t *testing.T, line string, a *mateAnswer, err error, text string) {
	t.Helper()
	fen, _, _ := strings.Cut(line, "\t")
	if want := strings.ToValidUTF8(strings.TrimSpace(fen), "\ufffd"); len(a.FEN) > 0 && want != "startpos" && strings.ReplaceAll(a.FEN, "\ufffd", "") != strings.ReplaceAll(want, "\ufffd", "") {
		t.Fatalf("%q: answers for %q", line, a.FEN)
	}
	switch {
	case err != nil:
		if "error: "+a.Error != text {
			t.Fatalf("%q: %q as object, %q as text", line, a.Error, text)
		}
	case a.Verdict == nil:
		if len(a.Refused) == 0 || !strings.HasPrefix(text, "refused: ") {
			t.Fatalf("%q: no verdict, and no reason; %q", line, text)
		}
	case !strings.HasPrefix(text, *a.Verdict+": "):
		t.Fatalf("%q: %s as object, %q as text", line, *a.Verdict, text)
	case *a.Verdict == helpmate.Possible.String():
		q := read(strings.TrimSpace(fen))
		pos := q.pos
		for _, san := range a.Line {
			m, serr := pos.ParseSAN(san)
			if serr != nil {
				t.Fatalf("%q: %v", line, serr)
			}
			pos = pos.After(m)
		}
		if pos.Outcome() != legal.Checkmate || pos.Turn().Other().String() != a.Side {
			t.Fatalf("%q: no mate by %s after %v", line, a.Side, a.Line)
		}
	case a.Line != nil || a.Why == nil || !strings.Contains(text, *a.Why):
		t.Fatalf("%q: line %v, %q as text", line, a.Line, text)
	}
}
