import { shellQuoted, type ProgramInput, type Snippet } from './snippet.ts';

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
${input.hasSecret ? ': "${CLIENT_SECRET:?}"\n' : ''}
request() { curl -sS --fail-with-body "$@"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
${endpointsOf(input)}

# 1. Ask the user for access. state and PKCE bind the code to this run.
STATE=$(openssl rand 16 | base64url)
VERIFIER=$(openssl rand 32 | base64url)
CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | base64url)
echo 'Open this URL in a browser:'
echo "$AUTHORIZATION_ENDPOINT?${input.query}&state=$STATE&code_challenge=$CHALLENGE"
${
	input.pastesCode
		? String.raw`read -rp 'Paste the code: ' CODE`
		: String.raw`read -rp '${input.pastePrompt}' CALLBACK
parameter() { sed -n "s/.*[?&]$1=\([^&#]*\).*/\1/p" <<< "$CALLBACK"; }
[ "$(parameter state)" = "$STATE" ] || { echo 'The state does not match.' >&2; exit 1; }${checkIssuer(input)}
CODE=$(parameter code)`
}

# 2. Exchange the code for tokens.
TOKENS=$(request "$TOKEN_ENDPOINT" -d grant_type=authorization_code -d code="$CODE" -d code_verifier="$VERIFIER" \
  --data-urlencode redirect_uri="$REDIRECT_URI"${input.offlineIn === 'token' ? ' -d access_type=offline' : ''} \
  --data-urlencode client_id="$CLIENT_ID"${secretOf(input)}) || { echo "$TOKENS" >&2; exit 1; }
ACCESS_TOKEN=$(field access_token <<< "$TOKENS")
REFRESH_TOKEN=$(field refresh_token <<< "$TOKENS")

# 3. Request a resource. The headers report the rate limit.
request -i "$BASE${input.path}" -H "Authorization: ${input.dialect.tokenType} $ACCESS_TOKEN" | grep -iE '^(x-ratelimit|[{])'

# 4. ${input.refreshComment}
if [ -n "$REFRESH_TOKEN" ]; then
  TOKENS=$(request "$TOKEN_ENDPOINT" -d grant_type=refresh_token -d refresh_token="$REFRESH_TOKEN" \
    --data-urlencode client_id="$CLIENT_ID"${secretOf(input)})
  echo "Refreshed: $(field access_token <<< "$TOKENS" | head -c 6)…"
else
  echo '${input.noRefreshToken}'
fi
`
};

/** The lines that set the URLs of the endpoints. */
function endpointsOf(input: ProgramInput): string {
	if (!input.dialect.metadata)
		return 'AUTHORIZATION_ENDPOINT=$BASE/ws/oauth2/auth/\nTOKEN_ENDPOINT=$BASE/ws/oauth2/token/';
	return `METADATA=$(request ${shellQuoted(input.metadataUrl)})
[ "$(field issuer <<< "$METADATA")" = "$BASE" ] || { echo 'The metadata is that of another issuer.' >&2; exit 1; }
AUTHORIZATION_ENDPOINT=$(field authorization_endpoint <<< "$METADATA")
TOKEN_ENDPOINT=$(field token_endpoint <<< "$METADATA")`;
}

/** The line that compares the issuer of the authorization response (RFC 9207). */
function checkIssuer({ baseUrl, dialect }: ProgramInput): string {
	if (!dialect.iss) return '';
	return `
[ "$(parameter iss)" = ${shellQuoted(encodeURIComponent(baseUrl))} ] || { echo 'The response is that of another issuer.' >&2; exit 1; }`;
}

function secretOf(input: ProgramInput): string {
	return input.hasSecret ? ' --data-urlencode client_secret="$CLIENT_SECRET"' : '';
}
