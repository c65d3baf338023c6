// A web client with Go's own packages: `go run web_client.go PORT [MISTAKE]`.
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type page struct {
	until  time.Time
	status int
	body   string
}

type session struct {
	lock                             sync.Mutex
	refreshing                       sync.Mutex
	state, verifier, access, refresh string
	cache                            map[string]page
}

var (
	base, id, secret, redirect = os.Getenv("TOLLGATE_BASE_URL"), os.Getenv("TOLLGATE_CLIENT_ID"), os.Getenv("TOLLGATE_CLIENT_SECRET"), os.Getenv("TOLLGATE_REDIRECT_URI")
	mistake                    string
	sessions                   sync.Map
	blockedUntil               atomic.Int64
	silences                   atomic.Int32
	checkedAt                  atomic.Int64
	service                    = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
)

func random() string {
	bytes := make([]byte, 32)
	rand.Read(bytes)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func main() {
	if len(os.Args) > 2 {
		mistake = os.Args[2]
	}
	http.HandleFunc("/", respond)
	if err := http.ListenAndServe("localhost:"+os.Args[1], nil); err != nil {
		panic(err)
	}
}

func respond(w http.ResponseWriter, r *http.Request) {
	sid := random()
	if cookie, err := r.Cookie("sid"); err == nil {
		sid = cookie.Value
	}
	found, _ := sessions.LoadOrStore(sid, &session{cache: map[string]page{}})
	s := found.(*session)
	http.SetCookie(w, &http.Cookie{Name: "sid", Value: sid, HttpOnly: true, Path: "/", SameSite: http.SameSiteLaxMode})
	switch r.URL.Path {
	case "/login":
		http.Redirect(w, r, authorizationURL(s), http.StatusSeeOther)
	case "/callback":
		status, text := callback(s, r.URL.Query())
		if status == http.StatusSeeOther {
			http.Redirect(w, r, "/", status)
			return
		}
		http.Error(w, text, status)
	case "/me":
		name := r.URL.Query().Get("name")
		if name == "" {
			name = "Mara Vell"
		}
		status, text := read(s, name)
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	case "/logout":
		signOut(s)
		http.Redirect(w, r, "/", http.StatusSeeOther)
	default:
		fmt.Fprint(w, "Hello")
	}
}

func authorizationURL(s *session) string {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.state, s.verifier = random(), random()
	query := url.Values{"response_type": {"code"}, "client_id": {id}, "redirect_uri": {redirect}, "scope": {"character_read"}, "access_type": {"offline"}, "state": {s.state}}
	if mistake != "state is not compared" {
		digest := sha256.Sum256([]byte(s.verifier))
		query.Set("code_challenge", base64.RawURLEncoding.EncodeToString(digest[:]))
		query.Set("code_challenge_method", "S256")
	}
	return base + "/ws/oauth2/auth/?" + query.Encode()
}

func callback(s *session, query url.Values) (int, string) {
	s.lock.Lock()
	state, verifier := s.state, s.verifier
	s.state = ""
	s.lock.Unlock()
	if mistake != "state is not compared" && (state == "" || query.Get("state") != state) {
		return 400, "Sign in again."
	}
	if query.Has("error") || !query.Has("code") {
		return 403, "You did not allow access."
	}
	form := url.Values{"grant_type": {"authorization_code"}, "code": {query.Get("code")}, "redirect_uri": {redirect}}
	if mistake != "state is not compared" {
		form.Set("code_verifier", verifier)
	}
	status, body, err := token(form)
	if err != nil || status != 200 || field(body, "access_token") == "" {
		return 502, "Sign in again."
	}
	save(s, body)
	return http.StatusSeeOther, ""
}

func save(s *session, body string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.access = field(body, "access_token")
	if next := field(body, "refresh_token"); next != "" {
		s.refresh = next
	}
}

func tokens(s *session) (string, string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.access, s.refresh
}

func read(s *session, name string) (int, string) {
	access, refresh := tokens(s)
	if access == "" {
		return 401, "Sign in first."
	}
	s.lock.Lock()
	cached, isThere := s.cache[name]
	s.lock.Unlock()
	if isThere && time.Now().Before(cached.until) {
		return cached.status, cached.body
	}
	if time.Now().UnixMilli() < blockedUntil.Load() && mistake != "ignores the limit" {
		return 503, "Try later."
	}
	if silences.Load() >= 2 && isBlacklisted() {
		return 503, "Try later."
	}
	status, body, err := call(name, access)
	if err == nil && status == 401 && refresh != "" {
		renew(s, access)
		next, _ := tokens(s)
		if next == "" {
			return 401, "Sign in first."
		}
		if next != access {
			status, body, err = call(name, next)
		}
	}
	if err != nil {
		return 502, "Try later."
	}
	if status == 200 {
		s.lock.Lock()
		s.cache[name] = page{time.Now().Add(time.Minute), status, body}
		s.lock.Unlock()
	}
	return status, body
}

// One refresh for all calls that wait.
func renew(s *session, used string) {
	if mistake != "refreshes without a lock" {
		s.refreshing.Lock()
		defer s.refreshing.Unlock()
	}
	access, refresh := tokens(s)
	if access != used && mistake != "refreshes without a lock" {
		return
	}
	status, body, err := token(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}})
	if err != nil {
		return
	}
	if status == 200 {
		save(s, body)
	} else if field(body, "error") == "invalid_grant" {
		s.lock.Lock()
		s.access, s.refresh = "", ""
		s.lock.Unlock()
	}
}

func signOut(s *session) {
	s.lock.Lock()
	refresh := s.refresh
	s.access, s.refresh = "", ""
	s.lock.Unlock()
	if refresh != "" {
		send("GET", "/ws/oauth2/revoke?"+url.Values{"token": {refresh}, "client_id": {id}}.Encode(), "", "")
	}
}

func call(name, access string) (int, string, error) {
	status, body, err := send("GET", "/ws/v2.0/character/"+strings.ReplaceAll(url.QueryEscape(name), "+", "%20"), "OAuth "+access, "")
	if err != nil {
		silences.Add(1)
	} else {
		silences.Store(0)
	}
	return status, body, err
}

func isBlacklisted() bool {
	now := time.Now().UnixMilli()
	if now-checkedAt.Load() < 5000 {
		return true
	}
	checkedAt.Store(now)
	_, body, err := send("GET", "/ratelimiting", "", "")
	if err != nil || field(body, "state") == "blacklisted" {
		return true
	}
	silences.Store(0)
	return false
}

func token(form url.Values) (int, string, error) {
	form.Set("client_id", id)
	form.Set("client_secret", secret)
	return send("POST", "/ws/oauth2/token/", "", form.Encode())
}

func send(method, path, authorization, form string) (int, string, error) {
	request, err := http.NewRequest(method, base+path, strings.NewReader(form))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Accept", "application/json")
	if form != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	response, err := service.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	reset, err := strconv.ParseInt(response.Header.Get("X-RateLimit-Reset"), 10, 64)
	date, dateErr := http.ParseTime(response.Header.Get("Date"))
	if response.Header.Get("X-RateLimit-Remaining") == "0" && err == nil && dateErr == nil {
		blockedUntil.Store(time.Now().UnixMilli() + 1000*(reset-date.Unix()+1))
	}
	return response.StatusCode, string(body), nil
}

func field(body, name string) string {
	var fields map[string]any
	json.Unmarshal([]byte(body), &fields)
	text, _ := fields[name].(string)
	return text
}
