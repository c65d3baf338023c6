// Signs a user in over plain HTTP requests, so that the benchmark has tokens.
import { hash } from 'node:crypto';
import { request } from 'node:https';

const client = { client_id: 'character-viewer', client_secret: 'viewer-secret' };
const code_verifier = 'v'.repeat(43);
// The dialect of today's standards requires it.
const pkce = { code_challenge: hash('sha256', code_verifier, 'base64url'), code_challenge_method: 'S256' };

/**
 * Walks the main path once.
 * @param {string} origin or the base URL of a sandbox
 * @param {string} [username]
 * @returns {Promise<{ cookie: string, accessToken: string, refreshToken: string }>}
 */
export async function signIn(origin, username = 'player-one') {
	const redirect_uri = redirectUri(origin);
	const { pending, cookie, location } = await postPassword(origin, await openSignIn(origin), username);
	const asked = await call(location, undefined, cookie);
	// The service does not ask again for what the user has allowed before.
	const decided =
		asked.location === ''
			? await call(`${origin}/ws/oauth2/auth/`, { interaction: pending, decision: 'approve' }, cookie)
			: asked;
	const code = new URL(decided.location).searchParams.get('code') ?? '';
	const exchange = { grant_type: 'authorization_code', code, code_verifier, redirect_uri, ...client };
	const { body } = await call(`${origin}/ws/oauth2/token/`, exchange);
	/** @type {{ access_token: string, refresh_token: string }} */
	const tokens = JSON.parse(body);
	return { cookie, accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
}

/**
 * Opens the sign-in page and sends the password of a demo account.
 * @param {string} origin or the base URL of a sandbox
 * @throws {Error} where it is rejected
 */
export async function sendPassword(origin) {
	return postPassword(origin, await openSignIn(origin));
}

/**
 * Opens the sign-in page.
 * @param {string} origin or the base URL of a sandbox
 */
export async function openSignIn(origin) {
	const parameters = { response_type: 'code', redirect_uri: redirectUri(origin), access_type: 'offline' };
	const query = new URLSearchParams({ client_id: client.client_id, scope: 'character_read', ...parameters, ...pkce });
	return call(`${origin}/ws/oauth2/auth/?${query}`);
}

/**
 * Sends the password of a demo account on the sign-in page.
 * @param {string} origin or the base URL of a sandbox
 * @param {{ body: string, cookie: string }} page
 * @param {string} [username]
 * @throws {Error} where it is rejected
 */
export async function postPassword(origin, page, username = 'player-one') {
	const pending = /name="interaction" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
	const form = { interaction: pending, username, password: 'demo' };
	const { cookie, location, status } = await call(`${origin}/ws/oauth2/auth/`, form, page.cookie);
	if (location === '') throw new Error(`The password was rejected: ${status}`);
	return { pending, cookie, location };
}

/** @param {string} origin */
function redirectUri(origin) {
	return `${origin}/viewer/callback`;
}

/**
 * Sets the limits of a sandbox.
 * @param {string} base_url of the sandbox; the origin for the root
 * @param {Record<string, number>} limits calls in a window
 * @param {Record<string, string>} [headers] its key, or the admin key, where there is one
 */
export async function setLimits(base_url, limits, headers = {}) {
	await control('PATCH', `${base_url}/control/settings`, { limits }, headers);
}

/**
 * Calls a control.
 * @param {string} method
 * @param {string} url
 * @param {object | undefined} json
 * @param {Record<string, string>} [headers]
 * @returns {Promise<string>} the body of the response
 * @throws {Error} where it is rejected
 */
export async function control(method, url, json, headers = {}) {
	const sent = { 'Content-Type': 'application/json', ...headers };
	const { status, body } = await send(method, url, json === undefined ? '' : JSON.stringify(json), sent);
	if (status >= 300) throw new Error(`${method} ${new URL(url).pathname}: ${status} ${body}`);
	return body;
}

/**
 * Sends a request as a browser.
 * @param {string} url
 * @param {Record<string, string>} [form] sent by POST
 * @param {string} [cookie]
 */
export function call(url, form, cookie) {
	const body = form === undefined ? '' : new URLSearchParams(form).toString();
	return send(form === undefined ? 'GET' : 'POST', url, body, {
		...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
		...(cookie === undefined ? {} : { Cookie: cookie })
	});
}

/**
 * @param {string} method
 * @param {string} url
 * @param {string} body
 * @param {Record<string, string>} headers
 * @returns {Promise<{ status: number, location: string, cookie: string, body: string }>}
 */
function send(method, url, body, headers) {
	return new Promise((resolve, reject) => {
		const options = {
			method,
			headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
			rejectUnauthorized: false
		};
		const sent = request(url, options, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => (text += chunk));
			response.on('end', () => {
				const cookie = response.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
				resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '', cookie, body: text });
			});
		});
		sent.on('error', reject);
		sent.end(body);
	});
}
