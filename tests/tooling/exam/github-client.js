// A web client of GitHub that knows its real URLs only: `node github-client.js PORT MODES`.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

const { GITHUB_ID = '', GITHUB_SECRET = '' } = process.env;
const [port = '0', modes = ''] = process.argv.slice(2);
/** @type {Map<string, string>} */
const states = new Map();
/** @type {Map<string, string>} */
const tokens = new Map();
createServer((request, response) => void respond(request, response)).listen(Number(port), 'localhost');

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function respond(request, response) {
	const { pathname, searchParams } = new URL(request.url ?? '/', `http://localhost:${port}`);
	const id = /id=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomBytes(16).toString('hex');
	response.setHeader('set-cookie', `id=${id}; HttpOnly; SameSite=Lax`);
	if (pathname === '/login') return response.writeHead(302, { location: signIn(id) }).end();
	if (pathname === '/callback') response.statusCode = (await callback(id, searchParams)) ? 200 : 400;
	if (pathname === '/me') response.statusCode = await call(id);
	return response.end();
}

/** @param {string} id */
function signIn(id) {
	const state = randomBytes(24).toString('base64url');
	states.set(id, state);
	const secret = modes.includes('secret in the URL') ? { client_secret: GITHUB_SECRET } : {};
	const query = new URLSearchParams({ client_id: GITHUB_ID, scope: 'user', state, ...secret });
	return `https://github.com/login/oauth/authorize?${query}`;
}

/**
 * @param {string} id
 * @param {URLSearchParams} query
 */
async function callback(id, query) {
	const code = query.get('code');
	const isOwn = query.get('state') === states.get(id);
	states.delete(id);
	if (code === null || !isOwn) return false;
	const response = await fetch('https://github.com/login/oauth/access_token', {
		method: 'POST',
		headers: { accept: 'application/json' },
		body: new URLSearchParams({ client_id: GITHUB_ID, client_secret: GITHUB_SECRET, code })
	}).catch(() => undefined);
	/** @type {{ access_token?: string }} */
	const data = response?.ok === true ? await response.json() : {};
	if (data.access_token === undefined) return false;
	tokens.set(id, data.access_token);
	return true;
}

/** @param {string} id */
async function call(id) {
	const token = tokens.get(id);
	if (token === undefined) return 401;
	const headers = { authorization: `Bearer ${token}`, 'user-agent': 'client' };
	const response = await fetch('https://api.github.com/user', { headers });
	if (response.status === 401) tokens.delete(id);
	return response.status;
}
