import { doubleQuoted, type ProgramInput, type Snippet } from './snippet.ts';

const openTerminal = 'const terminal = createInterface({ input: process.stdin, output: process.stdout });';
const showUrl = 'console.log(`Open this URL in a browser:\\n${url.href}`)';
const pasteCode = `${showUrl};
${openTerminal}
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
	code: (
		input
	) => `${input.port === undefined ? "import { createInterface } from 'node:readline/promises';" : "import { createServer } from 'node:http';"}
import * as oauth from 'oauth4webapi';

const base = ${doubleQuoted(input.baseUrl)};
const redirectUri = ${doubleQuoted(input.redirect_uri)};
const client = { client_id: ${doubleQuoted(input.client_id)} };
${serverOf(input)}
${authenticationOf(input)}

// 1. Ask the user for access. state and PKCE bind the code to this run.
const state = oauth.generateRandomState();
const verifier = oauth.generateRandomCodeVerifier();
const url = new URL(server.authorization_endpoint${input.dialect.metadata ? " ?? ''" : ''});
url.search = new URLSearchParams({
  response_type: 'code',
  client_id: client.client_id,
  redirect_uri: redirectUri,
  scope: '${input.scope}',${input.offlineIn === 'authorization' ? "\n  access_type: 'offline'," : ''}
  state,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256'
}).toString();
${input.pastesCode ? pasteCode : receiveCallback(input)}
const parameters = oauth.validateAuthResponse(server, client, callback, state);

// 2. Exchange the code for tokens.
const exchanged = await oauth.authorizationCodeGrantRequest(
  server, client, authentication, parameters, redirectUri, verifier${input.offlineIn === 'token' ? ",\n  { additionalParameters: { access_type: 'offline' } }" : ''}
);
const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged${optionsOf(input)});

// 3. Request a resource. The headers report the rate limit.
const response = await fetch(\`\${base}${input.path}\`, {
  headers: { Authorization: \`${input.dialect.tokenType} \${tokens.access_token}\` }
});
for (const [name, value] of response.headers) if (name.startsWith('x-ratelimit')) console.log(\`\${name}: \${value}\`);
console.log(response.status, await response.json());

// 4. ${input.refreshComment}
if (tokens.refresh_token) {
  const sent = await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token);
  const refreshed = await oauth.processRefreshTokenResponse(server, client, sent${optionsOf(input)});
  console.log(\`Refreshed: \${refreshed.access_token.slice(0, 6)}…\`);
} else {
  console.log('${input.noRefreshToken}');
}
`
};

/** The lines that set `callback` to the URL of the authorization response. */
function receiveCallback({ port, redirect_uri }: ProgramInput): string {
	if (port === undefined)
		return `${showUrl};
${openTerminal}
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
  }).listen(${port}, '${new URL(redirect_uri).hostname}', () => ${showUrl});
});`;
}

/** The lines that set `server`. */
function serverOf({ dialect }: ProgramInput): string {
	if (dialect.metadata)
		return `const issuer = new URL(base);
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' }));`;
	return `const server = {
  issuer: base,
  authorization_endpoint: \`\${base}/ws/oauth2/auth/\`,
  token_endpoint: \`\${base}/ws/oauth2/token/\`
};`;
}

/** The lines that set `authentication`, and the options that a token type needs that the library does not know. */
function authenticationOf(input: ProgramInput): string {
	const { authentication, tokenType } = input.dialect;
	if (!input.hasSecret) return 'const authentication = oauth.None();';
	const method = authentication.includes('basic') ? 'ClientSecretBasic' : 'ClientSecretPost';
	const options = `
// Access tokens of this service have the type OAuth, not Bearer.
const options = { recognizedTokenTypes: { oauth: () => {} } };`;
	return `const secret = process.env.CLIENT_SECRET;
if (!secret) throw new Error('Set CLIENT_SECRET.');
const authentication = oauth.${method}(secret);${tokenType === 'OAuth' ? options : ''}`;
}

function optionsOf({ dialect }: ProgramInput): string {
	return dialect.tokenType === 'OAuth' ? ', options' : '';
}
