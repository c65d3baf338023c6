import { beforeEach, expect, test } from 'vitest';
import { quotasOf } from '#service/core/quotas.ts';
import { readWorld } from '#service/world/read-world.ts';
import type { App, Sandbox } from '../../conformance/sandbox.ts';
import example from '../../../static/partner-world.json' with { type: 'json' };
import { createTestService, type TestService } from '../test-service.ts';

const hidden = { AUDITOR_PASSWORD: 'auditor-password', BILLING_SECRET: 'billing-secret' };
const variables = new Map(Object.entries(hidden));
/** The example, with a password and a secret that are not in the file. */
const partner = {
	...example,
	accounts: example.accounts.map((one) =>
		one.username === 'auditor' ? { ...one, password: { env: 'AUDITOR_PASSWORD' } } : one
	),
	applications: example.applications.map((one) =>
		one.client_id === 'billing' ? { ...one, secret: { env: 'BILLING_SECRET' } } : one
	)
};
const sources = {
	digest: (text: string) => `digest-of-${text.length}`,
	variable: (name: string) => variables.get(name)
};

let service: TestService;
let at: Sandbox;
let portal: App;

function serviceOf(change: object = {}, options: Parameters<typeof createTestService>[0] = {}): TestService {
	const { digest } = createTestService().options;
	return createTestService({ ...options, world: readWorld({ ...partner, ...change }, { ...sources, digest }) });
}

beforeEach(async () => {
	service = serviceOf();
	at = await service.sandbox();
	portal = {
		client_id: 'fleet-portal',
		client_secret: 'portal-secret',
		redirect_uri: `${at.base_url}/viewer/callback`
	};
});

const tokenFor = async (scope: string, username = 'ada') =>
	(await at.user(username).tokens(portal, { scope })).access_token;

test('a permission opens its fields, those of the user only for own characters', async () => {
	const read = async (scope: string, name: string) =>
		JSON.parse((await at.character(await tokenFor(scope), name)).text);
	const open = { name: 'Zoë', type: 'Tug', flag: 'Malta', crew: 4 };
	expect(await read('ship_read', 'Zoë')).toEqual({ ...open, insured: true });
	const position = { latitude: 35.9, longitude: 14.5 };
	expect(await read('ship_read position_read', 'Zoë')).toEqual({ ...open, position, insured: true });
	expect(Object.keys(await read('ship_read position_read', 'Meridian'))).toEqual([
		'name',
		'type',
		'flag',
		'crew',
		'insured'
	]);
	const rejected = await at.character(await tokenFor('cargo_read'), 'Zoë');
	expect([rejected.status, rejected.header('www-authenticate')]).toEqual([
		403,
		'OAuth realm="Harbor Lane", error="insufficient_scope", scope="ship_read"'
	]);
});

test('XML has the same fields as JSON', async () => {
	const token = await tokenFor('ship_read position_read cargo_read');
	const { text } = await at.character(token, 'Northern Light', 'Accept', 'application/xml');
	expect(text).toBe(
		'<?xml version="1.0" encoding="UTF-8"?>\n<character><name>Northern Light</name><type>Bulk carrier</type><flag>Norway</flag><crew>21</crew><position><latitude>59.9</latitude><longitude>10.7</longitude></position><cargo><item>grain</item><item>timber</item></cargo><insured>true</insured></character>'
	);
});

test('a test card has no field of the demo world', async () => {
	expect(JSON.parse((await at.character(await tokenFor('ship_read'), 'Test Slow')).text)).toEqual({
		name: 'Test Slow'
	});
});

test('an unknown name is reported in the words of the world', async () => {
	const { status, text } = await at.character(await tokenFor('ship_read'), 'Mara Vell');
	expect(status).toBe(404);
	expect(text).toContain('No ship has this name.');
});

test('a scope of the demo world is unknown', async () => {
	const rejected = await at.user('ada').authorize(portal, { scope: 'character_read' });
	expect(rejected.parameter('error_description')).toContain('Known scopes: ship_read position_read cargo_read');
});

test('pages have the name, logo and accent of the brand, and its words', async () => {
	const user = at.user('ada');
	const signIn = await user.authorize(portal, { scope: 'ship_read' });
	const consent = await user.signInOn(signIn);
	const account = await user.open('/account');
	for (const page of [signIn, consent, account, await at.get('/ratelimiting', 'Accept', 'text/html')]) {
		expect(page.text.replaceAll('https://tollgate.test', '')).not.toMatch(/Tollgate|(?<!v2\.0\/)character|player-one/i);
		expect(page.text).toContain('Harbor Lane');
		expect(page.text).toContain('<img class="logo for-dark" src="data:image/svg+xml;base64,');
		const policy = page.header('content-security-policy') ?? '';
		expect(policy).toContain("img-src 'self' data:;");
		const [, style = ''] = /<style>(.*?)<\/style>/.exec(page.text) ?? [];
		expect(style).toContain('--accent-solid:light-dark(#0b5f73,#6fd0e6)');
		const digest = Buffer.from(service.options.digest(style), 'base64url').toString('base64');
		expect(policy).toContain(`style-src 'self' 'sha256-${digest}';`);
	}
	expect(signIn.text).toContain('Ada Okafor (ada): owns two ships');
	expect(signIn.text).not.toContain('Auditor');
	expect(consent.text).toContain('See the type, flag and crew of ships');
});

test('the public world names what pages show, and contains no secret', async () => {
	const { text } = await at.get('/control/world');
	expect(JSON.parse(text)).toMatchObject({
		brand: { name: 'Harbor Lane', accent: { light: '#0b5f73' } },
		resource: { singular: 'ship' },
		accounts: [{ username: 'ada', name: 'Ada Okafor', password: 'demo' }, {}, { username: 'auditor', name: 'Auditor' }],
		viewer: { client_id: 'fleet-portal', name: 'Fleet Portal', client_secret: 'portal-secret' },
		characters: [
			{ name: 'Northern Light', player: 'ada' },
			{ name: 'Meridian', player: 'ben' }
		]
	});
	const others = ['applications', 'snapshot', 'preset', 'accounts', 'traffic', 'sandbox', 'credentials'];
	const responses = await Promise.all(others.map((path) => at.controlled('GET', path)));
	for (const secret of Object.values(hidden)) {
		for (const response of [text, ...responses.map((one) => one.text)]) expect(response).not.toContain(secret);
	}
	const signedIn = await at.user('auditor').signIn('auditor-password');
	expect(signedIn.status).toBe(303);
});

test('a snapshot takes characters and permissions to a service of another world', async () => {
	const snapshot = JSON.parse((await at.controlled('GET', 'snapshot')).text);
	const elsewhere = createTestService();
	const other = await elsewhere.sandbox();
	const version = () => elsewhere.service.worldVersion(`${other.prefix}/viewer`);
	expect(await version()).toBe('');
	await other.controlled('PUT', 'snapshot', snapshot);
	expect(await version()).toBe(snapshot.checksum);
	const app = { ...portal, redirect_uri: `${other.base_url}/viewer/callback` };
	const { access_token } = await other.user('ada').tokens(app, { scope: 'ship_read' });
	expect((await other.character(access_token, 'Meridian')).text).toContain('"flag":"Panama"');
	await other.controlled('POST', 'reset');
	expect((await other.get('/control/world')).text).toContain('character_read');
	expect(await version()).toBe('');
});

test('a snapshot without them, as earlier versions wrote it, gets those of the world', async () => {
	const { digest } = service.options;
	const { content, ...head } = JSON.parse((await at.controlled('GET', 'snapshot')).text);
	const { permission: _, character: __, ...records } = content.records;
	const earlier = { ...content, records };
	await at.controlled('PUT', 'snapshot', { ...head, checksum: digest(JSON.stringify(earlier)), content: earlier });
	expect((await at.character(await tokenFor('ship_read'), 'Meridian')).status).toBe(200);
});

test('settings, number and lifetime of sandboxes are those of the world', async () => {
	const few = serviceOf({ sandboxes: { most: 2, idle_hours: 1 } }, { adminKey: 'a-key-of-the-operator' });
	const first = await few.sandbox();
	expect(JSON.parse((await first.controlled('GET', 'settings')).text)).toMatchObject({
		lifetimes: { code: 600, access_token: 1800 },
		limits: { character: 120, ratelimits: 150 }
	});
	await few.sandbox();
	const third = await few.transport.send({ method: 'POST', target: '/control/sandboxes' });
	expect([third?.status, third?.body]).toEqual([409, expect.stringContaining('All 2 sandboxes')]);
	few.clock += 61 * 60_000;
	expect((await first.get('/control/status')).status).toBe(404);
});

test('a class behind one address has as many sandboxes as the world allows', async () => {
	const shared = serviceOf({ sandboxes: { per_address: 70 } }, { adminKey: 'a-key-of-the-operator' });
	const create = async () => (await shared.transport.send({ method: 'POST', target: '/control/sandboxes' }))?.status;
	for (let count = 0; count < 70; count++) expect(await create()).toBe(201);
	expect(await create()).toBe(429);
});

const worldOf = (change: object) => readWorld({ format: 'tollgate-world', version: 1, ...change }, sources);

test('one number raises all limits of one address for a class', async () => {
	const few = quotasOf({ world: worldOf({ sandboxes: { classroom: 10 } }) });
	expect(few, 'it lowers none').toEqual({ ...quotasOf({}), sandboxesPerAddress: 100, attempts: few.attempts });
	const world = worldOf({ sandboxes: { classroom: 150 } });
	expect(world.sandboxes).toMatchObject({ most: 1500, per_address: 1500 });
	const many = quotasOf({ world });
	expect(many.sandboxesPerAddress).toBe(1500);
	expect(many.attempts).toMatchObject({ create_sandbox: 1500, address: 750 });
	expect([many.waitingPasswords, many.streamsPerAddress]).toEqual([300, 600]);
	const set = worldOf({ sandboxes: { classroom: 150, most: 20, per_address: 5 } });
	expect([set.sandboxes.most, quotasOf({ world: set }).sandboxesPerAddress], 'numbers of their own').toEqual([20, 5]);
});

test('only the operator creates sandboxes where there is no self-service', async () => {
	const adminKey = 'a-key-of-the-operator';
	const closed = serviceOf({ sandboxes: { self_service: false } }, { adminKey, sandboxPerVisitor: true });
	const send = (headers: string[]) => closed.transport.send({ method: 'POST', target: '/control/sandboxes', headers });
	expect((await send([]))?.status).toBe(403);
	expect((await send(['X-Tollgate-Key', adminKey]))?.status).toBe(201);
	const status = await closed.transport.send({ target: '/control/status' });
	expect(status?.body).toContain('"sandbox_per_visitor":false');
});
