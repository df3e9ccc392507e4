package access

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestCodeIsTakenHoweverItIsTyped(t *testing.T) {
	for name, typed := range map[string]func(Code) string{
		"as shown":             func(c Code) string { return c.Text },
		"small letters":        func(c Code) string { return strings.ToLower(c.Text) },
		"without the dash":     func(c Code) string { return strings.ReplaceAll(c.Text, "-", "") },
		"spaces around and in": func(c Code) string { return "  " + strings.ReplaceAll(c.Text, "-", " ") + "\n" },
		"a long dash":          func(c Code) string { return strings.ReplaceAll(c.Text, "-", "—") },
		"O for 0":              func(c Code) string { return strings.ReplaceAll(c.Text, "0", "O") },
		"o for 0":              func(c Code) string { return strings.ReplaceAll(c.Text, "0", "o") },
		"I for 1":              func(c Code) string { return strings.ReplaceAll(c.Text, "1", "I") },
		"l for 1":              func(c Code) string { return strings.ReplaceAll(c.Text, "1", "l") },
		"from the QR code":     func(c Code) string { return c.Link },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			code := b.code(Viewer)
			for i := 0; i < 500 && !strings.ContainsAny(code.Text, "01"); i++ { // one with letters that can be mistaken
				b.Store.codes = codes{}
				code = b.code(Viewer)
			}
			if d, _, err := b.Pair(ThisComputer, typed(code), ""); err != nil || d.Role != Viewer {
				t.Errorf("%v: %v", d, err)
			}
		})
	}
}

func TestCodeHasTheFormThatWasPromised(t *testing.T) {
	b := newBench(t)
	shape := regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$`)
	link := regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`)
	seen, letters := map[string]bool{}, map[rune]int{}
	for range 500 {
		b.Store.codes = codes{}
		c := b.code(Arbiter)
		if !shape.MatchString(c.Text) || !link.MatchString(c.Link) || seen[c.Text] || !c.Expires.Equal(b.time.Add(CodeLife)) {
			t.Fatalf("%q %q %v", c.Text, c.Link, c.Expires)
		}
		seen[c.Text] = true
		for _, r := range c.Link {
			letters[r]++
		}
	}
	for _, r := range alphabet { // 13,000 symbols: 406 of each, standard deviation 20
		if n := letters[r]; n < 280 || n > 530 {
			t.Errorf("%c was drawn %d times", r, n)
		}
	}
}

func TestCodeWorksOnceAndNotForLong(t *testing.T) {
	b := newBench(t)
	once, late, other := b.code(Arbiter), b.code(Arbiter), b.code(Viewer)
	for _, row := range []struct {
		name, code string
		at         time.Duration
		want       error
	}{
		{"the first use", once.Text, 0, nil},
		{"a second use", once.Text, 0, ErrWrongCode},
		{"the QR code of a used one", once.Link, 0, ErrWrongCode},
		{"another code is still open", other.Link, 0, nil},
		{"the moment it expires", late.Text, CodeLife, ErrWrongCode},
	} {
		b.time = b.time.Add(row.at)
		if _, _, err := b.Pair(ThisComputer, row.code, ""); !errors.Is(err, row.want) {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	if n := len(b.Devices()); n != 2 {
		t.Errorf("%d devices", n)
	}
	code := b.code(Arbiter)
	b.open()
	if _, _, err := b.Pair(ThisComputer, code.Text, ""); !errors.Is(err, ErrWrongCode) {
		t.Errorf("a code from before a restart: %v", err)
	}
}

func TestNoMoreOpenCodesThanTheLimit(t *testing.T) {
	b := newBench(t)
	for range maxOpen {
		b.code(Viewer)
	}
	if _, err := b.NewCode(Viewer, 0); !errors.Is(err, ErrTooManyCodes) {
		t.Errorf("got %v", err)
	}
	b.time = b.time.Add(CodeLife)
	b.code(Viewer)
}

// guess sends wrong codes at each step for that long, and counts the answers.
func (b *bench) guess(from Origin, long, step time.Duration, code string) (looked, refused int) {
	b.t.Helper()
	for end := b.time.Add(long); b.time.Before(end); b.time = b.time.Add(step) {
		_, _, err := b.Pair(from, code, "")
		var many *TooMany
		switch {
		case errors.Is(err, ErrWrongCode):
			looked++
		case errors.As(err, &many) && many.Retry > 0 && many.Retry <= time.Minute:
			refused++
		default:
			b.t.Fatalf("got %v", err)
		}
	}
	return looked, refused
}

// wrong is not a code: it has a form of its own, and a chance of 1 in 2^40.
const wrong = "ABCD-EFGH"

func TestWrongCodesOfOneOrigin(t *testing.T) {
	for _, from := range []Origin{"192.0.2.1", ThisComputer} {
		b := newBench(t)
		if looked, refused := b.guess(from, time.Minute, 100*time.Millisecond, wrong); looked != 5 || refused != 595 {
			t.Errorf("%q, first minute: %d looked at, %d refused", from, looked, refused)
		}
		if looked, _ := b.guess(from, time.Hour, 250*time.Millisecond, wrong); looked != 60 {
			t.Errorf("%q, one hour: %d looked at", from, looked)
		}
		if b.Refused() != 600+4*3600 {
			t.Errorf("refused: %d", b.Refused())
		}
		b.time = b.time.Add(5 * time.Minute)
		if looked, _ := b.guess(from, time.Second, 10*time.Millisecond, wrong); looked != 5 {
			t.Errorf("%q, after a rest: %d looked at", from, looked)
		}
	}
}

// Input that cannot be a typed code is refused and not counted: it could not be right.
func TestWhatIsNoTypedCodeIsNotCounted(t *testing.T) {
	for name, typed := range map[string]string{"from a QR code": repeat("A", linkSymbols), "no code at all": "", "much too long": repeat("A", 5000)} {
		b := newBench(t)
		if looked, refused := b.guess("192.0.2.1", time.Minute, 100*time.Millisecond, typed); looked != 600 || refused != 0 || b.Refused() != 600 {
			t.Errorf("%s: %d looked at, %d refused", name, looked, refused)
		}
		if _, _, err := b.Pair("192.0.2.1", b.code(Viewer).Text, ""); err != nil {
			t.Errorf("%s, then a right one: %v", name, err)
		}
	}
}

func TestWrongCodesLockNobodyElseOut(t *testing.T) {
	b := newBench(t)
	for range 3600 {
		b.guess("192.0.2.1", 500*time.Millisecond, 100*time.Millisecond, wrong)
		b.guess("192.0.2.2", 500*time.Millisecond, 100*time.Millisecond, wrong)
	}
	b.guess("192.0.2.1", time.Second, 100*time.Millisecond, wrong)
	var many *TooMany
	code := b.code(Arbiter)
	if _, _, err := b.Pair("192.0.2.1", code.Text, ""); !errors.As(err, &many) {
		t.Errorf("the right code from where the wrong ones came: %v", err)
	}
	if _, _, err := b.Pair("192.0.2.3", code.Text, ""); err != nil {
		t.Errorf("the right code from another address: %v", err)
	}
}

// crowd sends wrong codes from n addresses, once a second each, and counts those that were checked.
func (b *bench) crowd(n int, long time.Duration) (looked int) {
	for end := b.time.Add(long); b.time.Before(end); b.time = b.time.Add(time.Second) {
		for i := range n {
			if _, _, err := b.Pair(Origin(fmt.Sprint(i)), wrong, ""); errors.Is(err, ErrWrongCode) {
				looked++
			}
		}
	}
	return looked
}

// With any number of guessing addresses, no more guesses are checked than doc.go assumes. This computer and the QR code
// still work.
func TestCeilingOverAllOrigins(t *testing.T) {
	b := newBench(t)
	if n := b.crowd(300, 10*time.Minute); n != 60+600-1 {
		t.Errorf("%d guesses in ten minutes", n)
	}
	if n := len(b.codes.guesses.origins); n > 60+300 {
		t.Errorf("%d origins are kept", n)
	}
	typed, scanned, here := b.code(Arbiter), b.code(Arbiter), b.code(Arbiter)
	b.crowd(300, time.Second)
	b.time = b.time.Add(-time.Millisecond)
	var many *TooMany
	if _, _, err := b.Pair("new", typed.Text, ""); !errors.As(err, &many) || many.Retry > time.Second {
		t.Errorf("typed at a new address: %v", err)
	}
	if _, _, err := b.Pair("new", scanned.Link, ""); err != nil {
		t.Errorf("scanned: %v", err)
	}
	if _, _, err := b.Pair(ThisComputer, here.Text, ""); err != nil {
		t.Errorf("typed at this computer: %v", err)
	}
}

// A code that has faced too many guesses can only be scanned; an ordinary code faces far fewer guesses.
func TestCodeThatFacedTooManyGuesses(t *testing.T) {
	b := newBench(t)
	usual := b.code(Viewer)
	if n := b.crowd(70, CodeLife-2*time.Second); n*2 > guessesPerCode {
		t.Errorf("%d guesses in the life of a code", n)
	}
	b.time = b.time.Add(1500 * time.Millisecond)
	if _, _, err := b.Pair("new", usual.Text, ""); err != nil {
		t.Errorf("an ordinary code: %v", err)
	}
	long, err := b.NewCode(Arbiter, 12*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	b.codes.guesses.wrong += guessesPerCode - 1000
	b.crowd(100, 20*time.Minute)
	b.time = b.time.Add(10 * time.Minute)
	fresh := b.code(Viewer)
	if _, _, err := b.Pair("new", long.Text, ""); !errors.Is(err, ErrWrongCode) {
		t.Errorf("typed, after %d guesses: %v", b.codes.guesses.wrong, err)
	}
	if _, _, err := b.Pair("new", fresh.Text, ""); err != nil {
		t.Errorf("a code of now: %v", err)
	}
	if _, _, err := b.Pair("new", long.Link, ""); err != nil {
		t.Errorf("scanned: %v", err)
	}
}

func TestRetryIsTrue(t *testing.T) {
	b := newBench(t)
	b.guess("a", 10*time.Second, time.Second, wrong)
	code := b.code(Arbiter)
	var many *TooMany
	if _, _, err := b.Pair("a", code.Text, ""); !errors.As(err, &many) || many.Seconds() != 50 {
		t.Fatalf("the right code while locked: %v", err)
	}
	b.time = b.time.Add(many.Retry - time.Nanosecond)
	if _, _, err := b.Pair("a", code.Text, ""); !errors.As(err, &many) || many.Seconds() != 1 {
		t.Fatalf("too early: %v", err)
	}
	b.time = b.time.Add(time.Nanosecond)
	if _, _, err := b.Pair("a", code.Text, ""); err != nil {
		t.Errorf("the right code was used up by its refusal: %v", err)
	}
}

func TestGuessingLocksNobodyOutOfTheQRCode(t *testing.T) {
	b := newBench(t)
	b.guess("a", time.Hour, time.Second, wrong)
	if _, _, err := b.Pair("a", b.code(Arbiter).Link, ""); err != nil {
		t.Error(err)
	}
}

func TestClockPutBackDoesNotLockForLong(t *testing.T) {
	b := newBench(t)
	b.guess("a", 10*time.Second, time.Second, wrong)
	b.time = b.time.Add(-24 * time.Hour)
	if _, _, err := b.Pair("a", b.code(Viewer).Text, ""); err != nil {
		t.Errorf("got %v", err)
	}
}

func FuzzCode(f *testing.F) {
	for _, s := range []string{"ABCD-EFGH", "abcd efgh", "O0Il-1234", "ABCD–EFGH", "", "U2345678", repeat("7", 26), repeat("-", 199), "ſ", "ı1234567"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		n := normal(typed)
		if n != "" && (normal(n) != n || len(n) != textSymbols && len(n) != linkSymbols || strings.Trim(n, alphabet) != "") {
			t.Fatalf("%q is normal as %q", typed, n)
		}
		if n != "" && normal(strings.ToLower(" "+n[:4]+"-"+n[4:])) != n {
			t.Fatalf("%q: case or dash matters", n)
		}
		b := &bench{t: t, time: time.Unix(1e9, 0)}
		b.Store = &Store{now: b.now, changed: make(chan struct{}), path: t.TempDir() + "/d"}
		c := b.code(Viewer)
		_, _, err := b.Pair(ThisComputer, typed, typed)
		if right := n == strings.ReplaceAll(c.Text, "-", "") || n == c.Link; right != (err == nil) {
			t.Fatalf("%q against %q: %v", typed, c.Text, err)
		}
	})
}
