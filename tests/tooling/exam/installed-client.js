// An installed client: `node installed-client.js`. It signs a user in and ends. The page of the service shows the code.
import { createHash, randomBytes } from 'node:crypto';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const {
	BROWSER = '',
	TOLLGATE_BASE_URL = '',
	TOLLGATE_CLIENT_ID = '',
	TOLLGATE_CLIENT_SECRET = '',
	TOLLGATE_REDIRECT_URI = ''
} = process.env;
const verifier = randomBytes(32).toString('base64url');
const query = new URLSearchParams({
	response_type: 'code',
	client_id: TOLLGATE_CLIENT_ID,
	redirect_uri: TOLLGATE_REDIRECT_URI,
	scope: 'character_read',
	code_challenge: createHash('sha256').update(verifier).digest('base64url'),
	code_challenge_method: 'S256'
});
spawn(BROWSER, [`${TOLLGATE_BASE_URL}/ws/oauth2/auth/?${query.toString()}`]);
createInterface({ input: process.stdin }).once('line', (code) => void exchange(code));

/** @param {string} code */
async function exchange(code) {
	const body = new URLSearchParams({
		grant_type: 'authorization_code',
		code,
		redirect_uri: TOLLGATE_REDIRECT_URI,
		client_id: TOLLGATE_CLIENT_ID,
		client_secret: TOLLGATE_CLIENT_SECRET,
		code_verifier: verifier
	});
	const { ok } = await fetch(`${TOLLGATE_BASE_URL}/ws/oauth2/token/`, { method: 'POST', body });
	process.exit(ok ? 0 : 1);
}
