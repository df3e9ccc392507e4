# The commands of every day. What they run is said in .ci/run.
.PHONY: build test lint check halls campaign

build:
	CGO_ENABLED=0 go build ./cmd/boardwatchd

test:
	go test ./...

lint:
	.ci/run lint

# Six halls of 24 boards of generated people at the real program, at the speed of life: eight minutes, and rates.
halls:
	BOARDWATCHD_HALLS=24 go test -v -timeout 30m -run 'TestHalls$$' ./internal/e2e

# Things go wrong while generated people play and an arbiter tells things: eight minutes; it writes docs/campaign.md.
campaign:
	BOARDWATCHD_CAMPAIGN=4 BOARDWATCHD_CAMPAIGN_TABLE=$(CURDIR)/docs/campaign.md go test -v -timeout 40m -parallel 20 -run 'TestCampaign$$' ./internal/e2e

# What CI runs.
check:
	.ci/run
