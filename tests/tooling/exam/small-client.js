// A web client in a process: `node small-client.js PORT MODES`. Its modes are mistakes, separated by commas.
import { createHash, randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

const {
	TOLLGATE_BASE_URL = '',
	TOLLGATE_CLIENT_ID = '',
	TOLLGATE_CLIENT_SECRET = '',
	TOLLGATE_REDIRECT_URI = ''
} = process.env;
const [port = '0', modes = ''] = process.argv.slice(2);
/** @param {string} mode */
const is = (mode) => modes.split(', ').includes(mode);
/** @type {Map<string, { state: string, verifier: string }>} */
const pending = new Map();
/** @type {Map<string, string>} */
const tokens = new Map();

if (is('ignores SIGTERM')) process.on('SIGTERM', () => undefined);
if (is('forks'))
	spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'inherit' }).unref();
if (is('prints')) setInterval(() => process.stdout.write('x'.repeat(1e6)), 20);
if (is('ends')) process.exit(5);
/** @type {import('node:http').RequestListener} */
const listener = (request, response) => void respond(request, response);
const { CLIENT_KEY, CLIENT_CERT } = process.env;
if (is('HTTPS')) createSecureServer({ key: CLIENT_KEY, cert: CLIENT_CERT }, listener).listen(Number(port));
else if (!is('never starts')) createServer(listener).listen(Number(port), 'localhost');

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function respond(request, response) {
	const { pathname, searchParams } = new URL(request.url ?? '/', TOLLGATE_REDIRECT_URI);
	const id = /id=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomBytes(16).toString('hex');
	response.setHeader('set-cookie', `id=${id}; HttpOnly`);
	if (pathname === '/login')
		return response.writeHead(303, { location: is('foreign') ? 'https://example.test/' : signIn(id) }).end();
	if (pathname === '/callback') response.statusCode = (await callback(id, searchParams)) ? 200 : 400;
	if (is('ends at a callback')) process.exit(6);
	if (is('responds slowly')) await new Promise((resolve) => setTimeout(resolve, 1500));
	if (pathname === '/me') response.statusCode = await call(id, searchParams.get('name') ?? '');
	return response.end();
}

/** @param {string} id */
function signIn(id) {
	const started = { state: randomBytes(24).toString('base64url'), verifier: randomBytes(32).toString('base64url') };
	pending.set(id, started);
	const query = new URLSearchParams({
		response_type: 'code',
		client_id: TOLLGATE_CLIENT_ID,
		redirect_uri: TOLLGATE_REDIRECT_URI,
		scope: 'character_read',
		state: started.state,
		code_challenge: createHash('sha256').update(started.verifier).digest('base64url'),
		code_challenge_method: 'S256',
		...(is('secret in the URL') ? { client_secret: TOLLGATE_CLIENT_SECRET } : {})
	});
	return `${TOLLGATE_BASE_URL}/ws/oauth2/auth/?${query.toString()}`;
}

/**
 * @param {string} id
 * @param {URLSearchParams} query
 */
async function callback(id, query) {
	const started = pending.get(id);
	pending.delete(id);
	const code = query.get('code');
	if (started === undefined || code === null || query.get('state') !== started.state) return false;
	const body = new URLSearchParams({
		grant_type: 'authorization_code',
		code,
		redirect_uri: TOLLGATE_REDIRECT_URI,
		client_id: TOLLGATE_CLIENT_ID,
		client_secret: TOLLGATE_CLIENT_SECRET,
		code_verifier: started.verifier
	});
	const response = await fetch(`${TOLLGATE_BASE_URL}/ws/oauth2/token/`, { method: 'POST', body });
	/** @type {{ access_token?: string, token_type?: string }} */
	const data = await response.json();
	const scheme = is('wrong scheme') ? 'Basic' : data.token_type;
	if (data.access_token !== undefined) tokens.set(id, `${scheme} ${data.access_token}`);
	return response.ok;
}

/**
 * @param {string} id
 * @param {string} name
 */
async function call(id, name) {
	const authorization = tokens.get(id);
	if (authorization === undefined) return 401;
	const headers = { authorization };
	return (await fetch(`${TOLLGATE_BASE_URL}/ws/v2.0/character/${encodeURIComponent(name)}`, { headers })).status;
}
