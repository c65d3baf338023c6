import { expect, it } from 'vitest';
import { traffic } from '#api/control/traffic.ts';
import type { Sandbox } from '../conformance/sandbox.ts';
import { valuePlaces } from '../conformance/value-places.ts';
import { namedWays, unnamedWays, type Way } from './misplaced-credentials.ts';
import { createTestService } from './test-service.ts';

const adminKey = 'the-admin-key-of-this-server';
/** How much of a secret may not appear. Logs show 6 characters, so that two values can be distinguished. */
const part = 10;

/** One credential of each kind that the service issues, all valid. */
async function issueAll(at: Sandbox): Promise<Record<string, string>> {
	const user = at.user();
	const { access_token, refresh_token } = await user.offline();
	const { client_secret } = await at.register('web', ['https://client.example/cb']);
	const csrf_token = (await user.open('/account')).hidden('csrf_token');
	const interaction = (await user.authorize(at.viewer, { scope: 'credits_read' })).hidden('interaction');
	const [session = ''] = user.cookies.values();
	return {
		access_token,
		refresh_token,
		client_secret,
		csrf_token,
		interaction,
		session,
		code: await user.code(),
		sandboxKey: at.key,
		adminKey
	};
}

/** Where a value appears: in a response, or in what the sandbox shows afterwards. */
async function leaksOf(value: string, ways: Record<string, Way>): Promise<string[]> {
	const tested = createTestService({ adminKey });
	const at = await tested.sandbox();
	const app = await at.register('web', ['https://client.example/cb']);
	return findLeaks(at, value, ways, app);
}

async function findLeaks(
	at: Sandbox,
	value: string,
	ways: Record<string, Way>,
	app: Awaited<ReturnType<Sandbox['register']>>
): Promise<string[]> {
	const stream = await at.stream('traffic/stream');
	await stream.next();
	const leaks: string[] = [];
	const search = (place: string, text: string) => {
		for (const piece of [value.slice(0, part), value.slice(-part)]) {
			const found = text.indexOf(piece);
			if (found >= 0) leaks.push(`${place}: ${text.slice(Math.max(0, found - 60), found + 60)}`);
		}
	};
	for (const [name, way] of Object.entries(ways)) {
		await at.controlled('DELETE', 'traffic');
		const response = await at.send(way(value, app));
		search(`${name}, in the response`, `${response.headers.join('\n')}\n${response.text}`);
		const log = await at.traffic();
		expect(log, `${name} is logged`).toContain(response.id);
		search(`${name}, in the log`, log);
		search(`${name}, in the stream`, (await stream.next()) ?? '');
	}
	for (const page of [
		'/account',
		'/ratelimiting',
		'/control/applications',
		'/control/tickets',
		'/control/credentials',
		'/control/snapshot'
	])
		search(page, (await at.get(page, 'X-Tollgate-Key', at.key, 'Accept', 'text/html')).text);
	stream.close();
	return leaks;
}

it('IN-01 knows at least 60 ways to send a credential', () => {
	expect(Object.keys({ ...namedWays, ...unnamedWays }).length).toBeGreaterThanOrEqual(60);
});

it('IN-01 shows no issued credential in a log, stream, export, page or error, whatever way it was sent', async () => {
	const tested = createTestService({ adminKey });
	const at = await tested.sandbox();
	const app = await at.register('web', ['https://client.example/cb']);
	await at.changeSettings({ limits: { ratelimits: 100_000, character: 100_000 } });
	const credentials = await issueAll(at);
	for (const [kind, value] of Object.entries(credentials)) {
		expect([kind, await findLeaks(at, value, { ...namedWays, ...unnamedWays }, app)]).toEqual([kind, []]);
	}
	expect(tested.faults).toEqual([]);
});

it('IN-01 shows no password or short secret beside its name', async () => {
	expect(await leaksOf('Tr0ub4dor-x7', namedWays)).toEqual([]);
});

it('IN-01 shows the name beside each hidden value', async () => {
	const at = await createTestService().sandbox();
	await at.get('/ws/v2.0/ratelimits?client_secret=Tr0ub4dor-x7');
	const { entries } = (await at.controlled('GET', 'traffic')).as(traffic);
	expect(entries[0]?.request.target).toMatch(/\?client_secret=••••$/);
	expect(entries.flatMap(valuePlaces)).toEqual(['client secret 1 in /request/target: ••••']);
});

it('IN-01 shows no state of an out-of-band sign-in', async () => {
	const at = await createTestService().sandbox();
	const state = 'a<state>&more-of-it';
	const page = await at.user().allow(at.companion, { state });
	expect(page.text).toContain('a&lt;state&gt;&amp;more-of-it');
	const log = await at.traffic();
	for (const text of [state, 'a&lt;state&gt;', 'more-of-it']) expect(log).not.toContain(text);
});

it('IN-01 takes no marker from a request, and labels at most 40 values of one', async () => {
	const at = await createTestService().sandbox();
	const labels = async (query: string) => {
		const { id } = await at.get(`/ws/v2.0/ratelimits?${query}`);
		const { text } = await at.controlled('GET', `traffic/${id}`);
		return [...text.matchAll(/"label":"([^"]+)"/g)].map(([, label]) => label);
	};
	expect(await labels('code=‹code 7›')).toEqual(['code 1']);
	expect(await at.traffic()).not.toContain('code 7');
	expect(await labels(Array.from({ length: 500 }, (_, at) => `code=${at}`).join('&'))).toHaveLength(40);
});
