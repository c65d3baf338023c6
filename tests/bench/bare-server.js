// What Node can do at all: a bare HTTPS server that parses the same form and writes the same JSON.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [, , cert = '', key = ''] = process.argv;

/** @type {Record<string, string>} */
const common = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };

const tokenBody = {
	access_token: 'a'.repeat(43),
	token_type: 'OAuth',
	expires_in: 3920,
	scope: 'character_read'
};

const characterBody = {
	name: 'Mara Vell',
	race: 'Human',
	class: 'Ranger',
	level: 41,
	guild: 'The Lantern Watch'
};

const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
	if (request.method === 'POST') {
		/** @type {Buffer[]} */
		const chunks = [];
		request.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk));
		request.on('end', () => {
			const form = new URLSearchParams(Buffer.concat(chunks).toString());
			const good = form.get('client_id') === 'character-viewer' && form.get('client_secret') === 'viewer-secret';
			write(response, good ? 200 : 401, good ? tokenBody : { error: 'invalid_client' });
		});
	} else if (request.url?.startsWith('/ws/oauth2/auth/')) {
		const query = new URLSearchParams(request.url.slice(request.url.indexOf('?')));
		const location = `${query.get('redirect_uri') ?? ''}?code=${'c'.repeat(43)}&state=${query.get('state') ?? ''}`;
		response.writeHead(303, { Location: location, 'Content-Length': 0 }).end();
	} else {
		write(response, 200, characterBody, {
			'X-RateLimit-Limit': '600',
			'X-RateLimit-Remaining': '599',
			'X-RateLimit-Reset': '1795255200',
			'X-RateLimit-ResetTime': 'Sat, 21 Nov 2026 10:00:00 +0000'
		});
	}
});

server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	if (address !== null && typeof address === 'object') console.log(`https://localhost:${address.port}`);
});

/**
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {object} json
 * @param {Record<string, string>} [headers]
 */
function write(response, status, json, headers = {}) {
	const body = JSON.stringify(json);
	response.writeHead(status, { ...common, ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
