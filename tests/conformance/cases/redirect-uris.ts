import { equal, lacks, matches, ok } from '../assert.ts';
import { testCase, hostCase, type Case } from '../case.ts';
import { queryOf } from '../user-agent.ts';
import type { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';

/** AZ-01 to AZ-04, AZ-08: errors that are shown on a page, never sent by redirect. */
export const redirectUriCases: Case[] = [
	testCase('AZ-01 shows a 400 page for an invalid client_id, without a redirect or a session', async (at) => {
		const { redirect_uri } = at.viewer;
		const wrong = ['', 'unknown', 'Character-Viewer', 'character-viewer ', '__proto__', 'constructor', 'toString'];
		for (const client_id of wrong) {
			const response = await at.get(`/ws/oauth2/auth/?${queryOf({ ...at.viewer, client_id })}`);
			isPageInPlace(response, `client_id ${JSON.stringify(client_id)}`);
			equal(await at.failedCheck(response), 'auth.client_known');
		}
		const missing = await at.get(`/ws/oauth2/auth/?${queryOf(at.viewer, { client_id: undefined })}`);
		isPageInPlace(missing, 'without client_id');
		const twice = await at.get(`/ws/oauth2/auth/?${queryOf(at.viewer)}&client_id=character-viewer`);
		isPageInPlace(twice, 'client_id twice');
		lacks(`${missing.text}${twice.text}`, redirect_uri);
	}),
	testCase('AZ-02 shows a 400 page for a missing, unregistered or repeated redirect_uri', async (at) => {
		const other = await at.register('web', ['https://other.example/cb']);
		const uris = [undefined, '', 'https://evil.example/', other.redirect_uri, 'javascript:alert(1)'];
		for (const redirect_uri of uris) {
			const response = await at.get(`/ws/oauth2/auth/?${queryOf(at.viewer, { redirect_uri })}`);
			isPageInPlace(response, `redirect_uri ${String(redirect_uri)}`);
			equal(await at.failedCheck(response), 'auth.redirect_uri_registered');
		}
		const same = `redirect_uri=${encodeURIComponent(at.viewer.redirect_uri)}`;
		const twice = await at.get(`/ws/oauth2/auth/?${queryOf(at.viewer)}&${same}`);
		isPageInPlace(twice, 'redirect_uri twice');
	}),
	hostCase('AZ-03 compares web URIs as strings and rejects near misses', async (at) => {
		const app = await at.register('web', ['https://client.example/cb']);
		const near = [
			'http://client.example/cb',
			'https://Client.example/cb',
			'https://client.example:443/cb',
			'https://client.example/cb/',
			'https://client.example/cb?x',
			'https://client.example/cb#f',
			'https://client.example/a/../cb',
			'https://client.example/%63b',
			'https://client.example/CB',
			'https://me@client.example/cb',
			'https://client.example\\cb',
			'https://client.example./cb',
			'https://client.example/cb\n',
			' https://client.example/cb',
			'https://client.example/cb.',
			'//client.example/cb',
			'HTTPS://client.example/cb',
			'https://client.example/cb\u0000',
			'https://client.example'
		];
		for (const redirect_uri of near) await isRejected(at, { ...app, redirect_uri });
		const exact = await at.get(`/ws/oauth2/auth/?${queryOf(app)}`);
		equal(exact.status, 200, 'the registered URI itself');
	}),
	testCase(
		'AZ-04 accepts localhost with any port and the out-of-band URI from an installed application, and nothing else',
		async (at) => {
			const { client_id, client_secret } = at.companion;
			const good = [
				'http://localhost',
				'http://localhost/',
				'http://localhost:1',
				'http://localhost:65535',
				'http://localhost:8080/',
				'urn:ietf:wg:oauth:2.0:oob'
			];
			for (const redirect_uri of good) {
				const response = await at.get(`/ws/oauth2/auth/?${queryOf({ client_id, client_secret, redirect_uri })}`);
				equal(response.status, 200, redirect_uri);
			}
			const bad = [
				'https://localhost',
				'http://LOCALHOST',
				'http://127.0.0.1',
				'http://127.0.0.1:8080',
				'http://[::1]:8080',
				'http://localhost.evil.example',
				'http://localhost:80@evil',
				'http://localhost:8080\\@evil',
				'http://localhost@evil',
				'http://localhost:0',
				'http://localhost:99999',
				'http://localhost:65536',
				'http://localhost:08080',
				'http://localhost:',
				'http://localhost/cb',
				'http://localhost:80/?x',
				'http://localhost?x',
				'http://localhost#f',
				'http://localhost//',
				'http://localhost:80\n',
				'URN:ietf:wg:oauth:2.0:oob',
				'urn:ietf:wg:oauth:2.0:OOB',
				'urn:ietf:wg:oauth:2.0:oob:auto',
				at.viewer.redirect_uri
			];
			for (const redirect_uri of bad) await isRejected(at, { client_id, client_secret, redirect_uri });
		}
	),
	testCase('AZ-04 accepts neither the out-of-band URI nor localhost from a web application', async (at) => {
		for (const redirect_uri of ['urn:ietf:wg:oauth:2.0:oob', 'http://localhost', 'http://localhost:8080']) {
			await isRejected(at, { ...at.viewer, redirect_uri });
		}
	}),
	hostCase('AZ-08 keeps the query of a registered redirect URI byte for byte', async (at) => {
		for (const uri of ['https://client.example/cb?a=%20b&flag&x=a%2fb', 'https://client.example/cb?']) {
			const app = await at.register('web', [uri]);
			const { location } = await at.user().allow(app, { state: 's' });
			const joint = uri.endsWith('?') ? '' : '&';
			ok(location.startsWith(`${uri}${joint}code=`), location);
			matches(location, /code=[\w-]{22,}&state=s$/);
			lacks(location, '#');
			equal((await at.exchange(codeIn(location), app)).status, 200);
		}
	}),
	testCase('AZ-04 SC-05 sends the code to localhost with the requested port and slash', async (at) => {
		for (const redirect_uri of ['http://localhost:49152', 'http://localhost:49152/', 'http://localhost']) {
			const app = { ...at.companion, redirect_uri };
			const { location } = await at.user().allow(app, { state: 'x' });
			ok(location.startsWith(`${redirect_uri}?code=`), location);
			equal((await at.exchange(codeIn(location), app)).status, 200);
		}
	})
];

/** Asserts that a response is an error page without a redirect. */
export function isPageInPlace(response: TestResponse, what: string, status = 400): void {
	equal(response.status, status, what);
	equal(response.header('location'), undefined, `Location, ${what}`);
	equal(response.header('set-cookie'), undefined, `Set-Cookie, ${what}`);
	matches(response.header('content-type'), /^text\/html; ?charset=utf-8$/i, `type, ${what}`);
}

async function isRejected(at: Sandbox, app: { client_id: string; client_secret: string; redirect_uri: string }) {
	const response = await at.get(`/ws/oauth2/auth/?${queryOf(app)}`);
	isPageInPlace(response, app.redirect_uri);
	equal(await at.failedCheck(response), 'auth.redirect_uri_registered');
}

function codeIn(location: string): string {
	return /[?&]code=([\w-]+)/.exec(location)?.[1] ?? '';
}
