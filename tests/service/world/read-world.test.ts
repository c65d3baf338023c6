import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import demo from '#service/world/demo-world.json' with { type: 'json' };
import { readWorld } from '#service/world/read-world.ts';
import { WorldError } from '#service/world/world-mistakes.ts';

const head = { format: 'tollgate-world', version: 1 };
const digest = (text: string) => `digest-of-${text.length}`;
const read = (content: object) => readWorld({ ...head, ...content }, { digest });
const ada = [{ username: 'ada' }];
const web = (more: object = {}) => [
	{
		client_id: 'portal',
		name: 'Portal',
		kind: 'web',
		redirect_uris: ['{base_url}/viewer/callback'],
		secret: 'text',
		...more
	}
];
const withFields = (fields: unknown) => ({ accounts: ada, characters: [{ name: 'A', player: 'ada', fields }] });

test('the picture in previews of links is a PNG: its own, or the logo', () => {
	const uri = (type: string, content: string) =>
		`data:image/${type};base64,${Buffer.from(content, 'latin1').toString('base64')}`;
	const [png, other] = [uri('png', '\x89PNG\r\n\x1a\n'), uri('png', '\x89PNG\r\n\x1a\n2')];
	const svg = uri('svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>');
	const branded = (brand: object) => read({ brand: { name: 'Acme', ...brand } });
	expect(branded({ logo: { light: png } }).picture).toBe(png);
	expect(branded({ logo: { light: svg } }).picture).toBeUndefined();
	expect(branded({ logo: { light: png }, picture: other })).toMatchObject({ picture: other });
	expect(branded({ picture: other }).brand).toEqual({ name: 'Acme' });
	expect(() => branded({ picture: svg })).toThrow('brand.picture: it is no PNG');
});

test('what is absent is that of the demo world', () => {
	expect(read({})).toEqual(readWorld(demo, { digest }));
	const { brand, accounts, characters, viewer, companion } = read({ brand: { name: 'Acme' }, accounts: ada });
	expect([brand, accounts]).toEqual([{ name: 'Acme' }, [{ username: 'ada', password: 'demo', isPublished: true }]]);
	expect(characters).toEqual([]);
	expect([viewer.client_id, companion?.client_id]).toEqual(['character-viewer', 'pocket-companion']);
	expect(read({ applications: web() })).toMatchObject({ viewer: { client_id: 'portal', name: 'Portal' } });
	expect(read({ applications: web() }).viewer.client_secret).toBeUndefined();
});

test('publishes no secret of its applications unless it says so, also if they have the names of the demo', () => {
	const installed = { client_id: 'pocket-companion', name: 'App', kind: 'installed', secret: 'own' };
	const applications = [...web(), ...web({ client_id: 'character-viewer', secret: 'own' }), installed];
	const { viewer, companion } = read({ applications });
	expect([viewer.client_id, viewer.client_secret]).toEqual(['character-viewer', undefined]);
	expect([companion?.client_id, companion?.client_secret]).toEqual(['pocket-companion', undefined]);
	const hidden = applications.map((one) => ({ ...one, secret: { env: 'SECRET' } }));
	expect(readWorld({ ...head, applications: hidden }, { digest, variable: () => 'own' }).viewer.name).toBe('Portal');
});

test('an installed application has its own redirect URIs where new sandboxes have the dialect of today’s standards', () => {
	const uris = { redirect_uris: ['com.example.app:/callback'], post_logout_redirect_uris: ['com.example.app:/bye'] };
	const installed = { client_id: 'own-app', name: 'App', kind: 'installed', secret: 'own' };
	const applications = [...web(), { ...installed, ...uris }, { ...installed, client_id: 'fixed-app' }];
	const fixed = { redirect_uris: ['urn:ietf:wg:oauth:2.0:oob', 'http://localhost'] };
	expect(read({ applications, settings: { dialect: 'standard' } }).applications).toMatchObject([{}, uris, fixed]);
	expect(mistakeOf(() => read({ applications }))).toContain('applications.1.redirect_uris.0');
});

/** The message of one mistake, without the name of the item that has it. */
function mistakeOf(read: () => unknown): string {
	try {
		read();
	} catch (fault) {
		if (fault instanceof WorldError) return fault.message.replace(/ \([^()]*\): /, ': ');
	}
	throw new Error('The world was read.');
}
const characters = (...players: string[]) => players.map((player, at) => ({ name: `C${at}`, player }));

test.each<[place: string, reason: RegExp, content: object]>([
	[
		'characters.3.player',
		/^there is no account "adda"\. Add it/,
		{ accounts: ada, characters: characters('ada', 'ada', 'ada', 'adda') }
	],
	[
		'characters.1.name',
		/^"A" occurs twice/,
		{ accounts: ada, characters: [1, 2].map(() => ({ name: 'A', player: 'ada' })) }
	],
	[
		'characters.0.name',
		/^"Test Slow" is the name of a test card/,
		{ accounts: ada, characters: [{ name: 'Test Slow', player: 'ada' }] }
	],
	['characters.0.fields.note', /^use a text, a number, true/, withFields({ note: null })],
	['characters.0.fields.note', /^remove invisible/, withFields({ note: 'a\u202eb' })],
	['characters.0.fields.a b', /^name a field/, withFields({ 'a b': 1 })],
	['characters.0.fields', /^the field "name" is beside/, withFields({ name: 'B' })],
	[
		'characters.0.fields',
		/^a character can have at most 32 fields/,
		withFields(Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`f${at}`, at])))
	],
	['characters.0', /^"A" has 17 KiB of JSON/, withFields({ note: 'x'.repeat(16_800) })],
	[
		'permissions.0.opens.0',
		/^no character has the field "locaton"/,
		{ ...withFields({ location: 1 }), permissions: [{ scope: 'a', title: 'A', consent: 'A', opens: ['locaton'] }] }
	],
	[
		'permissions.0.of',
		/^use "everybody" or "own"/,
		{ permissions: [{ scope: 'a', title: 'A', consent: 'A', of: 'all' }] }
	],
	[
		'resource.fields.locaton',
		/^no character has the field "locaton"/,
		{
			...withFields({ location: { region: 1 } }),
			resource: { singular: 'a', plural: 'b', fields: { region: 'R', locaton: 'L' } }
		}
	],
	['accounts.0.username', /^use 1 to 32/, { accounts: [{ username: 'Ada' }] }],
	['accounts.0.username', /^"test-declines" is the name of a test card/, { accounts: [{ username: 'test-declines' }] }],
	['accounts.0.pasword', /^there is no such field/, { accounts: [{ username: 'ada', pasword: 'x' }] }],
	[
		'accounts.0.password',
		/^environment variables cannot be read here/,
		{ accounts: [{ username: 'ada', password: { env: 'X' } }] }
	],
	[
		'applications.0.redirect_uris.1',
		/^a redirect URI cannot have a fragment/,
		{ applications: web({ redirect_uris: ['{base_url}/viewer/callback', 'https://a.example/#b'] }) }
	],
	[
		'viewer.client_id',
		/^add "\{base_url\}\/viewer\/callback"/,
		{ applications: web({ redirect_uris: ['https://a.example/'] }) }
	],
	['viewer.client_id', /^there is no application "other"/, { viewer: { client_id: 'other' } }],
	['viewer.client_id', /^the kind of "pocket-companion" is not "web"\./, { viewer: { client_id: 'pocket-companion' } }],
	['brand.logo', /^use an object\.$/, { brand: { name: 'A', logo: 'a.svg' } }],
	[
		'applications.0.post_logout_redirect_uris.0',
		/cannot have state/,
		{ applications: web({ post_logout_redirect_uris: ['https://a.example/?state=a'] }) }
	],
	['applications.0.redirect_uris', /^use a list\.$/, { applications: web({ redirect_uris: 'a' }) }],
	[
		'viewer.publish_secret',
		/^use true or false\.$/,
		{ viewer: { client_id: 'character-viewer', publish_secret: 'the-secret' } }
	],
	['viewer.shows.0', /^there is no character "Nemo"/, { viewer: { client_id: 'character-viewer', shows: ['Nemo'] } }],
	['brand.name', /^remove line breaks, invisible/, { brand: { name: 'A\u200bB' } }],
	[
		'brand.accent.light',
		/^its contrast on the light page is 2\.\d:1\. Use a darker color/,
		{ brand: { name: 'A', accent: { light: '#a79bff', dark: '#a79bff' } } }
	],
	[
		'brand.logo.light',
		/^the logo has 65 KiB/,
		{
			brand: {
				name: 'A',
				logo: {
					light: `data:image/svg+xml;base64,${Buffer.from(`<svg ${' '.repeat(65 * 1024 - 5)}`).toString('base64')}`
				}
			}
		}
	],
	[
		'brand.logo.light',
		/^the logo is no SVG and no PNG/,
		{ brand: { name: 'A', logo: { light: 'data:image/png;base64,AAAA' } } }
	],
	[
		'brand.links.home',
		/^use a link that starts with/,
		{ brand: { name: 'A', links: { home: 'javascript:alert(1)' } } }
	],
	['sandboxes.most', /^enter a whole number from 0 to 3,000/, { sandboxes: { most: 3001 } }],
	['settings.limits.character', /^enter a whole number/, { settings: { limits: { character: -1 } } }],
	['version', /^this server reads version 1/, { version: 2 }]
])('a mistake at %s: %s', (place, reason, content) => {
	const message = mistakeOf(() => read(content));
	expect(message.startsWith(`${place}: `), message).toBe(true);
	expect(message.slice(place.length + 2)).toMatch(reason);
});

test.each([
	['__proto__', '{"__proto__": {}}'],
	['toString', '{"toString": 1}'],
	['accounts.0.constructor', '{"accounts": [{"username": "ada", "constructor": "x"}]}'],
	[
		'characters.0.fields.a.prototype',
		'{"accounts": [{"username": "ada"}], "characters": [{"name": "A", "player": "ada", "fields": {"a": {"prototype": 1}}}]}'
	]
])('the reserved name %s is a mistake', (place, text) => {
	const read = () => readWorld(text.replace('{', '{"format": "tollgate-world", "version": 1, '), { digest });
	const name = place.split('.').at(-1) ?? '';
	expect(mistakeOf(read)).toBe(`${place}: the name "${name}" is reserved. Choose another name.`);
});

test('lists all mistakes, with the names of what has them', () => {
	const accounts = [{ username: 'ada', password: { env: 'ADA' } }, { username: 'ada' }];
	const players = [
		{ name: 'Meridian', player: 'ben' },
		{ name: 'Zoë\u202e', player: 'ada' }
	];
	expect(() => read({ accounts, characters: players.slice(0, 1) })).toThrow(
		[
			'It has 3 mistakes:',
			'  accounts.0.password (ada): environment variables cannot be read here. Write the secret as a text.',
			'  accounts.1.username (ada): "ada" occurs twice. Rename or remove one.',
			'  characters.0.player (Meridian): there is no account "ben". Add it to accounts, or name another one.'
		].join('\n')
	);
	expect(() => read({ characters: players, brand: {} })).toThrow(
		/^It has 3 mistakes:\n {2}brand\.name: this .*\n {2}characters\.1\.name \(Zoë\ufffd\): remove .*\n {2}characters\.0\.player \(Meridian\): there is no account "ben"\. .*$/
	);
	const many = Array.from({ length: 54 }, (_, at) => ({ name: `C${at}` }));
	expect(() => read({ characters: many })).toThrow(/^It has 54 mistakes:(?:\n.*){50}\n {2}and 4 more$/);
});

test('a name that occurs twice in an object is a mistake', () => {
	const text =
		'{"format": "tollgate-world", "version": 1,\n"accounts": [{"username": "ada",\n"user\\u006eame": "ben"}]}';
	expect(() => readWorld(text, { digest })).toThrow(
		'accounts.0.username (ben): the name occurs in line 2 and in line 3. Remove one.'
	);
});

test('names the line of text that is not JSON, and repeats none of it', () => {
	const text = '{\n"accounts": [\n{"username": "ada", "password": s3cret-text}]}';
	const reason = 'a value that is no text in double quotes, number, true, false or null';
	expect(() => readWorld(text, { digest })).toThrow(`It is not JSON: there is ${reason} in line 3, column 33.`);
	expect(() => readWorld('', { digest })).toThrow('It is not JSON: there is no value in line 1, column 1.');
});

test('characters that do not fit into all sandboxes are a mistake', () => {
	const many = Array.from({ length: 200 }, (_, at) => ({
		name: `C${at}`,
		player: 'ada',
		fields: { note: 'x'.repeat(9000) }
	}));
	expect(() => read({ accounts: ada, characters: many })).toThrow(
		/^characters: 300 sandboxes .* MiB of at most 128 MiB/
	);
	expect(read({ accounts: ada, characters: many, sandboxes: { most: 10 } }).characters).toHaveLength(200);
});

it('any content is a world or has mistakes with their places, and nothing else', () => {
	const sections = Object.keys(demo);
	const anyPart = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(...Object.values(demo)));
	const key = fc.constantFrom(...sections, '__proto__', 'constructor');
	fc.assert(
		fc.property(fc.array(fc.tuple(key, anyPart), { maxLength: 3 }), (changes) => {
			const content: unknown = JSON.parse(
				`{"format":"tollgate-world","version":1${changes.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join('')}}`
			);
			try {
				expect(readWorld(content, { digest }).permissions).toBeInstanceOf(Array);
			} catch (fault) {
				expect(fault).toBeInstanceOf(WorldError);
			}
		}),
		{ numRuns: 300 }
	);
});

it('deep nesting is a mistake, not a crash', () => {
	const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
	const text = `{"format":"tollgate-world","version":1,"accounts":[{"username":"ada"}],"characters":[{"name":"A","player":"ada","fields":{"a":${deep}}}]}`;
	expect(mistakeOf(() => readWorld(text, { digest }))).toBe('characters.0.fields: fields can be nested 5 levels deep.');
});

test('all mistakes of a text have their lines, and an absent part that of the part around it', () => {
	const text = `{
	"format": "tollgate-world",
	"version": 1,
	"brand": { "name": "" },
	"accounts": [
		{ "username": "ada" },
		{ "username": "bob", "email": "none" }
	],
	"guide": { "title": "Demo", "steps": [
		{ "title": "A", "path": "/viewer" }
	] }
}`;
	const messageOf = (source: string) => mistakeOf(() => readWorld(source, { digest }));
	const lines = [...messageOf(text).matchAll(/line (\d+), ([\w.]+)/g)].map(([, line, place]) => [Number(line), place]);
	expect(lines).toEqual([
		[4, 'brand.name'],
		[10, 'guide.steps.0.text'],
		[7, 'accounts.1.email']
	]);
	expect(messageOf(JSON.stringify(JSON.parse(text)))).not.toContain('line');
	const wrong = text.replace('""', '"B"').replace('none', 'b@b.example').replace('"A",', '"A", "text": "B",');
	expect(messageOf(wrong.replace('"ada"', '"bob"'))).toContain('line 7, accounts.1.username');
});
