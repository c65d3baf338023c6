// An application of GitHub that knows its real URLs only: `node app.js CODE`. It uses fetch, node:https and node:http.
import { get as getPlain } from 'node:http';
import https from 'node:https';

const [, , code = ''] = process.argv;
const form = new URLSearchParams({ client_id: 'my-app', client_secret: 'my-secret', code });
/** @returns {Promise<[number, { access_token?: string, error?: string }]>} */
const exchange = async () => {
	const response = await fetch('https://github.com/login/oauth/access_token', {
		method: 'POST',
		headers: { accept: 'application/json' },
		body: form
	});
	return [response.status, await response.json()];
};
/**
 * @param {typeof https.get} get
 * @param {string} url
 * @param {https.RequestOptions} options
 * @returns {Promise<[number | undefined, string]>}
 */
const read = (get, url, options) =>
	new Promise((resolve, reject) => {
		get(url, options, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (part) => (text += String(part)));
			response.on('end', () => resolve([response.statusCode, text]));
		}).on('error', reject);
	});

const token = await exchange();
const authorization = `Bearer ${token[1].access_token}`;
const options = { headers: { authorization, 'user-agent': 'app' } };
const user = await read(https.get, 'https://api.github.com/user', options);
const again = await exchange();
const [status, text] = await read(https.get, 'https://github.com/octocat', options);
const plain = await read(getPlain, 'http://github.com/octocat', options);
console.log(JSON.stringify({ token, user: [user[0], JSON.parse(user[1])], again, unknown: [status, text], plain }));
