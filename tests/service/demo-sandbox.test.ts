import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readWorld } from '#service/world/read-world.ts';
import { createTestService } from './test-service.ts';

test('a sandbox for a lesson has the demo world and the brand of the server, also after a reset', async () => {
	const world = readWorld(readFileSync('static/partner-world.json', 'utf8'), {
		digest: (text) => hash('sha256', text, 'base64url')
	});
	const { transport } = createTestService({ world });
	const send = async (method: string, target: string, body?: object): Promise<unknown> => {
		const content =
			body === undefined ? {} : { headers: ['Content-Type', 'application/json'], body: JSON.stringify(body) };
		return JSON.parse((await transport.send({ method, target, ...content }))?.body ?? '');
	};
	const created = await send('POST', '/control/sandboxes', { world: 'demo' });
	const path = new URL(String(Reflect.get(Object(created), 'base_url'))).pathname;
	await send('POST', `${path}/control/reset`);
	expect(await send('GET', `${path}/control/world`)).toMatchObject({
		brand: { name: 'Harbor Lane' },
		resource: { singular: 'character' },
		viewer: { client_id: 'character-viewer', client_secret: 'viewer-secret' }
	});
	expect(await send('GET', '/control/world')).toMatchObject({ resource: { singular: 'ship' } });
});
