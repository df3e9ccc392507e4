package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"

	"boardwatchd/internal/config"
	"boardwatchd/internal/daemon"
	"boardwatchd/internal/tables"
	"boardwatchd/internal/web"
)

var tablesCommand = command{
	name: "tables", args: "[-c FILE] [set LIST | find [TABLE] | undo | use | drop | free TABLE | sheet OUT [--cards]]",
	words: []string{"set", "find", "undo", "use", "drop", "free", "sheet"},
	brief: "which board stands at which table, in the program that runs here: by a list, by presses of clocks; a sheet to print (docs/operator.md)",
	example: "boardwatchd tables find 1         (press the clock of table 1, then of 2 …; then: boardwatchd tables use)\n" +
		"  boardwatchd tables set tables.csv (lines of serial,table or computer,port,table)\n  boardwatchd tables sheet tables.html --cards",
	run: func(ctx context.Context, e *env, fs *flag.FlagSet, args []string) error {
		file := fs.String("c", "", "the configuration of run or hall; it names the state directory")
		form := formatFlag(fs)
		sure := fs.Bool("sure", false, "change tables also while a round goes on; what would change the table of a board with a game in progress is refused as a whole")
		cards := fs.Bool("cards", false, "sheet: a card for each table too")
		rest, err := parse(fs, args)
		if err != nil {
			return err
		}
		if err := checkFormat(*form); err != nil {
			return err
		}
		conf, err := loadConfig(*file)
		if err != nil {
			return err
		}
		dir, err := stateDir(e, conf)
		if err != nil {
			return err
		}
		t := tableArgs{env: e, file: *file, dir: dir, json: *form == "jsonl", sure: *sure, cards: *cards}
		return t.run(ctx, rest)
	},
}

// tableArgs are the arguments of the command tables.
type tableArgs struct {
	*env
	file, dir         string
	json, sure, cards bool
}

// command is a command about the same program, as a person has to type it.
func (t *tableArgs) command(verb string) string {
	return config.Typed(absolutePath(t.file), verb, "")
}

func (t *tableArgs) run(ctx context.Context, rest []string) error {
	if len(rest) == 0 {
		return t.do(ctx, web.TablesChange{})
	}
	word, more := rest[0], append(rest[1:], "")[0]
	switch n := len(rest); {
	case word == web.TablesSet && n == 2:
		return t.set(ctx, more)
	case word == web.TablesFind && n <= 2:
		return t.find(ctx, more)
	case (word == web.TablesUndo || word == web.TablesUse || word == web.TablesDrop) && n == 1, word == web.TablesFree && n == 2:
		return t.do(ctx, web.TablesChange{Do: word, Table: more, Sure: t.sure})
	case word == "sheet" && n == 2:
		return t.sheet(ctx, more)
	}
	return usage("tables is alone, or followed by set LIST, find [TABLE], undo, use, drop, free TABLE or sheet OUT")
}

// ask sends a request to the running program.
func (t *tableArgs) ask(ctx context.Context, c web.TablesChange) (web.TablesState, error) {
	a, err := daemon.AskTables(ctx, t.dir, daemon.TablesRequest{TablesChange: c})
	if err == nil && a.Error != "" {
		err = fmt.Errorf("%s: %s", c.Do, a.Error)
	}
	return a.State, err
}

func (t *tableArgs) do(ctx context.Context, c web.TablesChange) error {
	s, err := t.ask(ctx, c)
	if err != nil {
		return err
	}
	return t.print(&s)
}

// print prints the tables, one line each.
func (t *tableArgs) print(s *web.TablesState) error {
	if t.json {
		enc := json.NewEncoder(t.env.out)
		for _, r := range s.Rows {
			if err := enc.Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	if len(s.Rows) == 0 {
		fmt.Fprintln(t.env.out, "no board is watched")
		return nil
	}
	w := tabwriter.NewWriter(t.env.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TABLE\tBOARD\tSERIAL\tCOMPUTER\tPORT\tREMARK")
	for _, r := range s.Rows {
		remark := ""
		switch {
		case r.Found:
			remark = "found, not in force yet: " + t.command("tables use")
		case r.Elsewhere:
			remark = "answers there, in the place of another board: put boards or cables back"
		case r.Board == "":
			remark = "no such board has been seen"
		case !r.Here:
			remark = "does not answer"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", dash(r.Table), dash(r.Board), dash(r.Serial), dash(r.Computer), dash(r.Port), remark)
	}
	return w.Flush()
}

// set sends a list of tables. If it has unreadable lines they are printed, and nothing is changed.
func (t *tableArgs) set(ctx context.Context, file string) error {
	var b []byte
	var err error
	if file == "-" {
		b, err = io.ReadAll(t.env.in)
	} else {
		b, err = os.ReadFile(file)
	}
	if err != nil {
		return usage("tables set: %w", err)
	}
	list, problems := tables.ParseList(string(b))
	for _, p := range problems {
		fmt.Fprintf(t.env.err, "%s:%d: %s\n", file, p.Line, p.Text)
	}
	if len(problems) > 0 {
		return usage("lines that are not understood: %d; nothing was changed", len(problems))
	}
	return t.do(ctx, web.TablesChange{Do: web.TablesSet, Entries: list, Sure: t.sure})
}

// findEvery is how often the program is asked for the result of presses.
const findEvery = 500 * time.Millisecond

// find waits for one press after the other, until it is interrupted.
func (t *tableArgs) find(ctx context.Context, table string) error {
	s, err := t.ask(ctx, web.TablesChange{Do: web.TablesFind, Table: table})
	if err != nil {
		return err
	}
	var last web.PressOutcome
	asked := ""
	for s.Finding && err == nil {
		if s.LastPress != last {
			last = s.LastPress
			fmt.Fprintln(t.env.out, lastPressLine(last))
		}
		if asked != s.Ask {
			asked = s.Ask
			fmt.Fprintf(t.env.out, "Press the clock of table %s.\n", asked)
		}
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			_, err := t.ask(last, web.TablesChange{Do: web.TablesStop})
			fmt.Fprintln(t.env.out, "Ended. What was found holds with: "+t.command("tables use"))
			return err
		case <-time.After(findEvery):
			s, err = t.ask(ctx, web.TablesChange{})
			if ctx.Err() != nil {
				err = nil
			}
		}
	}
	return err
}

func lastPressLine(last web.PressOutcome) string {
	switch last.What {
	case tables.Learnt:
		return fmt.Sprintf("Board %s stands at table %s. If not: boardwatchd tables undo.", last.Board, last.Table)
	case tables.Several:
		return fmt.Sprintf("Clocks moved at several boards at once (%s). Press one again.", last.Board)
	case tables.Already:
		return fmt.Sprintf("That was board %s, which was found at table %s.", last.Board, last.Table)
	case tables.InPlay:
		return fmt.Sprintf("Board %s has a game in progress: nothing is learnt from it.", last.Board)
	}
	return "Nothing yet."
}

// sheet writes the sheet to print.
func (t *tableArgs) sheet(ctx context.Context, out string) error {
	if err := mayReplace(out, aPage); err != nil {
		return err
	}
	a, err := daemon.AskTables(ctx, t.dir, daemon.TablesRequest{Sheet: true, Cards: t.cards})
	if err != nil {
		return err
	}
	if out == "-" {
		_, err = io.WriteString(t.env.out, a.Sheet)
		return err
	}
	if err := os.WriteFile(out, []byte(cmp.Or(a.Sheet, "\n")), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(t.env.out, "%s: open it in a browser and print it.\n", out)
	return nil
}
