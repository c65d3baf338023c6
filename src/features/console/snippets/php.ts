import { singleQuoted, type ProgramInput, type Snippet } from './snippet.ts';

export const php: Snippet = {
	label: 'PHP',
	file: 'client.php',
	language: 'ts',
	run: 'php client.php',
	trust: 'SSL_CERT_FILE',
	code: (input) => String.raw`<?php
$base = ${singleQuoted(input.baseUrl)};
$redirectUri = ${singleQuoted(input.redirect_uri)};
$client = ['client_id' => ${singleQuoted(input.client_id)}${secretOf(input)}];

function base64url(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

/** Sends a request, and returns the decoded body and the headers. */
function send(string $url, ?array $form = null, string $header = ''): array
{
    $options = ['ignore_errors' => true, 'header' => $header];
    if ($form !== null) {
        $options = ['method' => 'POST', 'content' => http_build_query($form), 'ignore_errors' => true,
            'header' => 'Content-Type: application/x-www-form-urlencoded'];
    }
    $body = file_get_contents($url, false, stream_context_create(['http' => $options]));
    if ($body === false) {
        exit("The service did not respond.\n");
    }
    $data = json_decode($body, true);
    if (isset($data['error'])) {
        exit("$data[error]: $data[error_description]\n");
    }
    return [$data, $http_response_header];
}

${endpointsOf(input)}
// 1. Ask the user for access. state and PKCE bind the code to this run.
$state = base64url(random_bytes(16));
$verifier = base64url(random_bytes(32));
$challenge = base64url(hash('sha256', $verifier, true));
echo "Open this URL in a browser:\n";
echo "$authorizationEndpoint?${input.query}&state=$state&code_challenge=$challenge\n";
${
	input.pastesCode
		? String.raw`echo 'Paste the code: ';
$code = trim(fgets(STDIN));`
		: String.raw`echo '${input.pastePrompt}';
parse_str(parse_url(trim(fgets(STDIN)), PHP_URL_QUERY) ?? '', $callback);
if (($callback['state'] ?? '') !== $state || !isset($callback['code'])) {
    exit("The state does not match, or there is no code.\n");
}${checkIssuer(input)}
$code = $callback['code'];`
}

// 2. Exchange the code for tokens.
[$tokens] = send($tokenEndpoint, $client + ['grant_type' => 'authorization_code', 'code' => $code,
    'code_verifier' => $verifier, 'redirect_uri' => $redirectUri${input.offlineIn === 'token' ? ", 'access_type' => 'offline'" : ''}]);

// 3. Request a resource. The headers report the rate limit.
[$character, $headers] = send("$base${input.path}", null, "Authorization: ${input.dialect.tokenType} $tokens[access_token]");
echo implode("\n", preg_grep('/^x-ratelimit/i', $headers)), "\n", json_encode($character), "\n";

// 4. ${input.refreshComment}
if (isset($tokens['refresh_token'])) {
    [$refreshed] = send($tokenEndpoint, $client + ['grant_type' => 'refresh_token',
        'refresh_token' => $tokens['refresh_token']]);
    echo 'Refreshed: ', substr($refreshed['access_token'], 0, 6), "…\n";
} else {
    echo "${input.noRefreshToken}\n";
}
`
};

function secretOf(input: ProgramInput): string {
	if (!input.hasSecret) return '';
	return String.raw`, 'client_secret' => getenv('CLIENT_SECRET') ?: exit("Set CLIENT_SECRET.\n")`;
}

/** The lines that set the URLs of the endpoints. */
function endpointsOf(input: ProgramInput): string {
	if (!input.dialect.metadata)
		return `$authorizationEndpoint = "$base/ws/oauth2/auth/";
$tokenEndpoint = "$base/ws/oauth2/token/";
`;
	return String.raw`[$server] = send(${singleQuoted(input.metadataUrl)});
if ($server['issuer'] !== $base) {
    exit("The metadata is that of another issuer.\n");
}
['authorization_endpoint' => $authorizationEndpoint, 'token_endpoint' => $tokenEndpoint] = $server;
`;
}

/** The lines that compare the issuer of the authorization response (RFC 9207). */
function checkIssuer({ dialect }: ProgramInput): string {
	if (!dialect.iss) return '';
	return String.raw`
if (($callback['iss'] ?? '') !== $base) {
    exit("The response is that of another issuer.\n");
}`;
}
