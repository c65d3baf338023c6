import { doubleQuoted, loopbackPort, type Snippet } from './snippet.ts';

export const python: Snippet = {
	label: 'Python',
	file: 'client.py',
	language: 'python',
	install: 'pip install requests-oauthlib',
	run: 'python3 client.py',
	trust: 'REQUESTS_CA_BUNDLE',
	code: ({ baseUrl, client_id, redirect_uri, kind, scope, path }) => `import base64
import hashlib
import os
import secrets
${loopbackPort(redirect_uri) === undefined ? '' : 'from http.server import BaseHTTPRequestHandler, HTTPServer\n'}from urllib.parse import parse_qs, urlsplit

from requests_oauthlib import OAuth2Session

BASE = ${doubleQuoted(baseUrl)}
CLIENT_ID = ${doubleQuoted(client_id)}
CLIENT_SECRET = os.environ["CLIENT_SECRET"]
TOKEN_URL = BASE + "/ws/oauth2/token/"
session = OAuth2Session(CLIENT_ID, redirect_uri=${doubleQuoted(redirect_uri)}, scope=[${doubleQuoted(scope)}])

# 1. Ask the user for access. state and PKCE bind the code to this run.
verifier = secrets.token_urlsafe(32)
digest = hashlib.sha256(verifier.encode()).digest()
url, state = session.authorization_url(
    BASE + "/ws/oauth2/auth/",${kind === 'web' ? '\n    access_type="offline",' : ''}
    code_challenge=base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
    code_challenge_method="S256",
)
print("Open this URL in a browser:")
print(url, flush=True)
${
	kind === 'installed'
		? `code = input("Paste the code: ").strip()`
		: `${receiveCallback(redirect_uri)}
if callback.get("state") != [state]:
    raise SystemExit("The state does not match.")
if "error" in callback:
    raise SystemExit(f"The request was rejected: {callback['error'][0]}")
code = callback["code"][0]`
}

# 2. Exchange the code for tokens.
token = session.fetch_token(
    TOKEN_URL,
    code=code,
    code_verifier=verifier,${kind === 'installed' ? '\n    access_type="offline",' : ''}
    client_secret=CLIENT_SECRET,
    include_client_id=True,
)

# 3. Request a resource. Its header is "Authorization: OAuth", so the library must not add "Bearer".
response = session.get(
    BASE + "${path}",
    headers={"Authorization": "OAuth " + token["access_token"]},
    withhold_token=True,
)
for name, value in response.headers.items():
    if name.lower().startswith("x-ratelimit"):
        print(f"{name}: {value}")
print(response.status_code, response.json())

# 4. Get a new access token. Only the first exchange for a user returns a refresh token.
if "refresh_token" in token:
    refreshed = session.refresh_token(TOKEN_URL, client_id=CLIENT_ID, client_secret=CLIENT_SECRET)
    print(f"Refreshed: {refreshed['access_token'][:6]}…")
else:
    print("No refresh token. Revoke access and run it again to get one.")
`
};

/** The lines that set `callback` to the query of the authorization response. */
function receiveCallback(redirect_uri: string): string {
	const port = loopbackPort(redirect_uri);
	if (port === undefined)
		return 'callback = parse_qs(urlsplit(input("Paste the URL that the browser was sent to: ").strip()).query)';
	return `callback = {}


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        callback.update(parse_qs(urlsplit(self.path).query))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"You can close this tab.")


with HTTPServer((${doubleQuoted(new URL(redirect_uri).hostname)}, ${port}), Callback) as server:
    while "state" not in callback:
        server.handle_request()
`;
}
