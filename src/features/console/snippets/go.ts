import { doubleQuoted, type ProgramInput, type Snippet } from './snippet.ts';

export const go: Snippet = {
	label: 'Go',
	file: 'client.go',
	language: 'ts',
	run: 'go run client.go',
	trust: 'SSL_CERT_FILE',
	code: (input) => String.raw`package main

import (
	"bufio"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
)

const (
	base        = ${doubleQuoted(input.baseUrl)}
	clientID    = ${doubleQuoted(input.client_id)}
	redirectURI = ${doubleQuoted(input.redirect_uri)}
)

type tokens struct {
	AccessToken  string ${'`json:"access_token"`'}
	RefreshToken string ${'`json:"refresh_token"`'}
}

var endpoints struct {
	Issuer        string ${'`json:"issuer"`'}
	Authorization string ${'`json:"authorization_endpoint"`'}
	Token         string ${'`json:"token_endpoint"`'}
}

func random(size int) string {
	bytes := make([]byte, size)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func requestTokens(form url.Values) (result tokens) {
	form.Set("client_id", clientID)
${input.hasSecret ? '	form.Set("client_secret", os.Getenv("CLIENT_SECRET"))\n' : ''}	response, err := http.PostForm(endpoints.Token, form)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	if response.StatusCode != http.StatusOK || json.Unmarshal(body, &result) != nil {
		log.Fatal(string(body))
	}
	return result
}

func main() {
${endpointsOf(input)}
	// 1. Ask the user for access. state and PKCE bind the code to this run.
	state, verifier := random(16), random(32)
	digest := sha256.Sum256([]byte(verifier))
	challenge := base64.RawURLEncoding.EncodeToString(digest[:])
	fmt.Println("Open this URL in a browser:")
	fmt.Println(endpoints.Authorization + "?${input.query}&state=" + state + "&code_challenge=" + challenge)
	fmt.Print("${input.pastesCode ? 'Paste the code: ' : input.pastePrompt}")
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
${
	input.pastesCode
		? String.raw`	code := strings.TrimSpace(line)`
		: String.raw`	callback, err := url.Parse(strings.TrimSpace(line))
	if err != nil || callback.Query().Get("state") != state {
		log.Fatal("The state does not match.")
	}${checkIssuer(input)}
	code := callback.Query().Get("code")`
}

	// 2. Exchange the code for tokens.
	granted := requestTokens(url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "code_verifier": {verifier},
		"redirect_uri": {redirectURI},${input.offlineIn === 'token' ? ' "access_type": {"offline"},' : ''}
	})

	// 3. Request a resource. The headers report the rate limit.
	request, _ := http.NewRequest("GET", base+"${input.path}", nil)
	request.Header.Set("Authorization", "${input.dialect.tokenType} "+granted.AccessToken)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	for name, values := range response.Header {
		if strings.HasPrefix(name, "X-Ratelimit") {
			fmt.Println(name+":", values[0])
		}
	}
	body, _ := io.ReadAll(response.Body)
	fmt.Println(response.Status, string(body))

	// 4. ${input.refreshComment}
	if granted.RefreshToken == "" {
		fmt.Println("${input.noRefreshToken}")
		return
	}
	refreshed := requestTokens(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {granted.RefreshToken}})
	fmt.Println("Refreshed: " + refreshed.AccessToken[:6] + "…")
}
`
};

/** The lines that set the URLs of the endpoints. */
function endpointsOf(input: ProgramInput): string {
	if (!input.dialect.metadata)
		return `	endpoints.Authorization, endpoints.Token = base+"/ws/oauth2/auth/", base+"/ws/oauth2/token/"
`;
	return `	metadata, err := http.Get(${doubleQuoted(input.metadataUrl)})
	if err != nil {
		log.Fatal(err)
	}
	defer metadata.Body.Close()
	if json.NewDecoder(metadata.Body).Decode(&endpoints) != nil || endpoints.Issuer != base {
		log.Fatal("The metadata is that of another issuer.")
	}
`;
}

/** The lines that compare the issuer of the authorization response (RFC 9207). */
function checkIssuer({ dialect }: ProgramInput): string {
	if (!dialect.iss) return '';
	return `
	if callback.Query().Get("iss") != base {
		log.Fatal("The response is that of another issuer.")
	}`;
}
