import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createNodeService } from '#hosts/node-service.server.ts';
import { createWebService } from '#hosts/web-service.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import type { Service } from '#service/service.ts';
import { createMemoryStore } from '#store/memory.ts';
import { rotate, signIn } from '../../conformance/openid.ts';
import { Sandbox } from '../../conformance/sandbox.ts';
import { transportTo } from './direct-transport.ts';

const report = (fault: unknown) => expect.fail(String(fault));
const snapshotFile = v.looseObject({
	format: v.string(),
	version: v.number(),
	checksum: v.string(),
	content: v.unknown()
});
type SnapshotFile = v.InferOutput<typeof snapshotFile>;

/** A server, and a browser: other digests, other addresses. */
const hosts: Record<'server' | 'browser', () => Promise<Sandbox>> = {
	server: () => sandboxOf('https://server.test', createNodeService({ origin: 'https://server.test', report })),
	browser() {
		const origin = 'http://localhost:4173/demo';
		const store = createMemoryStore<Records>(recordLimits);
		return sandboxOf(origin, createWebService({ origin, store, report }));
	}
};

function sandboxOf(origin: string, service: Service): Promise<Sandbox> {
	return Sandbox.create(transportTo(origin, service));
}

async function taken(at: Sandbox): Promise<SnapshotFile> {
	return (await at.controlled('GET', 'snapshot')).as(snapshotFile);
}

/** What a sandbox holds, but for the time at which it is asked. */
async function contentOf(at: Sandbox): Promise<string> {
	return JSON.stringify((await taken(at)).content).replace(/"created_at":\d+/, '');
}

describe.each([
	['server', 'browser'],
	['browser', 'server']
] as const)('a snapshot from a %s to a %s', (from, to) => {
	it('contains accounts, applications, grants, tokens, limits, blacklist, clock and settings', async () => {
		const [here, there] = [await hosts[from](), await hosts[to]()];
		const { access_token, refresh_token } = await here.user().offline();
		const mine = await here.register('web', ['https://client.test/callback']);
		await here.controlled('POST', 'clock', { advance: 1000 });
		await here.controlled('PATCH', 'settings', { limits: { character: 7 } });
		await here.character(access_token);

		await there.controlled('PUT', 'snapshot', await taken(here));

		expect((await there.refresh(refresh_token)).status).toBe(200);
		const read = await there.character(access_token);
		expect(read.status).toBe(200);
		expect(read.limit).toMatchObject({ limit: 7, remaining: 5 });
		expect((await there.controlled('GET', 'clock')).json()).toMatchObject({ offset: 1_000_000 });
		const code = await there.user().code(there.viewer);
		expect(code, 'the redirect URI of the viewer has moved to the other base URL').not.toBe('');
		expect((await there.refresh('none', mine)).error, 'its secret is known there').toBe('invalid_grant');
	});

	it('holds no secret in clear', async () => {
		const here = await hosts[from]();
		const { access_token, refresh_token } = await here.user().offline();
		const { client_secret } = await here.register('web', ['https://client.test/callback']);
		const text = JSON.stringify(await taken(here));
		for (const secret of [access_token, refresh_token, client_secret, here.key, 'viewer-secret', '"demo"']) {
			expect(text).not.toContain(secret);
		}
	});
});

describe.each(['server', 'browser'] as const)('a snapshot put into a %s', (kind) => {
	it('is imported in one step: no request sees a sandbox without accounts and applications', async () => {
		const at = await hosts[kind]();
		for (let count = 0; count < 7; count++) {
			await at.controlled('POST', 'accounts', { username: `guest-${count}`, password: 'x' });
		}
		const file = await taken(at);
		const wrong: string[] = [];
		const importing = { isOver: false };
		const imported = at.controlled('PUT', 'snapshot', file).finally(() => (importing.isOver = true));
		while (!importing.isOver) {
			// The import rests, and this loop alone would never let its timer fire.
			await new Promise((resolve) => setImmediate(resolve));
			const response = await at.token({ grant_type: 'refresh_token', refresh_token: 'none', ...at.viewer });
			if (response.error !== 'invalid_grant') wrong.push(response.error);
			const accounts = (await at.controlled('GET', 'accounts')).text.match(/username/g)?.length;
			if (accounts !== 10) wrong.push(`${accounts} accounts`);
		}
		expect((await imported).status).toBe(200);
		expect(wrong).toEqual([]);
	});

	it('shows the base URL of the new sandbox, not of the old one', async () => {
		const [here, there] = [await hosts[kind](), await hosts[kind === 'server' ? 'browser' : 'server']()];
		const response = await there.controlled('PUT', 'snapshot', await taken(here));
		expect(response.json()).toMatchObject({ base_url: there.base_url, records: { account: 3, application: 2 } });
	});

	it('brings tokens along that were past by the clock that the sandbox had', async () => {
		const at = await hosts[kind]();
		const { access_token } = await at.user().tokens();
		const file = await taken(at);
		await at.advance(30 * 24 * 3600);
		expect((await at.character(access_token)).status).toBe(401);
		await at.controlled('PUT', 'snapshot', file);
		expect((await at.character(access_token)).status).toBe(200);
	});
});

describe('a snapshot that is not whole', () => {
	it('is rejected, and changes nothing', async () => {
		const at = await hosts.browser();
		await at.user().offline();
		const good = await taken(at);
		await at.controlled('POST', 'accounts', { username: 'new-user', password: 'secret-enough' });
		const before = await contentOf(at);
		const text = JSON.stringify(good);
		const bad: Record<string, unknown> = {
			foreign: { format: 'something-else', version: 1 },
			newer: { ...good, version: 2 },
			'without content': { ...good, content: undefined },
			'without checksum': { ...good, checksum: undefined },
			'with a letter changed': JSON.parse(text.replace('player-two', 'player-tvo')),
			'with a record less': JSON.parse(text.replace(/\["player-two",\{[^}]*\}\],/, '')),
			'a list': [],
			nothing: null
		};
		for (const [what, file] of Object.entries(bad)) {
			const response = await at.control('PUT', 'snapshot', file);
			expect([what, response.status, response.error]).toEqual([what, 400, 'invalid_request']);
		}
		for (const body of [text.slice(0, -1), text.slice(0, 500), '', '\u0000']) {
			const headers = ['X-Tollgate-Key', at.key, 'Content-Type', 'application/json'];
			const response = await at.send({ method: 'PUT', target: '/control/snapshot', headers, body });
			expect(response.status).toBe(400);
		}
		expect(await contentOf(at)).toBe(before);
	});

	it('is rejected with a right checksum too, where its content is none that this service could have', async () => {
		const at = await hosts.server();
		const before = await contentOf(at);
		const good = JSON.stringify((await taken(at)).content);
		const contents = [
			good.replace('"offset":0', '"offset":-5'),
			good.replace('"offset":0', '"offset":1e+308'),
			good.replace('"access_token":3920', '"access_token":1e+308'),
			good.replace(/"registered":\d+/, '"registered":1e+300'),
			good.replace('"kind":"web"', '"kind":"other"'),
			good.replace('"client_id":"character-viewer"', '"client_id":"another"'),
			good.replace(/"https:[^"]*\/viewer\/callback"/, '"javascript:alert(1)"'),
			good.replace('"strict":true', '"strict":true,"more":1')
		];
		const { hash } = await import('node:crypto');
		for (const content of contents) {
			expect(content).not.toBe(good);
			const file = { format: 'tollgate-snapshot', version: 1, checksum: hash('sha256', content, 'base64url') };
			const parsed: unknown = JSON.parse(content);
			const response = await at.control('PUT', 'snapshot', { ...file, content: parsed });
			expect([response.status, response.error]).toEqual([400, 'invalid_request']);
		}
		expect(await contentOf(at)).toBe(before);
	});

	it('is rejected without access to the sandbox', async () => {
		const at = await hosts.server();
		for (const method of ['GET', 'PUT']) {
			expect((await at.send({ method, target: '/control/snapshot' })).status).toBe(403);
		}
	});
});

it('contains what was granted and registered in the dialect of today’s standards', async () => {
	const at = await hosts.server();
	await at.changeSettings({ dialect: 'standard' });
	await rotate(at, 'ES256');
	const scope = 'openid profile email character_read';
	await signIn(at, { scope });
	const uri = 'http://127.0.0.1/callback';
	const { client_id } = await at.register('installed', [uri]);
	const file = await taken(at);
	for (const dialect of ['standard', 'specification']) {
		await at.changeSettings({ dialect });
		await at.controlled('PUT', 'snapshot', await taken(at));
	}
	await at.controlled('PUT', 'snapshot', file);
	const records = v.object({
		content: v.object({
			records: v.object({
				grant: v.array(v.tuple([v.string(), v.object({ scopes: v.array(v.string()) })])),
				application: v.array(v.tuple([v.string(), v.object({ redirect_uris: v.array(v.string()) })]))
			})
		})
	});
	const { grant, application } = v.parse(records, await taken(at)).content.records;
	expect(grant[0]?.[1].scopes.toSorted()).toEqual(scope.split(' ').toSorted());
	expect(application.find(([id]) => id === client_id)?.[1].redirect_uris).toContain(uri);
});
