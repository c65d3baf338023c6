import { doubleQuoted, type ProgramInput, type Snippet } from './snippet.ts';

const showUrl = String.raw`print(f"Open this URL in a browser:\n{url}", flush=True)`;

export const python: Snippet = {
	label: 'Python',
	file: 'client.py',
	language: 'python',
	install: 'pip install requests-oauthlib',
	run: 'python3 client.py',
	trust: 'REQUESTS_CA_BUNDLE',
	code: (input) => `import base64
import hashlib
${input.hasSecret ? 'import os\n' : ''}import secrets
${input.port === undefined ? '' : 'from http.server import BaseHTTPRequestHandler, HTTPServer\n'}from urllib.parse import parse_qs, urlsplit

${input.dialect.metadata ? 'import requests\n' : ''}from requests_oauthlib import OAuth2Session

BASE = ${doubleQuoted(input.baseUrl)}
CLIENT_ID = ${doubleQuoted(input.client_id)}
${input.hasSecret ? 'CLIENT_SECRET = os.environ["CLIENT_SECRET"]\n' : ''}${endpointsOf(input)}
session = OAuth2Session(CLIENT_ID, redirect_uri=${doubleQuoted(input.redirect_uri)}, scope=[${doubleQuoted(input.scope)}])

# 1. Ask the user for access. state and PKCE bind the code to this run.
verifier = secrets.token_urlsafe(32)
digest = hashlib.sha256(verifier.encode()).digest()
url, state = session.authorization_url(
    ${input.dialect.metadata ? 'METADATA["authorization_endpoint"]' : 'BASE + "/ws/oauth2/auth/"'},${input.offlineIn === 'authorization' ? '\n    access_type="offline",' : ''}
    code_challenge=base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
    code_challenge_method="S256",
)
${
	input.pastesCode
		? `${showUrl}
code = input("Paste the code: ").strip()`
		: `${receiveCallback(input)}
if callback.get("state") != [state]:
    raise SystemExit("The state does not match.")${checkIssuer(input)}
if "error" in callback:
    raise SystemExit(f"The request was rejected: {callback['error'][0]}")
code = callback["code"][0]`
}

# 2. Exchange the code for tokens.
token = session.fetch_token(
    TOKEN_URL,
    code=code,
    code_verifier=verifier,${input.offlineIn === 'token' ? '\n    access_type="offline",' : ''}${input.hasSecret ? '\n    client_secret=CLIENT_SECRET,' : ''}
    include_client_id=True,
)

${requestOf(input)}
for name, value in response.headers.items():
    if name.lower().startswith("x-ratelimit"):
        print(f"{name}: {value}")
print(response.status_code, response.json())

# 4. ${input.refreshComment}
if "refresh_token" in token:
    refreshed = session.refresh_token(TOKEN_URL, client_id=CLIENT_ID${input.hasSecret ? ', client_secret=CLIENT_SECRET' : ''})
    print(f"Refreshed: {refreshed['access_token'][:6]}…")
else:
    print("${input.noRefreshToken}")
`
};

/** The lines that set `TOKEN_URL`. */
function endpointsOf(input: ProgramInput): string {
	if (!input.dialect.metadata) return 'TOKEN_URL = BASE + "/ws/oauth2/token/"';
	return `METADATA = requests.get(${doubleQuoted(input.metadataUrl)}).json()
if METADATA["issuer"] != BASE:
    raise SystemExit("The metadata is that of another issuer.")
TOKEN_URL = METADATA["token_endpoint"]`;
}

/** The lines that compare the issuer of the authorization response (RFC 9207). */
function checkIssuer({ dialect }: ProgramInput): string {
	if (!dialect.iss) return '';
	return `
if callback.get("iss") != [BASE]:
    raise SystemExit("The response is that of another issuer.")`;
}

/** The lines that set `response`. */
function requestOf({ dialect, path }: ProgramInput): string {
	if (dialect.tokenType === 'Bearer')
		return `# 3. Request a resource. The headers report the rate limit.
response = session.get(BASE + "${path}")`;
	return `# 3. Request a resource. Its header is "Authorization: OAuth", so the library must not add "Bearer".
response = session.get(
    BASE + "${path}",
    headers={"Authorization": "OAuth " + token["access_token"]},
    withhold_token=True,
)`;
}

/** The lines that set `callback` to the query of the authorization response. */
function receiveCallback({ port, redirect_uri }: ProgramInput): string {
	if (port === undefined)
		return `${showUrl}
callback = parse_qs(urlsplit(input("Paste the URL that the browser was sent to: ").strip()).query)`;
	return `callback = {}


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        callback.update(parse_qs(urlsplit(self.path).query))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"You can close this tab.")


with HTTPServer((${doubleQuoted(new URL(redirect_uri).hostname)}, ${port}), Callback) as server:
    ${showUrl}
    while "state" not in callback:
        server.handle_request()
`;
}
