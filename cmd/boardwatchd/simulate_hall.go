package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"boardwatchd/internal/config"
	"boardwatchd/internal/console"
	"boardwatchd/internal/daemon"
)

// This file simulates the hall of docs/hall.md: a process for each computer, with its boards, and the hall in this one.

// maxComputers limits --hall; each computer is a process of some 30 MB.
const maxComputers = 32

// computersEnd is how long computers may take to end.
const computersEnd = 15 * time.Second

func (s *simulation) runHall(ctx context.Context) error {
	if _, err := s.options(); err != nil {
		return err
	}
	conf, dir, err := prepare(s.env, s.file)
	if err != nil {
		return err
	}
	if s.file == "" {
		conf.Log.Level = config.Warn
	}
	if conf.Hall.Listen, err = freeAddress(); err != nil {
		return err
	}
	place := filepath.Join(dir, "simulation-hall-"+time.Now().Format("20060102-150405"))
	if err := os.MkdirAll(filepath.Join(place, "hall"), 0o700); err != nil {
		return err
	}
	s.messages, s.lines = console.NewScreen(s.err), console.NewScreen(s.out)
	defer s.messages.Close()
	defer s.lines.Close()
	o := daemonOptions(s.env, conf, filepath.Join(place, "hall"), s.lines, logger(s.env, conf.Log, s.messages))
	o.Hub, o.AnyPort = true, true
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o.Log = o.Log.Hook(zerolog.HookFunc(func(e *zerolog.Event, level zerolog.Level, _ string) {
		if ctx.Err() != nil && level < zerolog.ErrorLevel {
			e.Discard() // the computers are meant to go
		}
	}))
	open, end := context.WithCancel(context.WithoutCancel(ctx)) // the hall ends last: it gets the ends of the journals
	defer end()
	var hall error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		hall = daemon.RunHall(open, o)
		cancel()
	}()
	err = s.computers(ctx, place, conf.Hall.Listen)
	if ctx.Err() == nil && s.stay && err == nil {
		<-ctx.Done()
	}
	end()
	<-ended
	s.message("what the hall has of each computer's journals: %s", filepath.Join(place, "hall", "hall", "mirror"))
	return firstError(hall, err)
}

// computers starts a process for each computer, and waits until all have ended.
func (s *simulation) computers(ctx context.Context, place, address string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	first := *s.seed
	if first == 0 {
		first = uint64(time.Now().UnixNano())%1_000_000 + 1
	}
	s.message("simulating a hall of %d computers with %d boards each (seed %d, %d times as fast as life); end with Ctrl-C", s.hall, s.boards, first, *s.speed)
	var running sync.WaitGroup
	failures := make(chan error, s.hall)
	for n := range s.hall {
		name := "table-" + strconv.Itoa(n+1)
		file, err := s.setUpComputer(place, name, address)
		if err != nil {
			return err
		}
		args := []string{
			"simulate", "-c", file, "--quiet", "--boards", strconv.Itoa(s.boards), "--first", strconv.Itoa(n*s.boards + 1), "--speed", strconv.Itoa(*s.speed),
			"--seed", strconv.FormatUint(first, 10), "--offences", strconv.Itoa(*s.offences), "--games", strconv.Itoa(*s.games),
		}
		if *s.pgn != "" {
			args = append(args, "--pgn", *s.pgn)
		}
		if s.profile != "" {
			args = append(args, "--profile", s.profile)
		}
		if s.stay {
			args = append(args, "--stay")
		}
		running.Go(func() { failures <- computer(ctx, program, name, args, s.messages) })
	}
	running.Wait()
	close(failures)
	var all []error
	for err := range failures {
		all = append(all, err)
	}
	return errors.Join(all...)
}

// setUpComputer makes the directory, token and configuration of a computer.
func (s *simulation) setUpComputer(place, name, address string) (file string, err error) {
	dir := filepath.Join(place, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	token, err := daemon.Invite(filepath.Join(place, "hall"), name, []string{address})
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, "boardwatchd.yaml")
	text := fmt.Sprintf("state_dir: %q\nhttp: {listen: off}\nlog: {level: warn}\nhall: {join: %q}\n", dir, token)
	return file, os.WriteFile(file, []byte(text), 0o600)
}

func computer(ctx context.Context, program, name string, args []string, messages *console.Screen) error {
	// Ctrl-C in a terminal goes to a whole process group. A computer that received it and was then asked to end by this
	// process as well would take that for the second signal, which ends it at once.
	runtime.LockOSThread() // the child gets its signal when the thread that started it ends
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, program, args...)
	apart(cmd)
	cmd.Stderr = messages
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = computersEnd
	err := cmd.Run()
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("computer %s: %w", name, err)
	}
	return nil
}

// freeAddress is an unused address of this computer.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
