package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestPairedDeviceIsKnownByItsSecretAlone(t *testing.T) {
	b := newBench(t)
	d, secret := b.device(Arbiter, "  Anna's   phone ")
	if d.Name != "Anna's phone" || d.Role != Arbiter || !d.PairedAt.Equal(b.time) || d.Push != nil || len(d.Boards) != 0 {
		t.Errorf("paired: %+v", d)
	}
	b.time = b.time.Add(time.Minute)
	got, ok := b.Check(secret)
	if !ok || got.ID != d.ID || !got.SeenAt.Equal(b.time) {
		t.Errorf("Check: %+v %v", got, ok)
	}
	for _, wrong := range []string{"", secret[:42], secret + "A", secretOf(1), strings.ToLower(secret), d.ID} {
		if _, ok := b.Check(wrong); ok && wrong != secret {
			t.Errorf("Check took %q", wrong)
		}
	}
}

func TestEveryChangeSurvivesARestart(t *testing.T) {
	b := newBench(t)
	a, secretA := b.device(Arbiter, "A")
	v, secretV := b.device(Viewer, "V")
	gone, secretGone := b.device(Viewer, "gone")
	for _, err := range []error{
		b.Rename(a.ID, "Table 1"), b.SetRole(v.ID, Arbiter), b.SetBoards(v.ID, []string{"3", "12"}),
		b.SetPush(v.ID, samplePush()), b.SetPush(a.ID, samplePush()), b.DropPush(a.ID), b.Revoke(gone.ID),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	b.open()
	if _, ok := b.Check(secretGone); ok {
		t.Error("a revoked device is back")
	}
	if d, ok := b.Check(secretA); !ok || d.Name != "Table 1" || d.Push != nil {
		t.Errorf("A: %+v %v", d, ok)
	}
	d, ok := b.Check(secretV)
	if !ok || d.Role != Arbiter || !slices.Equal(d.Boards, []string{"3", "12"}) || d.Push == nil || *d.Push != samplePush() {
		t.Errorf("V: %+v %v", d, ok)
	}
	if list := b.Devices(); len(list) != 2 || list[0].ID != a.ID || list[1].ID != v.ID || !list[0].PairedAt.Equal(a.PairedAt) {
		t.Errorf("list: %v", list)
	}
	if !b.Warning().IsZero() {
		t.Error(b.Warning())
	}
}

func TestChangedIsClosedByEveryChangeAndByNoneOther(t *testing.T) {
	b := newBench(t)
	code := b.code(Viewer)
	d, secret := b.device(Arbiter, "A")
	for name, do := range map[string]func() error{
		"pair":   func() error { _, _, err := b.Pair(ThisComputer, code.Text, ""); return err },
		"rename": func() error { return b.Rename(d.ID, "B") },
		"role":   func() error { return b.SetRole(d.ID, Viewer) },
		"boards": func() error { return b.SetBoards(d.ID, []string{"1"}) },
		"push":   func() error { return b.SetPush(d.ID, samplePush()) },
		"drop":   func() error { return b.DropPush(d.ID) },
	} {
		before := b.Changed()
		if err := do(); err != nil || !closed(before) || closed(b.Changed()) {
			t.Errorf("%s: error %v, closed %v", name, err, closed(before))
		}
	}
	before := b.Changed()
	b.Check(secret)
	b.Check(secretOf(3))
	_, _, _ = b.Pair(ThisComputer, "WRONG-00", "")
	b.code(Viewer)
	if err := errors.Join(b.Flush(), b.Flush()); err != nil || closed(before) {
		t.Errorf("no device changed: error %v, closed %v", err, closed(before))
	}
	// At the moment of the signal the secret is already invalid.
	if err := b.Revoke(d.ID); err != nil || !closed(before) {
		t.Errorf("revoke: error %v, closed %v", err, closed(before))
	}
	if _, ok := b.Check(secret); ok {
		t.Error("a revoked device passes")
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestDeviceThatIsNotThere(t *testing.T) {
	b := newBench(t)
	for _, err := range []error{
		b.Rename("x", "y"), b.SetRole("x", Viewer), b.SetBoards("x", nil), b.SetPush("x", samplePush()), b.DropPush("x"), b.Revoke("x"),
	} {
		if !errors.Is(err, ErrUnknownDevice) {
			t.Errorf("got %v", err)
		}
	}
	if _, ok := b.Device("x"); ok {
		t.Error("found")
	}
}

func TestValuesThatAreNotTaken(t *testing.T) {
	b := newBench(t)
	d, _ := b.device(Arbiter, "A")
	push := func(change func(*Push)) error { p := samplePush(); change(&p); return b.SetPush(d.ID, p) }
	_, codeErr := b.NewCode("root", 0)
	for _, row := range []struct {
		name, field string
		err         error
	}{
		{"role of a code", "role", codeErr},
		{"role of a device", "role", b.SetRole(d.ID, "Arbiter")},
		{"board without a name", "boards", b.SetBoards(d.ID, []string{"1", ""})},
		{"board with a line break", "boards", b.SetBoards(d.ID, []string{"1\n2"})},
		{"board that is no UTF-8", "boards", b.SetBoards(d.ID, []string{"\xff"})},
		{"board with a long name", "boards", b.SetBoards(d.ID, []string{repeat("x", 101)})},
		{"too many boards", "boards", b.SetBoards(d.ID, make([]string, 1001))},
		{"push over plain http", "endpoint", push(func(p *Push) { p.Endpoint = "http://192.168.1.1/admin" })},
		{"push to nowhere", "endpoint", push(func(p *Push) { p.Endpoint = "https:///x" })},
		{"push with a password", "endpoint", push(func(p *Push) { p.Endpoint = "https://a:b@example.net/" })},
		{"push to a very long address", "endpoint", push(func(p *Push) { p.Endpoint += repeat("x", 2048) })},
		{"push key off the curve", "p256dh", push(func(p *Push) { p.P256dh = "BA" + p.P256dh[2:] })},
		{"push key too long", "p256dh", push(func(p *Push) { p.P256dh = repeat("A", 4096) })},
		{"push auth too short", "auth", push(func(p *Push) { p.Auth = "AAAA" })},
	} {
		var invalid *Invalid
		if !errors.As(row.err, &invalid) || invalid.Field != row.field {
			t.Errorf("%s: %v", row.name, row.err)
		}
	}
	if got, _ := b.Device(d.ID); got.Role != Arbiter || got.Boards != nil || got.Push != nil {
		t.Errorf("something was taken: %+v", got)
	}
}

func TestWhatIsHandedOutIsACopy(t *testing.T) {
	b := newBench(t)
	d, secret := b.device(Arbiter, "A")
	boards := []string{"1"}
	if err := errors.Join(b.SetBoards(d.ID, boards), b.SetPush(d.ID, samplePush())); err != nil {
		t.Fatal(err)
	}
	boards[0] = "mine"
	got, _ := b.Check(secret)
	got.Boards[0], got.Push.Endpoint = "theirs", "theirs"
	again := b.Devices()[0]
	if again.Boards[0] != "1" || again.Push.Endpoint != samplePush().Endpoint {
		t.Errorf("the store was changed from outside: %v %v", again.Boards, again.Push.Endpoint)
	}
}

func TestNoMoreDevicesThanTheLimit(t *testing.T) {
	b := newBench(t)
	for range maxDevices {
		b.Store.devices = append(b.Store.devices, &paired{Device: Device{ID: b.newID(), Role: Viewer, PairedAt: b.time}})
	}
	code := b.code(Arbiter)
	if _, _, err := b.Pair(ThisComputer, code.Text, ""); !errors.Is(err, ErrTooManyDevices) {
		t.Fatalf("got %v", err)
	}
	if err := b.Revoke(b.Devices()[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Pair(ThisComputer, code.Text, ""); err != nil {
		t.Errorf("the code was spent on the refusal: %v", err)
	}
}

func TestNothingSecretIsPrinted(t *testing.T) {
	b := newBench(t)
	code := b.code(Arbiter)
	d, secret, err := b.Pair(ThisComputer, code.Link, "A")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.SetPush(d.ID, samplePush()); err != nil {
		t.Fatal(err)
	}
	d, _ = b.Device(d.ID)
	_, _, wrong := b.Pair(ThisComputer, "ABCD-EFGH", "A")
	notTaken := b.SetPush(d.ID, Push{Endpoint: "http://" + samplePush().Endpoint[8:]})
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		for _, v := range []any{code, &code, d, *d.Push, d.Push, []Device{d}, wrong, notTaken} {
			text := fmt.Sprintf(format, v)
			for _, s := range []string{code.Text, code.Text[:4], code.Link, secret, samplePush().Endpoint[8:], samplePush().Auth, "EFGH"} {
				if strings.Contains(text, s) {
					t.Errorf("%T as %s shows a secret: %s", v, format, text)
				}
			}
		}
	}
	if body := b.body(); strings.Contains(body, secret) || strings.Contains(body, code.Link) {
		t.Error("the file holds a secret")
	}
}

func TestManyAtOnce(t *testing.T) {
	b := newBench(t)
	d, secret := b.device(Arbiter, "A")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 20 {
				b.Check(secret)
				if err := b.Rename(d.ID, fmt.Sprintf("%d.%d", i, n)); err != nil {
					t.Error(err)
				}
				b.Devices()
				b.Changed()
			}
		})
	}
	all.Wait()
	want, _ := b.Device(d.ID)
	b.open()
	if got, _ := b.Device(d.ID); got.Name != want.Name {
		t.Errorf("the file holds %q, memory held %q", got.Name, want.Name)
	}
}

func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{3, maxDevices} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			x := newBench(b)
			_, secret := x.device(Arbiter, "A")
			for len(x.Store.devices) < n {
				x.Store.devices = append(x.Store.devices, &paired{secret: digestOf(x.newID())})
			}
			for b.Loop() {
				if _, ok := x.Check(secret); !ok {
					b.Fatal("unknown")
				}
			}
		})
	}
}

// A pairing ends after 30 days, whoever has kept the secret, and over starts. A clock that is set in the meantime ends
// none that was made in this run.
func TestAPairingEnds(t *testing.T) {
	b := newBench(t)
	d, secret := b.device(Arbiter, "A")
	b.time = b.time.Add(Life - time.Minute)
	b.open()
	if _, ok := b.Check(secret); !ok || len(b.Devices()) != 1 {
		t.Error("it has ended before its time")
	}
	b.time = b.time.Add(time.Minute)
	if _, ok := b.Check(secret); ok || len(b.Devices()) != 0 {
		t.Error("it has not ended")
	}
	b.open()
	if _, ok := b.Check(secret); ok {
		t.Error("a start has brought it back")
	}
	if _, _ = b.device(Arbiter, "B"); len(b.Devices()) != 1 || strings.Contains(b.body(), d.ID) {
		t.Errorf("on the disk is %s", b.body())
	}

	begun, set := time.Now(), time.Now().Add(time.Hour)
	p := &paired{since: begun}
	p.PairedAt = time.Unix(0, 0).UTC() // by a clock that was set since
	if p.over(set) {
		t.Error("the clock that was set has ended it")
	}
	if p.redate(set); set.Sub(p.PairedAt) > 2*time.Hour {
		t.Errorf("it is said to be paired at %v", p.PairedAt)
	}
}
