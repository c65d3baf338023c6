import { expect, test } from 'vitest';
import { readHar } from '#evidence/har/read-har.ts';
import { makeHar, type MadeEntry } from './make-har.ts';

const start: MadeEntry = {
	at: 0,
	url: 'https://auth.example/authorize?response_type=code&client_id=a&state=f0Qk3WbB7sYhT2nM'
};
const bearer = { authorization: 'Bearer 2YotnFZFEjr1zCsicMWpAA' };

/** Values that identify a user, by the names that providers give them. None contains a word of another one. */
const planted = {
	picture: 'https://lh3.example/a/ACg8ocKzeugen=s96-c',
	profile: 'https://users.example/mzeuge',
	website: 'https://zeuge-blog.example',
	avatar_url: 'https://avatars.example/u/8812347',
	html_url: 'https://code.example/zeugenhaus',
	'https://claims.example/homepage': 'http://home.example/~zeuge/',
	url: 'https://zeuge.users.example/',
	id: 'https://login.example/id/00Dx0000000BV7z/005x00000012Q9P',
	name: 'Mara Zeuge',
	given_name: 'Marazz',
	family_name: 'Zeugin',
	nickname: 'mzeuglein',
	title: 'Dr. Zeughaus',
	display: 'Zeugmeister',
	email: 'mara.zeuge@mail.example',
	preferred_username: 'mara-zeuge-77',
	phone_number: '+49 151 23456789',
	birthdate: '1987-06-05',
	address: { formatted: 'Zeugweg 5, 99084 Erfurt', country: 'Zeugland' },
	locale: 'zz-Zeug',
	sub: '248289761001-zeuge',
	last_ip: '203.0.113.77',
	company: { blog: 'https://firma.example/zeuge' },
	links: ['https://link.example/zeuge']
};
const texts = (value: unknown): string[] =>
	typeof value === 'string'
		? [value]
		: typeof value === 'object' && value !== null
			? Object.values(value).flatMap(texts)
			: [];
const hosts = texts(planted).flatMap((text) => /^https?:\/\/([^/]+)/.exec(text)?.[1] ?? []);
const words = [...texts(planted), ...hosts.filter((host) => host !== 'claims.example'), 'zeug', 'Zeug'];

/** Responses in which they come. */
const places: Readonly<Record<string, MadeEntry>> = {
	'user information': { at: 1, url: 'https://auth.example/userinfo', headers: bearer, body: planted },
	'a resource': { at: 1, url: 'https://api.example/me', headers: bearer, body: planted },
	'a token response': {
		at: 1,
		url: 'https://auth.example/token',
		form: { grant_type: 'authorization_code', code: 'SplxlOBeZQQYbYS6WxSbIA' },
		body: {
			access_token: '2YotnFZFEjr1zCsicMWpAA',
			token_type: 'Bearer',
			user: planted,
			picture: planted.picture,
			id: planted.id
		}
	},
	introspection: {
		at: 1,
		url: 'https://auth.example/introspect',
		form: { token: '2YotnFZFEjr1zCsicMWpAA' },
		body: { active: true, picture: planted.picture, email: planted.email, username: planted.preferred_username }
	},
	'a sign-in API': { at: 1, url: 'https://auth.example/api/session', form: { a: 'b' }, body: { user: planted } },
	'the query of a page': {
		at: 1,
		url: `https://auth.example/welcome?${new URLSearchParams({ picture: planted.picture, home: planted.website, phone: planted.phone_number }).toString()}`,
		html: '<p>Hello Mara Zeuge</p>'
	},
	'a redirect': {
		at: 1,
		url: 'https://auth.example/login',
		form: { username: planted.preferred_username },
		status: 302,
		location: `https://auth.example/next?${new URLSearchParams({ avatar: planted.avatar_url, email: planted.email }).toString()}`
	},
	'an error text': {
		at: 1,
		url: 'https://auth.example/token',
		form: { grant_type: 'refresh_token', refresh_token: 'tGzv3JOkF0XG5Qx2TlKWIA' },
		status: 400,
		body: {
			error: 'invalid_grant',
			error_description: `${planted.email} from ${planted.last_ip} (${planted.phone_number}) is blocked`
		}
	},
	'an error page': {
		at: 1,
		url: 'https://auth.example/error',
		status: 400,
		html: '<h1>User Mara Zeuge is not assigned to the application</h1><p>Redirect URI of Mara Zeuge is not valid</p>'
	}
};

test.each(Object.entries(places))('%s keeps nothing that identifies a user', (_, entry) => {
	const reading = readHar(makeHar([start, entry]));
	if (reading.kind !== 'read') throw new Error(reading.error);
	expect(reading.exchanges).toHaveLength(2);
	const text = JSON.stringify(reading);
	expect(words.filter((word) => text.includes(word) || text.includes(encodeURIComponent(word)))).toEqual([]);
});

test('keeps the addresses of the protocol', () => {
	const target = 'https://app.example/callback';
	const url = `${start.url}&redirect_uri=${encodeURIComponent(target)}&scope=${encodeURIComponent('https://api.example/auth/files.read')}`;
	const reading = readHar(makeHar([{ ...start, url }]));
	const kept = reading.kind === 'read' ? decodeURIComponent(reading.exchanges[0]?.entry.request.target ?? '') : '';
	expect(kept).toContain(`redirect_uri=${target}`);
	expect(kept).toContain('scope=https://api.example/auth/files.read');
});
