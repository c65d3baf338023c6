// Sends the requests of a client by each HTTP library of Node, to the provider at the URL that it gets.
import http from 'node:http';
import { Agent, fetch as undiciFetch, request } from 'undici';

const [, , provider] = process.argv;
/** @param {Record<string, string>} fields */
const form = (fields) => ({
	method: 'POST',
	headers: { 'content-type': 'application/x-www-form-urlencoded' },
	body: new URLSearchParams(fields).toString()
});
const code = 'canary-code-4fG7q3VGJ1xkR0mZ8';

await fetch(`${provider}/.well-known/openid-configuration`).then((response) => response.json());
/** @type {{ access_token: string, refresh_token: string }} */
const tokens = await fetch(`${provider}/token`, {
	...form({ grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/callback', client_id: 'shop' }),
	headers: {
		'content-type': 'application/x-www-form-urlencoded',
		authorization: `Basic ${Buffer.from('shop:canary-secret').toString('base64')}`
	}
}).then((response) => response.json());
const authorization = `Bearer ${tokens.access_token}`;
await new Promise((resolve) => {
	http.get(`${provider}/accounts`, { headers: { authorization } }, (response) => response.resume().on('end', resolve));
});
await new Promise((resolve) => {
	const sent = http.request(
		`${provider}/token`,
		{ method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
		(response) => response.resume().on('end', resolve)
	);
	sent.write('grant_type=refresh_token&');
	sent.end(`refresh_token=${tokens.refresh_token}`);
});
const { body } = await request(`${provider}/accounts/2`, { headers: { authorization }, dispatcher: new Agent() });
console.log((await body.text()).includes('canary') ? 'canary' : '');
await undiciFetch(`${provider}/accounts/3`, { headers: { authorization } }).then((response) => response.text());
await fetch(`${provider}/news`).then((response) => response.text());
