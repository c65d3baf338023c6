// An installed client: `node installed-client.js`. It signs a user in and ends. The page of the service shows the code.
// With `listen` it gets the code at a free port, and has neither a check of the state nor PKCE.
import { createHash, randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const {
	BROWSER = '',
	TOLLGATE_BASE_URL = '',
	TOLLGATE_CLIENT_ID = '',
	TOLLGATE_CLIENT_SECRET = '',
	TOLLGATE_REDIRECT_URI = ''
} = process.env;
const listens = process.argv[2] === 'listen';
const redirect_uri = listens ? await listen() : TOLLGATE_REDIRECT_URI;
const verifier = randomBytes(32).toString('base64url');
const query = new URLSearchParams({
	response_type: 'code',
	client_id: TOLLGATE_CLIENT_ID,
	redirect_uri,
	scope: 'character_read',
	...(listens
		? { state: randomBytes(16).toString('base64url') }
		: { code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' })
});
spawn(BROWSER, [`${TOLLGATE_BASE_URL}/ws/oauth2/auth/?${query.toString()}`]);
if (!listens) createInterface({ input: process.stdin }).once('line', (code) => void exchange(code));

/** Waits for the response at a free port. Returns its redirect URI. @returns {Promise<string>} */
function listen() {
	const server = createServer((request, response) => {
		const { searchParams } = new URL(request.url ?? '', 'http://localhost');
		response.setHeader('Connection', 'close').end('You can close this tab.');
		void exchange(searchParams.get('code') ?? '');
	});
	return new Promise((resolve) =>
		server.listen(0, 'localhost', () => {
			const address = server.address();
			resolve(`http://localhost:${address !== null && typeof address === 'object' ? address.port : 0}`);
		})
	);
}

/** @param {string} code */
async function exchange(code) {
	const body = new URLSearchParams({
		grant_type: 'authorization_code',
		code,
		redirect_uri,
		client_id: TOLLGATE_CLIENT_ID,
		client_secret: TOLLGATE_CLIENT_SECRET,
		...(!listens && { code_verifier: verifier })
	});
	const { ok } = await fetch(`${TOLLGATE_BASE_URL}/ws/oauth2/token/`, { method: 'POST', body });
	process.exit(ok ? 0 : 1);
}
