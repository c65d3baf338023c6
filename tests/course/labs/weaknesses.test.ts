import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from '#hosts/settings.ts';
import { createService } from '#hosts/library/tollgate.ts';
import { digest } from '#hosts/digest.ts';
import { LabRun } from '#course/labs/engine/lab-run.ts';
import { labs as allLabs } from './lab-of.ts';

const labs = allLabs.map(([, lab]) => lab).filter(({ world }) => world.weaknesses !== undefined);
const options = { baseUrl: 'https://tollgate.example' };

/** A request to the service of a lab. @returns the status, and the body */
async function send(
	{ service }: LabRun,
	method: string,
	path: string,
	body?: unknown,
	headers: readonly [string, string][] = []
) {
	const response = await service.send(
		{
			method,
			url: `${service.baseUrl}${path}`,
			headers: [...headers, ['content-type', 'application/json'], ['origin', service.baseUrl]],
			body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body))
		},
		0
	);
	return { status: response?.status ?? 0, body: response?.body ?? '' };
}

const preset = { format: 'tollgate-preset', version: 1 };

/** Ways to name a weakness. Each is rejected, except the last ones, which are ignored. */
const ways: Readonly<Record<string, (run: LabRun, weakness: string) => Promise<number>>> = {
	'a setting': async (run, weakness) =>
		(await send(run, 'PATCH', '/control/settings', { weaknesses: [weakness] })).status,
	'a setting of its name': async (run, weakness) =>
		(await send(run, 'PATCH', '/control/settings', { [weakness]: true })).status,
	'a dialect': async (run, weakness) => (await send(run, 'PATCH', '/control/settings', { dialect: weakness })).status,
	'a preset': async (run, weakness) =>
		(await send(run, 'POST', '/control/reset', { preset: { ...preset, weaknesses: [weakness] } })).status,
	'the settings of a preset': async (run, weakness) =>
		(await send(run, 'POST', '/control/reset', { preset: { ...preset, settings: { [weakness]: true } } })).status,
	'a shared sandbox': async (run, weakness) =>
		(await send(run, 'POST', '/control/shares', { preset: { ...preset, settings: { weaknesses: [weakness] } } }))
			.status,
	'a new sandbox': async (run, weakness) =>
		(await send(run, 'POST', '/control/sandboxes', { preset: { ...preset, settings: { weaknesses: [weakness] } } }))
			.status,
	'a world': async (run, weakness) => {
		const world = { format: 'tollgate-world', version: 1, brand: { name: 'Harbor Lane' } };
		expect((await send(run, 'POST', '/control/sandboxes', { preset: { ...preset, world } })).status).toBe(201);
		const changed = { ...preset, world: { ...world, weaknesses: [weakness] } };
		return (await send(run, 'POST', '/control/sandboxes', { preset: changed })).status;
	},
	'a snapshot': async (run, weakness) => {
		const { content, ...head } = JSON.parse((await send(run, 'GET', '/control/snapshot')).body);
		const changed = { ...content, settings: { ...content.settings, weaknesses: [weakness] } };
		return (
			await send(run, 'PUT', '/control/snapshot', {
				...head,
				checksum: digest(JSON.stringify(changed)),
				content: changed
			})
		).status;
	},
	'an application': async (run, weakness) =>
		(await send(run, 'PATCH', '/control/applications/viewer', { weaknesses: [weakness] })).status,
	'headers, a query and a cookie': async (run, weakness) => {
		const named: [string, string][] = [
			['x-tollgate-weaknesses', weakness],
			['cookie', `weaknesses=${weakness}`]
		];
		const { body } = await send(run, 'PATCH', `/control/settings?weaknesses=${weakness}`, {}, named);
		return body.includes(weakness) ? 200 : 400;
	}
};

describe.each(labs.flatMap((lab) => (lab.world.weaknesses ?? []).map((weakness) => [weakness, lab] as const)))(
	'%s',
	(weakness, lab) => {
		it.each(Object.entries(ways))('cannot be switched on by %s', async (_, tryToName) => {
			const run = await LabRun.open({ ...lab.world, weaknesses: [] }, options);
			expect(await tryToName(run, weakness)).toBeGreaterThanOrEqual(400);
			for (const step of lab.steps) if (step.isPossible(run)) await step.act(run);
			expect(lab.goal.find(run.log)).toBeUndefined();
		});
	}
);

it('no option of the package names a weakness', async () => {
	const service = createService(
		Object.assign({}, { weaknesses: ['redirect_uri_prefix'], origin: 'https://tollgate.test' })
	);
	const query = new URLSearchParams({
		response_type: 'code',
		client_id: 'character-viewer',
		redirect_uri: 'https://tollgate.test/viewer/callback/../out',
		scope: 'character_read'
	});
	const result = await service.handle({
		method: 'GET',
		target: `/ws/oauth2/auth/?${query.toString()}`,
		headers: [],
		body: new Uint8Array(),
		bodyTooLarge: false,
		peer: '127.0.0.1'
	});
	expect(result).toMatchObject({ kind: 'response', status: 400 });
});

it('no environment variable, host, page or command names a weakness outside labs', () => {
	expect(Object.keys(settings).filter((name) => /weak/i.test(name))).toEqual([]);
	const root = join(import.meta.dirname, '../../../src');
	const naming = readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((file) => file.isFile() && /\.(ts|js|svelte)$/.test(file.name))
		.map((file) => join(file.parentPath, file.name))
		.filter((path) => /weakness(?:es)?\b/i.test(readFileSync(path, 'utf8')))
		.map((path) => path.slice(root.length + 1))
		.filter((path) => !/^(?:course\/labs|service)\//.test(path));
	expect(naming.sort()).toEqual(['hosts/page/page-service.ts']);
});
