import type { Flow } from '../client-flows.ts';

/** A library of another language, and a program that uses it as its documentation says. */
type Library = {
	readonly program: string;
	/** Of the program, before the file. */
	readonly arguments?: readonly string[];
	/** Of Debian. */
	readonly packages: readonly string[];
	/** Arguments that fail where the library is missing. */
	readonly needs: readonly string[];
	readonly file: string;
	/** A program that prints the status of each call of the resource, and then of one with the token of each further flow. */
	readonly code: string;
	/** The further flows, in the order of the program. */
	readonly more?: readonly Flow[];
};

/** By their names. */
export const libraries: Readonly<Record<string, Library>> = {
	'requests-oauthlib': {
		// That of Debian, which has the library as a package.
		program: '/usr/bin/python3',
		packages: ['python3-requests-oauthlib'],
		needs: ['-c', 'import requests_oauthlib'],
		file: 'client.py',
		code: `import base64, hashlib, os, secrets
from urllib.parse import parse_qs, urlsplit
import requests
from requests_oauthlib import OAuth2Session
base, identity, secret = os.environ["BASE"], os.environ["ID"], os.environ["SECRET"]
server = requests.get(base + "/.well-known/oauth-authorization-server").json()
session = OAuth2Session(identity, redirect_uri=os.environ["CALLBACK"], scope=["character_read"])
verifier = secrets.token_urlsafe(32)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
url, state = session.authorization_url(server["authorization_endpoint"], code_challenge=challenge, code_challenge_method="S256")
sent = requests.post(base + "/control/authorizations", headers={"X-Tollgate-Key": os.environ["KEY"]},
    json={"username": "player-one", "query": urlsplit(url).query})
callback = parse_qs(urlsplit(sent.json()["location"]).query)
assert callback["state"] == [state] and callback["iss"] == [base]
session.fetch_token(server["token_endpoint"], code=callback["code"][0], code_verifier=verifier, client_secret=secret)
read = lambda: print(session.get(base + "/ws/v2.0/character/Mara%20Vell").status_code)
read()
for _ in range(2):
    session.refresh_token(server["token_endpoint"], auth=(identity, secret))
    read()
requests.post(server["revocation_endpoint"], data={"token": session.token["refresh_token"]}, auth=(identity, secret)).raise_for_status()
read()
`
	},
	'ruby-oauth2': {
		program: 'ruby',
		packages: ['ruby-oauth2'],
		needs: ['-e', 'require "oauth2"'],
		file: 'client.rb',
		code: `require 'digest'
require 'json'
require 'net/http'
require 'oauth2'
require 'securerandom'
base = ENV['BASE']
server = JSON.parse(Net::HTTP.get(URI(base + '/.well-known/oauth-authorization-server')))
client = OAuth2::Client.new(ENV['ID'], ENV['SECRET'], authorize_url: server['authorization_endpoint'],
  token_url: server['token_endpoint'], raise_errors: false)
verifier = SecureRandom.urlsafe_base64(32)
challenge = [Digest::SHA256.digest(verifier)].pack('m0').tr('+/', '-_').delete('=')
url = client.auth_code.authorize_url(redirect_uri: ENV['CALLBACK'], scope: 'character_read', state: 's1',
  code_challenge: challenge, code_challenge_method: 'S256')
headers = { 'Content-Type' => 'application/json', 'X-Tollgate-Key' => ENV['KEY'] }
body = { username: 'player-one', query: URI(url).query }.to_json
sent = Net::HTTP.post(URI(base + '/control/authorizations'), body, headers)
callback = URI.decode_www_form(URI(JSON.parse(sent.body)['location']).query).to_h
abort 'other state or issuer' unless callback.values_at('state', 'iss') == ['s1', base]
token = client.auth_code.get_token(callback['code'], redirect_uri: ENV['CALLBACK'], code_verifier: verifier)
read = -> { puts token.get(base + '/ws/v2.0/character/Mara%20Vell').status }
read.call
2.times do
  token = token.refresh!
  read.call
end
form = { token: token.refresh_token, client_id: ENV['ID'], client_secret: ENV['SECRET'] }
abort 'not revoked' unless client.request(:post, server['revocation_endpoint'], body: form).status == 200
read.call
`
	},
	Authlib: {
		program: '/usr/bin/python3',
		packages: ['python3-authlib', 'python3-requests'],
		needs: ['-c', 'import authlib, requests'],
		file: 'authlib_client.py',
		more: ['credentials', 'device', 'assertion', 'exchange'],
		code: `import os, secrets, sys, time
from urllib.parse import urlsplit
import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
base, identity, secret, callback = (os.environ[name] for name in ["BASE", "ID", "SECRET", "CALLBACK"])
server = requests.get(base + "/.well-known/oauth-authorization-server").json()
tokens = server["token_endpoint"]
character = base + "/ws/v2.0/character/Mara%20Vell"
session = OAuth2Session(identity, secret, scope="character_read", redirect_uri=callback, code_challenge_method="S256",
    token_endpoint=tokens)
verifier = secrets.token_urlsafe(48)
url, state = session.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier)
sent = requests.post(base + "/control/authorizations", headers={"X-Tollgate-Key": os.environ["KEY"]},
    json={"username": "player-one", "query": urlsplit(url).query})
session.fetch_token(tokens, authorization_response=sent.json()["location"], state=state, code_verifier=verifier)
read = lambda: print(session.get(character).status_code)
read()
for _ in range(2):
    session.refresh_token(tokens)
    read()
user = session.token["access_token"]
of_user = OAuth2Session(identity, secret)
exchanged = of_user.fetch_token(tokens, grant_type="urn:ietf:params:oauth:grant-type:token-exchange", subject_token=user,
    subject_token_type="urn:ietf:params:oauth:token-type:access_token")
exchange = of_user.get(character).status_code
session.revoke_token(server["revocation_endpoint"], token=session.token["refresh_token"], token_type_hint="refresh_token")
read()

itself = OAuth2Session(identity, secret, scope="character_read")
itself.fetch_token(tokens, grant_type="client_credentials")
print("credentials", itself.get(character).status_code)

device = OAuth2Session("pocket-companion", token_endpoint_auth_method="none")
codes = device.post(server["device_authorization_endpoint"], data={"client_id": "pocket-companion", "scope": "character_read"},
    withhold_token=True).json()
print("user_code", codes["user_code"], file=sys.stderr, flush=True)
while not device.token:
    time.sleep(codes["interval"])
    try:
        device.fetch_token(tokens, grant_type="urn:ietf:params:oauth:grant-type:device_code", device_code=codes["device_code"])
    except AuthlibBaseError as error:
        if error.error != "authorization_pending":
            raise
print("device", device.get(character).status_code)

keyed = OAuth2Session(os.environ["KEYED"], os.environ["PRIVATE_KEY"], token_endpoint_auth_method=PrivateKeyJWT(tokens, alg="ES256"),
    scope="character_read")
keyed.fetch_token(tokens, grant_type="client_credentials")
print("assertion", keyed.get(character).status_code)
print("exchange", exchange)
`
	},
	'Go x/oauth2': {
		program: 'env',
		packages: ['golang-go', 'golang-golang-x-oauth2-dev'],
		needs: ['sh', '-c', 'go version && test -d /usr/share/gocode/src/golang.org/x/oauth2'],
		arguments: ['GO111MODULE=off', 'GOPATH=/usr/share/gocode', 'GOFLAGS=', 'go', 'run'],
		file: 'client.go',
		more: ['credentials'],
		code: `package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func decode(response *http.Response, err error) map[string]interface{} {
	check(err)
	defer response.Body.Close()
	found := map[string]interface{}{}
	check(json.NewDecoder(response.Body).Decode(&found))
	return found
}

func main() {
	base := os.Getenv("BASE")
	server := decode(http.Get(base + "/.well-known/oauth-authorization-server"))
	text := func(name string) string { return server[name].(string) }
	config := &oauth2.Config{ClientID: os.Getenv("ID"), ClientSecret: os.Getenv("SECRET"), RedirectURL: os.Getenv("CALLBACK"),
		Scopes:   []string{"character_read"},
		Endpoint: oauth2.Endpoint{AuthURL: text("authorization_endpoint"), TokenURL: text("token_endpoint")}}
	random := make([]byte, 32)
	rand.Read(random)
	verifier := base64.RawURLEncoding.EncodeToString(random)
	digest := sha256.Sum256([]byte(verifier))
	asked, err := url.Parse(config.AuthCodeURL("state-1",
		oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(digest[:])),
		oauth2.SetAuthURLParam("code_challenge_method", "S256")))
	check(err)
	body, _ := json.Marshal(map[string]string{"username": "player-one", "query": asked.RawQuery})
	request, _ := http.NewRequest("POST", base+"/control/authorizations", bytes.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Tollgate-Key", os.Getenv("KEY"))
	sent := decode(http.DefaultClient.Do(request))
	callback, err := url.Parse(sent["location"].(string))
	check(err)
	if callback.Query().Get("state") != "state-1" || callback.Query().Get("iss") != base {
		panic("other state or issuer")
	}
	ctx := context.Background()
	token, err := config.Exchange(ctx, callback.Query().Get("code"), oauth2.SetAuthURLParam("code_verifier", verifier))
	check(err)
	read := func(client *http.Client) int {
		response, err := client.Get(base + "/ws/v2.0/character/Mara%20Vell")
		check(err)
		response.Body.Close()
		return response.StatusCode
	}
	fmt.Println(read(config.Client(ctx, token)))
	for count := 0; count < 2; count++ {
		// The library refreshes a token that has expired.
		token.Expiry = time.Now().Add(-time.Minute)
		token, err = config.TokenSource(ctx, token).Token()
		check(err)
		fmt.Println(read(config.Client(ctx, token)))
	}
	form := url.Values{"token": {token.RefreshToken}, "client_id": {config.ClientID}, "client_secret": {config.ClientSecret}}
	response, err := http.PostForm(text("revocation_endpoint"), form)
	check(err)
	response.Body.Close()
	fmt.Println(read(config.Client(ctx, token)))
	itself := clientcredentials.Config{ClientID: config.ClientID, ClientSecret: config.ClientSecret,
		TokenURL: text("token_endpoint"), Scopes: []string{"character_read"}}
	fmt.Println("credentials", read(itself.Client(ctx)))
}
`
	}
};
