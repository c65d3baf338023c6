import { authorizationQuery, pastePrompt, shellQuoted, type Snippet } from './snippet.ts';

export const curl: Snippet = {
	label: 'curl',
	file: 'client.sh',
	language: 'shell',
	run: 'bash client.sh',
	trust: 'CURL_CA_BUNDLE',
	code: (input) => String.raw`set -euo pipefail
BASE=${shellQuoted(input.baseUrl)}
CLIENT_ID=${shellQuoted(input.client_id)}
REDIRECT_URI=${shellQuoted(input.redirect_uri)}
: "${'${CLIENT_SECRET:?}'}"

request() { curl -sS --fail-with-body "$@"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# 1. Ask the user for access. state and PKCE bind the code to this run.
STATE=$(openssl rand 16 | base64url)
VERIFIER=$(openssl rand 32 | base64url)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | base64url)
echo 'Open this URL in a browser:'
echo "$BASE/ws/oauth2/auth/?${authorizationQuery(input)}&state=$STATE&code_challenge=$CHALLENGE"
${
	input.kind === 'installed'
		? String.raw`read -rp 'Paste the code: ' CODE`
		: String.raw`read -rp '${pastePrompt(input)}' CALLBACK
parameter() { sed -n "s/.*[?&]$1=\([^&#]*\).*/\1/p" <<< "$CALLBACK"; }
[ "$(parameter state)" = "$STATE" ] || { echo 'The state does not match.' >&2; exit 1; }
CODE=$(parameter code)`
}

# 2. Exchange the code for tokens.
TOKENS=$(request "$BASE/ws/oauth2/token/" -d grant_type=authorization_code -d code="$CODE" -d code_verifier="$VERIFIER" \
  --data-urlencode redirect_uri="$REDIRECT_URI"${input.kind === 'installed' ? ' -d access_type=offline' : ''} \
  --data-urlencode client_id="$CLIENT_ID" --data-urlencode client_secret="$CLIENT_SECRET") || { echo "$TOKENS" >&2; exit 1; }
ACCESS_TOKEN=$(field access_token <<< "$TOKENS")
REFRESH_TOKEN=$(field refresh_token <<< "$TOKENS")

# 3. Request a resource. The headers report the rate limit.
request -i "$BASE${input.path}" -H "Authorization: OAuth $ACCESS_TOKEN" | grep -iE '^(x-ratelimit|[{])'

# 4. Get a new access token. Only the first exchange for a user returns a refresh token.
if [ -n "$REFRESH_TOKEN" ]; then
  TOKENS=$(request "$BASE/ws/oauth2/token/" -d grant_type=refresh_token -d refresh_token="$REFRESH_TOKEN" \
    --data-urlencode client_id="$CLIENT_ID" --data-urlencode client_secret="$CLIENT_SECRET")
  echo "Refreshed: $(field access_token <<< "$TOKENS" | head -c 6)…"
else
  echo 'No refresh token. Revoke access and run it again to get one.'
fi
`
};
