import { describe, expect, it } from 'vitest';
import { ForeignUrl } from '#exam/browser.ts';
import { actionsOf, createWebDriver } from '#exam/web-driver.ts';
import { baseUrl, browse, client } from './browse.ts';

const signInPage = '<input name="interaction" value="i1"><input name="password">';
const consentPage = '<input name="interaction" value="i1"><button name="decision">';

it('follows redirects, signs in at the service, and allows access', async () => {
	const auth = `${baseUrl}/ws/oauth2/auth/`;
	const { browser, sent } = browse({
		[`${client}/login`]: { location: `${auth}?client_id=c` },
		[`${auth}?client_id=c`]: { body: signInPage },
		[auth]: { body: consentPage }
	});
	await browser.open(`${client}/login`, { username: 'player-one' });
	expect(sent.map(({ method, form }) => [method, form]).slice(0, 4)).toEqual([
		['GET', ''],
		['GET', ''],
		['POST', 'interaction=i1&username=player-one&password=demo'],
		['POST', 'interaction=i1&decision=approve']
	]);
	// A page that never ends is left after 20 steps.
	expect(sent).toHaveLength(20);
});

it('posts the response of an attacker, and leaves the query of the redirect URI where it is', async () => {
	const callback = `${client}/callback?tenant=a+b`;
	const { browser, sent } = browse({ [callback]: { status: 400 } });
	await browser.open(`${callback}&code=x%2By&state=s`, { posts: true });
	expect(sent.map(({ url, method, form }) => [url, method, form])).toEqual([[callback, 'POST', 'code=x%2By&state=s']]);
});

describe('a client that posts its authorization request', () => {
	const auth = `${baseUrl}/ws/oauth2/auth/`;
	const page = `<body onload="document.forms[0].submit()"><form method='POST' action="${auth}">
		<input type=hidden name=client_id value="a&amp;b"><input value='s' name='state'></form>`;
	const replies = { [`${client}/login`]: { body: page }, [auth]: { body: signInPage } };

	it('gets it sent as by its script', async () => {
		const { browser, sent } = browse(replies);
		await browser.open(`${client}/login`);
		expect(sent.map(({ url, method, form }) => [url, method, form])).toEqual([
			[`${client}/login`, 'GET', ''],
			[auth, 'POST', 'client_id=a%26b&state=s']
		]);
	});

	it('begins a sign-in, whose URL is that of the same request by GET', async () => {
		const { options, sent } = browse(replies);
		const driver = createWebDriver({ signIn: (open) => open(`${client}/login`) }, options);
		expect(await driver.begin?.('a', { username: 'player-one' })).toBe(`${auth}?client_id=a%26b&state=s`);
		expect(sent).toHaveLength(1);
	});

	it('gets no other form sent', async () => {
		const other = `<form method="post" action="/pay"><input name="sum" value="1"></form>`;
		const { browser, sent } = browse({ [`${client}/login`]: { body: other } });
		await browser.open(`${client}/login`);
		expect(sent).toHaveLength(1);
	});
});

it('stays on the page of the service without a user', async () => {
	const { browser, sent } = browse({ [`${baseUrl}/ws/oauth2/auth/`]: { body: signInPage } });
	expect((await browser.open(`${baseUrl}/ws/oauth2/auth/`)).text).toBe(signInPage);
	expect(sent).toHaveLength(1);
});

it('opens no host that belongs neither to the service nor to the client', async () => {
	const { browser, sent } = browse({ [`${client}/login`]: { location: 'https://other.test/' } });
	await expect(browser.open(`${client}/login`)).rejects.toThrow(ForeignUrl);
	await expect(browser.open('http://localhost:3001/')).rejects.toThrow('http://localhost:3001');
	await expect(browser.open('https://service.test/~boxes/')).rejects.toThrow(ForeignUrl);
	expect(sent).toHaveLength(1);
});

it('names the path of the service that a client has dropped', async () => {
	const { browser } = browse({ [`${client}/login`]: { location: 'https://service.test/ws/oauth2/auth/?a=b' } });
	await expect(browser.open(`${client}/login`)).rejects.toThrow(
		'The client opened /ws/oauth2/auth/ of the service without the path /~box of TOLLGATE_BASE_URL.'
	);
});

it.each(['http://[', 'javascript:alert(1)', 'data:text/html,a', 'file:///etc/hosts'])(
	'rejects a redirect to %s',
	async (location) => {
		const { browser } = browse({ [`${client}/login`]: { location } });
		await expect(browser.open(`${client}/login`)).rejects.toThrow(ForeignUrl);
	}
);

it('has no page where a client does not respond', async () => {
	const { browser } = browse({ [`${client}/a`]: 'no response', [`${client}/b`]: 'never' });
	expect(await browser.open(`${client}/a`)).toMatchObject({ status: 0, text: '' });
	expect(await browser.open(`${client}/b`)).toMatchObject({ status: 0, text: '' });
});

it('reads a million characters of a page at most', async () => {
	let pieces = 0;
	const body = new ReadableStream({
		pull(controller) {
			pieces++;
			controller.enqueue(new TextEncoder().encode('a'.repeat(100_000)));
		}
	});
	const { browser } = browse({ [`${client}/`]: { body } });
	expect((await browser.open(`${client}/`)).text).toHaveLength(1_000_000);
	expect(pieces).toBeLessThan(20);
});

it('goes where a page sends it without a script', async () => {
	const { browser } = browse({
		[`${client}/a`]: { body: '<meta http-equiv="refresh" content="0; url=/b?c=1&amp;d=2">' },
		[`${client}/b?c=1&d=2`]: { body: 'here' }
	});
	expect(await browser.open(`${client}/a`)).toMatchObject({ url: `${client}/b?c=1&d=2`, text: 'here' });
});

it('sends cookies back as a browser does', async () => {
	const { browser, sent, clock } = browse({
		[`${client}/set`]: {
			cookies: [
				'a=1; HttpOnly; Path=/',
				'b=2; Path=/deep',
				'c=3; Secure; Path=/',
				'd=4; Domain=other.test; Path=/',
				'e=5; Max-Age=60; Path=/',
				'f=6; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/',
				'no value'
			]
		},
		[`${client}/clear`]: { cookies: ['a=; Max-Age=0; Path=/'] }
	});
	const cookieOf = async (url: string) => {
		await browser.open(url);
		return sent.at(-1)?.cookie;
	};
	await browser.open(`${client}/set`);
	expect(await cookieOf(`${client}/`)).toBe('a=1; c=3; e=5');
	expect(await cookieOf(`${client}/deep/er`)).toBe('b=2; a=1; c=3; e=5');
	expect(await cookieOf(`${client}/deeper`)).toBe('a=1; c=3; e=5');
	expect(await cookieOf(`${baseUrl}/`)).toBeNull();
	clock.now += 60_000;
	await browser.open(`${client}/clear`);
	expect(await cookieOf(`${client}/`)).toBe('c=3');
});

it('sends no cookie of another host, and no secure one without TLS', async () => {
	const app = 'http://app.test';
	const replies = { [`${app}/set`]: { cookies: ['a=1; Secure', 'b=2; Domain=app.test', 'c=3'] } };
	const { browser, sent } = browse(replies, [app, 'https://sub.app.test']);
	for (const url of [`${app}/set`, `${app}/`, 'https://sub.app.test/']) await browser.open(url);
	expect(sent.map(({ cookie }) => cookie)).toEqual([null, 'b=2; c=3', 'b=2']);
});

it('does not wait for the end of a body that it does not read', async () => {
	const body = new ReadableStream({ cancel: () => new Promise(() => {}) });
	const { browser } = browse({ [`${client}/a`]: { location: '/b', body }, [`${client}/b`]: { body: 'here' } });
	expect((await browser.open(`${client}/a`)).text).toBe('here');
});

it('begins a sign-in without a request to the service', async () => {
	const auth = `${baseUrl}/ws/oauth2/auth/?client_id=c&state=s`;
	const { options, sent } = browse({ [`${client}/login`]: { location: auth } });
	const driver = createWebDriver({ signIn: (open) => open(`${client}/login`), use: () => Promise.resolve() }, options);
	expect(await driver.begin?.('a', { username: 'player-one' })).toBe(auth);
	expect(sent).toHaveLength(1);
});

describe('the secret of a client', () => {
	const secret = 'q3vV8kS1';
	const auth = `${baseUrl}/ws/oauth2/auth/?client_secret=${secret}`;

	it.each([
		['A page', { body: `<script>const settings = { secret: "${secret}" };</script>` }],
		['A page', { status: 500, body: `{"secret":"${secret}"}` }],
		['The header location of a page', { location: `/welcome?secret=${secret}` }],
		['The header location of a page', { location: `http://[${secret}` }],
		// The log shows it.
		[undefined, { location: auth }],
		[undefined, { body: 'q3vV8kS' }]
	])('%s: %o', async (place, reply) => {
		const { options } = browse({ [`${client}/login`]: reply, [`${client}/welcome?secret=${secret}`]: { status: 404 } });
		const urls = { signIn: `${client}/login`, use: `${client}/me` };
		const driver = createWebDriver(actionsOf(urls), { ...options, secret });
		await driver.signIn('a', { username: 'player-one' }).catch(() => undefined);
		expect(driver.secretIn?.()).toBe(place);
	});
});
