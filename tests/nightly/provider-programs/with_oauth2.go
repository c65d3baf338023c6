// golang.org/x/oauth2, unmodified, at the real URLs of three providers. Each printed line is a row of the table in the documentation.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/github"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func expect(holds bool, what string) {
	if !holds {
		panic(what)
	}
}

// The user follows the link of the client, and allows what it asks. Returns the code.
func arrive(link, provider string) string {
	_, query, _ := strings.Cut(link, "?")
	body, _ := json.Marshal(map[string]string{"username": "player-one", "query": query, "provider": provider})
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	address := os.Getenv("TOLLGATE_BASE_URL") + "/control/authorizations"
	response, err := client.Post(address, "application/json", bytes.NewReader(body))
	must(err)
	var arrived struct{ Location string }
	must(json.NewDecoder(response.Body).Decode(&arrived))
	location, err := url.Parse(arrived.Location)
	must(err)
	return location.Query().Get("code")
}

func config(endpoint oauth2.Endpoint, scopes ...string) *oauth2.Config {
	return &oauth2.Config{ClientID: "my-app", ClientSecret: "my-secret", Endpoint: endpoint,
		RedirectURL: "http://localhost:3000/callback", Scopes: scopes}
}

func call(client *http.Client, address string) map[string]any {
	response, err := client.Get(address)
	must(err)
	var user map[string]any
	must(json.NewDecoder(response.Body).Decode(&user))
	return user
}

func main() {
	ctx := context.Background()

	app := config(github.Endpoint, "user:email")
	code := arrive(app.AuthCodeURL("s"), "github")
	token, err := app.Exchange(ctx, code)
	must(err)
	expect(token.RefreshToken == "" && token.Expiry.IsZero(), "GitHub: no refresh token and no expiry")
	expect(call(app.Client(ctx, token), "https://api.github.com/user")["login"] == "player-one", "GitHub: user")
	_, err = app.Exchange(ctx, code)
	expect(err != nil && strings.Contains(err.Error(), "missing access_token"), fmt.Sprint("GitHub: used code: ", err))
	fmt.Println("| `golang.org/x/oauth2` | GitHub | sign-in with a form, call, no refresh token, error with status 200 without its name |")

	app = config(oauth2.Endpoint{AuthURL: "https://accounts.google.com/o/oauth2/auth", TokenURL: "https://oauth2.googleapis.com/token"}, "openid", "email")
	token, err = app.Exchange(ctx, arrive(app.AuthCodeURL("s", oauth2.AccessTypeOffline, oauth2.ApprovalForce), "google"))
	must(err)
	old := *token
	old.Expiry = time.Now().Add(-time.Minute)
	fresh, err := app.TokenSource(ctx, &old).Token()
	must(err)
	expect(fresh.AccessToken != token.AccessToken && fresh.RefreshToken == token.RefreshToken, "Google: refresh")
	user := call(app.Client(ctx, fresh), "https://openidconnect.googleapis.com/v1/userinfo")
	expect(user["sub"] == "player-one", "Google: user")
	again, err := app.Exchange(ctx, arrive(app.AuthCodeURL("s", oauth2.AccessTypeOffline), "google"))
	must(err)
	expect(again.RefreshToken == "", "Google: second sign-in")
	fmt.Println("| `golang.org/x/oauth2` | Google | sign-in, refresh before a call, call, no refresh token at the second sign-in |")

	okta := "https://example.okta.com/oauth2/default/v1"
	app = config(oauth2.Endpoint{AuthURL: okta + "/authorize", TokenURL: okta + "/token"}, "openid", "profile", "offline_access")
	token, err = app.Exchange(ctx, arrive(app.AuthCodeURL("s"), "okta"))
	must(err)
	expect(call(app.Client(ctx, token), okta+"/userinfo")["preferred_username"] == "player-one", "Okta: user")
	old = *token
	old.Expiry = time.Now().Add(-time.Minute)
	fresh, err = app.TokenSource(ctx, &old).Token()
	must(err)
	expect(fresh.RefreshToken != token.RefreshToken, "Okta: another refresh token")
	fmt.Println("| `golang.org/x/oauth2` | Okta | sign-in, call, refresh with another refresh token |")
}
