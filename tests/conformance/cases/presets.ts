import * as v from 'valibot';
import { createdSandbox } from '#api/control/sandboxes.ts';
import { maxPresetBytes, preset as presetSchema, type Preset } from '#api/control/preset.ts';
import { equal, fieldsOf, lacks, ok } from '../assert.ts';
import { testCase, type Case } from '../case.ts';
import { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';

const applications = v.object({
	applications: v.array(v.object({ client_id: v.string(), redirect_uris: v.array(v.string()) }))
});

/** RM-05, EN-04: sandboxes that are prepared by a preset. */
export const presetCases: Case[] = [
	testCase('RM-01 a preset prepares a new sandbox like the one it was taken from, without its secrets', async (at) => {
		const app = await at.register('web', [`${at.base_url}/viewer/callback`, 'https://client.test/callback'], 'Shop');
		await at.changeSettings({ limits: { character: 7 }, strict: false });
		await at.controlled('POST', 'clock', { advance: 3600 });
		await at.controlled('POST', 'accounts', { username: 'alice', password: 'her password' });
		await at.controlled('DELETE', 'accounts/player-two');
		await at.controlled('POST', 'faults', { endpoint: 'token', kind: 'status', status: 500, times: 2 });
		await at.controlled('PATCH', 'sandbox', { name: 'Class 7' });

		const taken = (await at.controlled('GET', 'preset')).as(presetSchema);
		lacks(JSON.stringify(taken), app.client_secret);
		const { settings, offset, accounts } = taken;
		equal(
			{ settings, offset, accounts },
			{
				settings: { limits: { character: 7 }, strict: false },
				offset: 3600,
				accounts: ['player-one', 'player-three', 'alice']
			}
		);
		const made = await create(at, { preset: taken });
		equal(made.status, 201, made.text);
		const created = made.as(createdSandbox);
		try {
			const [{ client_id, client_secret } = { client_id: '', client_secret: '' }] = created.applications;
			equal([created.name, created.applications.length, client_id], ['Class 7', 1, app.client_id]);
			ok(client_secret !== app.client_secret, 'the secret is another one');
			const read = async (path: string) => control(at, created, 'GET', path);
			equal((await read('preset')).text, (await at.controlled('GET', 'preset')).text, 'the preset of the new sandbox');
			const { redirect_uris } = (await read('applications')).as(applications).applications[2] ?? { redirect_uris: [] };
			equal(redirect_uris, [`${created.base_url}/viewer/callback`, 'https://client.test/callback']);
		} finally {
			await control(at, created, 'DELETE', 'sandbox');
		}
	}),
	testCase('EN-04 rejects a damaged, contradictory or oversized preset as a whole', async (at) => {
		const good: Preset = { format: 'tollgate-preset', version: 1 };
		const app = { client_id: 'shop-1', name: 'Shop', kind: 'web' as const, redirect_uris: ['https://client.test/'] };
		const wrong: [content: object, field: string | undefined][] = [
			[{ ...good, format: 'tollgate-snapshot' }, 'preset.format'],
			[{ ...good, version: 2 }, 'preset.version'],
			[{ ...good, key: 'x' }, 'preset.key'],
			[{ ...good, offset: -1 }, 'preset.offset'],
			[{ ...good, settings: { limits: { character: -1 } } }, 'preset.settings.limits.character'],
			[{ ...good, accounts: ['alice', 'alice'] }, 'preset.accounts'],
			[{ ...good, accounts: ['Alice'] }, 'preset.accounts.0'],
			[{ ...good, applications: [app, app] }, 'preset.applications'],
			[{ ...good, applications: [{ ...app, client_secret: 'x' }] }, 'preset.applications.0.client_secret'],
			[{ ...good, applications: [{ ...app, client_id: 'character-viewer' }] }, 'preset.applications.0.client_id'],
			[
				{ ...good, applications: [app, { ...app, client_id: 'shop-2', redirect_uris: ['javascript:x'] }] },
				'preset.applications.1.redirect_uris'
			],
			[
				{ ...good, faults: [{ kind: 'drop', endpoint: 'token', client_id: 'unknown-client' }] },
				'preset.faults.0.client_id'
			]
		];
		for (const [content, field] of wrong) {
			const rejected = await create(at, { preset: content });
			equal([rejected.status, fieldsOf(rejected.json()).field], [400, field], JSON.stringify(content));
			equal(rejected.header('set-cookie'), undefined);
		}
		equal((await create(at, { preset: { ...good, accounts: ['a'.repeat(maxPresetBytes + 1024)] } })).status, 413);
		equal((await create(at, { name: 'x'.repeat(61) })).status, 400);
	})
];

async function create(at: Sandbox, body: object): Promise<TestResponse> {
	return send(at, 'POST', '/control/sandboxes', ['Content-Type', 'application/json'], JSON.stringify(body));
}

function control(
	at: Sandbox,
	created: v.InferOutput<typeof createdSandbox>,
	method: string,
	path: string
): Promise<TestResponse> {
	return send(at, method, `/~${created.id}/control/${path}`, ['X-Tollgate-Key', created.key]);
}

async function send(at: Sandbox, method: string, target: string, headers: string[], body = ''): Promise<TestResponse> {
	const received = await at.transport.send({ method, target, headers, body });
	return new TestResponse(received ?? { status: 0, headers: [], body: '' });
}
