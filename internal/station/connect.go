package station

import (
	"context"
	"errors"

	"boardwatchd/internal/link"
	"boardwatchd/internal/record"
	"boardwatchd/internal/watch"
)

// Connect makes the link that feeds the station and takes its commands. Call it before Run, which also runs the link.
func (s *Station) Connect(spec link.Spec) {
	spec.Clock = s.Now
	s.link = link.New(spec, s.event)
	s.port = s.link
}

// event turns an event of the link into an input. The bytes are copied: the link reuses its buffer.
func (s *Station) event(e link.Event) {
	in := Input{At: e.At}
	switch e.Kind {
	case link.Bytes:
		in.Kind, in.Body, in.since = record.Rx, append([]byte(nil), e.Data...), e.Since
	case link.Up:
		s.opt.Log.Info().Str("device", e.Device.Path).Str("driver", e.Device.Driver).Msg("board connected")
		s.linkTrouble(nil)
		in.Kind, in.Body = record.Up, watch.Annotation{Device: deviceText(e.Device)}.Body()
	case link.Down:
		if errors.Is(e.Err, context.Canceled) {
			return // the station itself closes it: the journal's close record says so
		}
		s.opt.Log.Warn().Err(e.Err).Msg("board lost; looking for it")
		in.Kind, in.Body = record.Down, watch.Annotation{Cause: e.Err.Error()}.Body()
	case link.Trouble:
		s.opt.Log.Warn().Err(e.Err).Msg("no board yet; looking on")
		s.linkTrouble(e.Err)
		return
	default:
		return
	}
	select {
	case s.wire <- in:
	case <-s.ended: // never before the link has ended
	}
}

func (s *Station) linkTrouble(err error) {
	if s.opt.Trouble != nil {
		s.opt.Trouble(err)
	}
}

// Port returns the device of the board; "" while there is no link. It may be called from any goroutine.
func (s *Station) Port() string {
	if s.link == nil {
		return ""
	}
	return s.link.Path()
}

// deviceText returns the text about the port for the journal.
func deviceText(d link.Device) string {
	text := d.Path
	if d.ByPath != "" {
		text += " (" + d.ByPath + ")"
	}
	if d.VID != "" {
		text += " usb " + d.VID + ":" + d.PID
	}
	return text
}
