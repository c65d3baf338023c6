import { describe, expect, it } from 'vitest';
import { createWebDriver } from '#exam/web-driver.ts';
import { baseUrl, browse, client, type Reply } from './browse.ts';

const auth = `${baseUrl}/ws/oauth2/auth/?client_id=c`;
const user = { username: 'player-one' };
const withToken = '<input type="hidden" name="csrf" value="t&amp;1">';
const signInForm = `<form method="post" action="/start">${withToken}<button>Sign in with Tollgate</button></form>`;
const signOutForm = `<form method="post" action="/logout">${withToken}<button name="go" value="1">Sign out</button></form>`;

/** What a driver sends for a sign-in or a sign-out, after the page that it opens. */
async function operate(verb: 'signIn' | 'signOut', replies: Readonly<Record<string, Reply>>) {
	const { options, sent } = browse({ [auth]: { body: 'service' }, ...replies });
	const page = verb === 'signIn' ? '/login' : '/logout';
	const driver = createWebDriver(
		{ signIn: (open) => open(client + page), signOut: (open) => open(client + page) },
		options
	);
	await (verb === 'signIn' ? driver.begin?.('a', user) : driver.signOut?.('a'));
	const requests = sent.slice(1).map(({ method, url, form }) => `${method} ${url.replace(client, '')} ${form}`.trim());
	return { requests, obstacle: driver.obstacle?.('a'), page: driver.page?.('a') };
}

const login = (body: string, more: Readonly<Record<string, Reply>> = {}) =>
	operate('signIn', { [`${client}/login`]: { body }, ...more });

describe('a sign-in page', () => {
	it.each([
		['a form with a token', signInForm],
		['a link beside it', `<a href="/">Home</a>${signInForm}`],
		['a form to sign out', `${signInForm}<form method="post" action="/logout"><button>Sign out</button></form>`],
		['a form for a password', `${signInForm}<form method="post" action="/password"><input name="user"></form>`],
		[
			'a form of another provider',
			`<form method="post" action="/other"><button>Sign in with Acme</button></form>${signInForm}`
		],
		['the same form twice', signInForm + signInForm]
	])('has %s', async (_, body) => {
		const { requests } = await login(body);
		expect(requests).toEqual(['POST /start csrf=t%261']);
	});

	it('leads to the service, and the cookies of the page go with it', async () => {
		const { options, sent } = browse({
			[`${client}/login`]: {
				body: '<form method="post" action="/start"><button>Continue</button></form>',
				cookies: ['csrf=1; SameSite=Strict']
			},
			[`${client}/start`]: { location: auth }
		});
		const driver = createWebDriver({ signIn: (open) => open(`${client}/login`) }, options);
		expect(await driver.begin?.('a', user)).toBe(auth);
		expect(sent[1]).toMatchObject({ method: 'POST', cookie: 'csrf=1' });
	});

	it.each([
		['a link', `<a href="${auth}">Go on</a>`, []],
		[
			'a form by GET',
			'<form action="/start?a=1"><input type="hidden" name="b" value="2"><button>Go</button></form>',
			['GET /start?b=2']
		]
	])('has %s', async (_, body, expected) => {
		expect((await login(body)).requests).toEqual(expected);
	});

	it.each([
		[
			'a form with a field',
			'<form method="post" action="/password"><input name="user"></form>',
			'The sign-in page has a form with fields to fill in, POST /password.'
		],
		[
			'two forms',
			'<form action="/a"><button>A</button></form><form action="/b"><button>B</button></form>',
			'The sign-in page has 2 forms, the first one GET /a.'
		],
		[
			'a form to sign out',
			'<form method="post" action="/logout"><button>Sign out</button></form>',
			'The sign-in page has a form, POST /logout.'
		],
		['no form', '<p>Hello</p>', undefined]
	])('is left alone with %s', async (_, body, obstacle) => {
		expect(await login(body)).toMatchObject({ requests: [], obstacle });
	});

	it('is left after four forms', async () => {
		const { requests } = await login(signInForm, { [`${client}/start`]: { body: signInForm } });
		expect(requests).toHaveLength(4);
	});
});

describe('a page after the sign-in', () => {
	it('is not operated', async () => {
		const { options, sent } = browse({
			[`${client}/login`]: { location: auth },
			[auth]: { location: `${client}/home` },
			[`${client}/home`]: { body: signOutForm + signInForm }
		});
		await createWebDriver({ signIn: (open) => open(`${client}/login`) }, options).signIn('a', user);
		expect(sent.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
	});
});

describe('a sign-out page', () => {
	const logout = (body: string) => operate('signOut', { [`${client}/logout`]: { body } });

	it.each([
		['its form', signOutForm],
		['its form, beside one to search', `<form action="/search"><input name="q"></form>${signOutForm}`],
		['its form, beside one to sign in', signOutForm + signInForm]
	])('gets %s submitted', async (_, body) => {
		expect((await logout(body)).requests).toEqual(['POST /logout csrf=t%261&go=1']);
	});

	it('that leads elsewhere is over', async () => {
		const { requests } = await operate('signOut', {
			[`${client}/logout`]: { location: '/' },
			[`${client}/`]: { body: '<form method="post" action="/start"><button>Go</button></form>' }
		});
		expect(requests).toEqual(['GET /']);
	});

	it('that takes no GET request gets the form of the start page', async () => {
		const { requests } = await operate('signOut', {
			[`${client}/logout`]: { status: 405 },
			[`${client}/`]: {
				body: `<form method="post" action="/other"><button>Other</button></form><form method="post" action="/logout"><input type="hidden" name="_method" value="delete"><button>Leave</button></form>`
			}
		});
		expect(requests).toEqual(['GET /', 'POST /logout _method=delete']);
	});

	it('without a form anywhere is an obstacle', async () => {
		const { obstacle } = await operate('signOut', {
			[`${client}/logout`]: { status: 405 },
			[`${client}/`]: { body: '' }
		});
		expect(obstacle).toBe('/logout responded with status 405, and the start page has no form for it.');
	});

	it('that is no HTML is not operated', async () => {
		const { requests } = await operate('signOut', { [`${client}/logout`]: { body: signOutForm, type: 'text/plain' } });
		expect(requests).toEqual([]);
	});
});

describe('cookies with SameSite', () => {
	/** The cookie that a client gets with its callback. */
	async function callbackCookie(cookie: string, posts: boolean, origin = client) {
		const callback = `${origin}/callback`;
		const form = `<form method="post" action="${callback}" data-submit><input name="code" value="1"></form>`;
		const { browser, sent } = browse(
			{
				[`${origin}/login`]: { location: auth, cookies: [cookie] },
				[auth]: { body: '<input name="interaction" value="i"><input name="password">' },
				[`${baseUrl}/ws/oauth2/auth/`]: posts ? { body: form } : { location: `${callback}?code=1` },
				[callback]: { status: 400 },
				[`${callback}?code=1`]: { status: 400 }
			},
			[origin]
		);
		await browser.open(`${origin}/login`, user);
		return [sent.at(-1)?.cookie, browser.obstacle];
	}

	it.each([
		['s=1; SameSite=Strict', false, null, 'SameSite=Strict'],
		['s=1; SameSite=Strict', true, null, 'SameSite=Strict'],
		['s=1; SameSite=Lax', false, 's=1', undefined],
		['s=1; samesite=lax', true, null, 'SameSite=None; Secure'],
		['s=1; SameSite=None; Secure', true, 's=1', undefined],
		['s=1; SameSite=None', false, null, undefined],
		['s=1', false, 's=1', undefined],
		// Chromium sends a cookie without SameSite with forms of other sites for two minutes, and other browsers always do.
		['s=1', true, 's=1', undefined],
		['__Host-s=1; Path=/; Secure; SameSite=Lax', false, '__Host-s=1', undefined],
		['__Host-s=1; Secure; SameSite=Lax', false, null, undefined]
	])('%s, response as a form: %s', async (cookie, posts, expected, words) => {
		const [sent, obstacle] = await callbackCookie(cookie, posts);
		expect(sent).toBe(expected);
		expect(obstacle).toEqual(words === undefined ? undefined : expect.stringContaining(words));
	});

	it('without SameSite is old after two minutes', async () => {
		const { browser, sent, clock } = browse({
			[`${client}/a`]: { cookies: ['s=1; Path=/'] },
			[`${client}/callback`]: {}
		});
		await browser.open(`${client}/a`);
		clock.now += 120_000;
		await browser.open(`${client}/callback?code=1`, { posts: true, isLink: true });
		await browser.open(`${client}/callback`);
		expect(sent.slice(1).map(({ cookie }) => cookie)).toEqual([null, 's=1']);
	});

	it('stays away from links of an attacker if it is strict', async () => {
		const { browser, sent } = browse({
			[`${client}/a`]: { cookies: ['s=1; Path=/; SameSite=Strict', 'l=1; Path=/; SameSite=Lax'] }
		});
		await browser.open(`${client}/a`);
		await browser.open(`${client}/callback?code=1`, { isLink: true });
		expect(sent.at(-1)?.cookie).toBe('l=1');
	});
});
