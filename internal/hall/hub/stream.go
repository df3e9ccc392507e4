package hub

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"boardwatchd/internal/hall/wire"
)

// This file is about the stream that carries the chunks. Its content can be lost without harm. After a full disk or
// damage to its files, JetStream was seen (in the campaign with faults) to take no messages although there is space
// again, until it is started anew; or to give none, because the hall's cursor lies beyond the end of a stream that was
// cut. So the hall sends a probe through the stream now and then, and makes the stream anew when the probe does not
// come out.

func (h *Hub) openStream(ctx context.Context) (jetstream.Consumer, error) {
	js, err := jetstream.New(h.nc)
	if err != nil {
		return nil, err
	}
	storage, most := jetstream.FileStorage, int64(maxStored/2)
	if h.inMemory {
		storage, most = jetstream.MemoryStorage, maxInMemory/2
	}
	stream, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: wire.Stream, Subjects: []string{wire.StreamSubjects}, Storage: storage, AllowDirect: true,
		MaxBytes: most, MaxAge: keptFor, MaxMsgSize: maxPayload, Discard: jetstream.DiscardOld, Replicas: h.cluster.replicas(),
	})
	if err != nil {
		return nil, err
	}
	conf := jetstream.ConsumerConfig{Durable: "hall", AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverAllPolicy}
	consumer, err := stream.CreateOrUpdateConsumer(ctx, conf)
	if err != nil || consumer.CachedInfo().Delivered.Stream <= stream.CachedInfo().State.LastSeq {
		return consumer, err
	}
	if err := stream.DeleteConsumer(ctx, conf.Durable); err != nil { // the stream was cut
		return nil, err
	}
	return stream.CreateOrUpdateConsumer(ctx, conf)
}

// consume takes the messages out of the stream.
func (h *Hub) consume(consumer jetstream.Consumer) (jetstream.ConsumeContext, error) {
	taking, err := consumer.Consume(h.chunk, jetstream.PullMaxBytes(pulled), jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) {
		h.opt.Log.Debug().Err(err).Msg("the hall's stream")
	}))
	if err != nil {
		return nil, fmt.Errorf("the hall's stream: %w", err)
	}
	return taking, nil
}

const (
	probeEvery = 3 * time.Second
	probeTime  = 5 * time.Second
	// failedProbes is how many probes in a row must fail, with nothing else coming out, before the stream is made anew.
	// The computer may only be slow, or a cluster may be choosing another leader.
	failedProbes          = 3
	failedProbesOfCluster = 8
)

// watchStream makes the stream anew when it takes or gives nothing.
func (h *Hub) watchStream(taking jetstream.ConsumeContext) {
	most := failedProbes
	if h.cluster != nil {
		most = failedProbesOfCluster
	}
	failed, given := 0, int64(0)
	for {
		select {
		case <-h.ctx.Done():
			return
		case <-time.After(probeEvery):
		}
		err := h.probe()
		if now := h.given.Load(); err == nil || now != given {
			failed, given = 0, now
			continue
		}
		if failed++; failed < most || h.ctx.Err() != nil {
			continue
		}
		h.opt.Log.Error().Err(err).Msg("the hall's stream takes or gives nothing: it is made anew, and the boards fill it again")
		taking.Stop()
		next, err := h.renewStream()
		if err != nil {
			h.opt.Log.Error().Err(err).Msg("the hall's stream is not there; it is tried again")
			continue
		}
		taking, failed = next, 0
	}
}

// errProbe means that a message went into the stream and did not come out.
var errProbe = errors.New("what is in it does not come out")

// probe sends a message through the stream.
func (h *Hub) probe() error {
	ctx, cancel := context.WithTimeout(h.ctx, probeTime)
	defer cancel()
	select {
	case <-h.probed: // of an earlier probe
	default:
	}
	js, err := jetstream.New(h.nc)
	if err != nil {
		return err
	}
	if _, err := js.Publish(ctx, wire.Probe, nil, jetstream.WithRetryAttempts(0)); err != nil {
		return err
	}
	select {
	case <-h.probed:
		return nil
	case <-ctx.Done():
		return errProbe
	}
}

func (h *Hub) renewStream() (jetstream.ConsumeContext, error) {
	ctx, cancel := context.WithTimeout(h.ctx, startPatience)
	defer cancel()
	js, err := jetstream.New(h.nc)
	if err != nil {
		return nil, err
	}
	if err := js.DeleteStream(ctx, wire.Stream); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, err
	}
	consumer, err := h.openStream(ctx)
	if err != nil {
		return nil, err
	}
	return h.consume(consumer)
}
