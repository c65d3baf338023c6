import { expect, it } from 'vitest';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { createMemoryStore } from '#store/memory.ts';
import { createTestService } from './test-service.ts';

it('adds permissions and characters to a sandbox that an earlier version stored', async () => {
	const store = createMemoryStore<Records>(recordLimits);
	const earlier = createTestService({ store });
	const at = await earlier.sandbox();
	const { access_token } = await at.user().offline();
	const now = () => earlier.clock;
	await store.forSandbox(at.id, { sandbox: now, real: now }).replace({ permission: [], character: [] });
	expect((await at.character(access_token)).status).toBe(404);

	const restarted = at.through(createTestService({ store }).transport);
	expect((await restarted.character(access_token)).status).toBe(200);
});

it('adds none to a sandbox whose world has no permissions', async () => {
	const store = createMemoryStore<Records>(recordLimits);
	const earlier = createTestService({ store });
	const at = await earlier.sandbox();
	const now = () => earlier.clock;
	const records = store.forSandbox(at.id, { sandbox: now, real: now });
	await records.replace({ permission: [], character: [['Ada', { name: 'Ada', player: 'player-one', fields: {} }]] });

	await at.through(createTestService({ store }).transport).control('GET', 'sandbox');
	expect((await records.list('character')).map(([name]) => name)).toEqual(['Ada']);
});
