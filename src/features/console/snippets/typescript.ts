import { doubleQuoted, loopbackPort, type Snippet } from './snippet.ts';

const openTerminal = 'const terminal = createInterface({ input: process.stdin, output: process.stdout });';
const pasteCode = `${openTerminal}
const code = await terminal.question('Paste the code: ');
terminal.close();
const callback = new URLSearchParams({ code: code.trim(), state });`;

export const typescript: Snippet = {
	label: 'TypeScript',
	file: 'client.mts',
	language: 'ts',
	install: 'npm install oauth4webapi tsx',
	run: 'npx tsx client.mts',
	trust: 'NODE_EXTRA_CA_CERTS',
	code: ({
		baseUrl,
		client_id,
		redirect_uri,
		kind,
		scope,
		path
	}) => `${loopbackPort(redirect_uri) === undefined ? "import { createInterface } from 'node:readline/promises';" : "import { createServer } from 'node:http';"}
import * as oauth from 'oauth4webapi';

const base = ${doubleQuoted(baseUrl)};
const redirectUri = ${doubleQuoted(redirect_uri)};
const client = { client_id: ${doubleQuoted(client_id)} };
const server = {
  issuer: base,
  authorization_endpoint: \`\${base}/ws/oauth2/auth/\`,
  token_endpoint: \`\${base}/ws/oauth2/token/\`
};
const secret = process.env.CLIENT_SECRET;
if (!secret) throw new Error('Set CLIENT_SECRET.');
const authentication = oauth.ClientSecretPost(secret);
// Access tokens of this service have the type OAuth, not Bearer.
const options = { recognizedTokenTypes: { oauth: () => {} } };

// 1. Ask the user for access. state and PKCE bind the code to this run.
const state = oauth.generateRandomState();
const verifier = oauth.generateRandomCodeVerifier();
const url = new URL(server.authorization_endpoint);
url.search = new URLSearchParams({
  response_type: 'code',
  client_id: client.client_id,
  redirect_uri: redirectUri,
  scope: '${scope}',${kind === 'web' ? "\n  access_type: 'offline'," : ''}
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256'
}).toString();
console.log('Open this URL in a browser:');
console.log(url.href);
${kind === 'installed' ? pasteCode : receiveCallback(redirect_uri)}
const parameters = oauth.validateAuthResponse(server, client, callback, state);

// 2. Exchange the code for tokens.
const exchanged = await oauth.authorizationCodeGrantRequest(
  server, client, authentication, parameters, redirectUri, verifier${kind === 'installed' ? ",\n  { additionalParameters: { access_type: 'offline' } }" : ''}
);
const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged, options);

// 3. Request a resource. The headers report the rate limit.
const response = await fetch(\`\${base}${path}\`, {
  headers: { Authorization: \`OAuth \${tokens.access_token}\` }
});
for (const [name, value] of response.headers) if (name.startsWith('x-ratelimit')) console.log(\`\${name}: \${value}\`);
console.log(response.status, await response.json());

// 4. Get a new access token. Only the first exchange for a user returns a refresh token.
if (tokens.refresh_token) {
  const sent = await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token);
  const refreshed = await oauth.processRefreshTokenResponse(server, client, sent, options);
  console.log(\`Refreshed: \${refreshed.access_token.slice(0, 6)}…\`);
} else {
  console.log('No refresh token. Revoke access and run it again to get one.');
}
`
};

/** The lines that set `callback` to the URL of the authorization response. */
function receiveCallback(redirect_uri: string): string {
	const port = loopbackPort(redirect_uri);
	if (port === undefined)
		return `${openTerminal}
const pasted = await terminal.question('Paste the URL that the browser was sent to: ');
terminal.close();
const callback = new URL(pasted.trim());`;
	return `const callback = await new Promise<URL>((resolve) => {
  const listener = createServer((request, response) => {
    response.setHeader('Connection', 'close').end('You can close this tab.');
    const url = new URL(request.url ?? '/', redirectUri);
    if (!url.searchParams.has('state')) return;
    listener.close();
    resolve(url);
  }).listen(${port}, '${new URL(redirect_uri).hostname}');
});`;
}
