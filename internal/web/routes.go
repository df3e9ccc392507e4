package web

import (
	"net/http"
	"slices"
	"strings"

	"boardwatchd/internal/access"
)

// who is the set of clients that may use a route.
type who uint8

const (
	anybody who = iota
	paired
	arbiter
	near // this computer, or a paired device
)

// body is the kind of body that a route needs.
type body uint8

const (
	bare body = iota
	withJSON
	withFile // JSON with a file in it
)

// A call is a request that was admitted.
type call struct {
	device access.Device // for routes of paired devices
	secret string
	body   *object // for routes with a body
}

type handler func(w http.ResponseWriter, r *http.Request, c *call) error

type route struct {
	method  string
	pattern string
	who     who
	body    body
	handler handler
}

// routes are all routes. HEAD is included in GET. Any other path is a file of the page, or 404.
func (s *Server) routes() []route {
	return []route{
		{"POST", "/api/v1/pair", anybody, withJSON, s.pair},
		{"GET", "/api/v1/session", paired, bare, s.session},
		{"PATCH", "/api/v1/session", paired, withJSON, s.changeSession},
		{"DELETE", "/api/v1/session", paired, bare, s.unpair},

		{"GET", "/api/v1/boards", paired, bare, s.boards},
		{"GET", "/api/v1/boards/{board}", paired, bare, s.board},
		{"GET", "/api/v1/boards/{board}/replay", paired, bare, s.replay},
		{"GET", "/api/v1/heads", paired, bare, s.heads},
		{"GET", "/api/v1/events", paired, bare, s.events},
		{"POST", "/api/v1/boards/{board}/decisions", arbiter, withJSON, s.decide},
		{"POST", "/api/v1/boards/{board}/waiting/{request}/takeback", arbiter, withJSON, s.takeBack},
		{"POST", "/api/v1/boards/{board}/reports", arbiter, withJSON, s.report},
		{"POST", "/api/v1/boards/{board}/claims", arbiter, withJSON, s.claim},
		{"POST", "/api/v1/boards/{board}/instructions", arbiter, withJSON, s.instruct},
		{"POST", "/api/v1/alerts/{id}/seen", arbiter, withJSON, s.alertSeen},
		{"POST", "/ack/{token}", anybody, bare, s.ack},

		{"GET", "/api/v1/devices", arbiter, bare, s.devices},
		{"PATCH", "/api/v1/devices/{id}", arbiter, withJSON, s.changeDevice},
		{"DELETE", "/api/v1/devices/{id}", arbiter, bare, s.revoke},
		{"POST", "/api/v1/pairings", arbiter, withJSON, s.newPairing},
		{"PUT", "/api/v1/push", paired, withJSON, s.subscribe},
		{"DELETE", "/api/v1/push", paired, bare, s.unsubscribe},

		{"GET", "/api/v1/round", paired, bare, s.round},
		{"PUT", "/api/v1/round", arbiter, withFile, s.setRound},
		{"POST", "/api/v1/round/read", arbiter, withFile, s.readRound},
		{"GET", "/api/v1/rounds", paired, bare, s.rounds},
		{"GET", "/api/v1/rounds/{round}/games", paired, bare, s.roundGames},
		{"GET", "/api/v1/rounds/{round}/{file}", paired, bare, s.roundFile},

		{"GET", "/api/v1/computers", paired, bare, s.computers},
		{"POST", "/api/v1/computers/invitations", arbiter, withJSON, s.inviteComputer},
		{"POST", "/api/v1/computers/newcomers/{code}", arbiter, withJSON, s.acceptComputer},
		{"DELETE", "/api/v1/computers/newcomers/{code}", arbiter, bare, s.refuseComputer},
		{"POST", "/api/v1/computers/boards/{board}", arbiter, withJSON, s.boardBelongs},

		{"POST", "/api/v1/membership", arbiter, withJSON, s.joinHall},
		{"DELETE", "/api/v1/membership", arbiter, bare, s.leaveHall},

		{"GET", "/api/v1/tables", paired, bare, s.tables},
		{"POST", "/api/v1/tables", arbiter, withFile, s.changeTables},
		{"POST", "/api/v1/tables/read", arbiter, withFile, s.readTables},
		{"GET", "/api/v1/tables/sheet.html", paired, bare, s.tableSheet},

		{"GET", PublicPath, anybody, bare, s.publicGames},
		{"GET", "/ca.crt", anybody, bare, s.certificate},
		{"GET", "/ca.mobileconfig", anybody, bare, s.mobileConfig},
		{"GET", "/healthz", anybody, bare, s.healthz},
		{"GET", "/metrics", near, bare, s.metrics},
	}
}

// A resource has the routes of one pattern.
type resource struct {
	pattern string
	routes  []route
}

// table puts the routes behind a mux that knows patterns only; the method is checked here.
func (s *Server) table() *http.ServeMux {
	var resources []*resource
	for _, r := range s.routes() {
		i := slices.IndexFunc(resources, func(o *resource) bool { return o.pattern == r.pattern })
		if i < 0 {
			i, resources = len(resources), append(resources, &resource{pattern: r.pattern})
		}
		resources[i].routes = append(resources[i].routes, r)
	}
	mux := http.NewServeMux()
	for _, o := range resources {
		mux.Handle(o.pattern, s.answering(o.route))
	}
	mux.Handle("/", s.answering(s.fileRoute))
	return mux
}

// route is the route for the request's method.
func (o *resource) route(r *http.Request) (route, error) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	var allow []string
	for _, t := range o.routes {
		if t.method == method {
			return t, nil
		}
		allow = append(allow, t.method)
	}
	return route{pattern: o.pattern}, wrongMethod(allow)
}

func wrongMethod(allow []string) error {
	if slices.Contains(allow, http.MethodGet) {
		allow = append(allow, http.MethodHead)
	}
	slices.Sort(allow)
	e := refuse(http.StatusMethodNotAllowed, "wrong_method", "This address does not know that method.",
		"It knows "+strings.Join(allow, ", ")+".")
	e.allow = strings.Join(allow, ", ")
	return e
}

// fileRoute is the route of a file of the page.
func (s *Server) fileRoute(r *http.Request) (route, error) {
	f := s.files()[r.URL.Path]
	switch {
	case f == nil:
		return route{pattern: "?"}, notFound()
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return route{pattern: r.URL.Path}, wrongMethod([]string{http.MethodGet})
	}
	return route{"GET", r.URL.Path, anybody, bare, f.serve}, nil
}
