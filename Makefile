# The commands of every day. What they run is said in .ci/run.
.PHONY: build test lint check halls mixed campaign packages try-packages

build:
	CGO_ENABLED=0 go build ./cmd/boardwatchd

test:
	go test -timeout 30m ./...

lint:
	.ci/run lint

# Debian packages for amd64, arm64 and armhf, tarballs and checksums, in dist/. The same commit gives the same bytes.
packages:
	deploy/package/build dist

# The package of this computer's kind, made twice (it must be the same), then installed, upgraded, removed and purged in a Debian system
# of its own. Needs root, debootstrap and systemd-nspawn.
try-packages:
	rm -rf dist/try && deploy/package/build dist/try/new $(shell dpkg --print-architecture) && deploy/package/build dist/try/again $(shell dpkg --print-architecture)
	cmp dist/try/new/SHA256SUMS dist/try/again/SHA256SUMS
	VERSION=0.1.0~a deploy/package/build dist/try/old $(shell dpkg --print-architecture)
	deploy/package/try chroot dist/try/old/*.deb dist/try/new/*.deb
	deploy/package/try boot dist/try/old/*.deb dist/try/new/*.deb

# Six halls of 24 boards of generated people at the real program, at the speed of life: eight minutes, and rates.
halls:
	BOARDWATCHD_HALLS=24 go test -v -timeout 30m -run 'TestHalls$$' ./internal/e2e

# A hall and a computer of which one runs the oldest program that docs/hall.md promises, built from the history: a minute.
OLDEST = e4e4160d
mixed:
	rm -rf dist/oldest && git worktree prune && git worktree add --detach dist/oldest $(OLDEST)
	cd dist/oldest && CGO_ENABLED=0 go build ./cmd/boardwatchd
	BOARDWATCHD_OLD=$(CURDIR)/dist/oldest/boardwatchd go test -v -count 1 -timeout 30m -run 'TestAMixedHall$$' ./internal/e2e
	git worktree remove --force dist/oldest

# Things go wrong while generated people play and an arbiter enters reports: nine minutes, and the tests of the faults that it cannot make; it writes docs/campaign.md.
campaign:
	BOARDWATCHD_CAMPAIGN=4 BOARDWATCHD_CAMPAIGN_TABLE=$(CURDIR)/docs/campaign.md BOARDWATCHD_CAMPAIGN_COMMIT=$$(git rev-parse --short=8 HEAD) go test -v -timeout 40m -parallel 20 -run 'TestCampaign$$' ./internal/e2e

# What CI runs.
check:
	.ci/run
