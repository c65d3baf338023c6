import { expect, it } from 'vitest';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { Store } from '#store/store.ts';
import { createTestService } from './test-service.ts';

/** A service over a store whose changes are safe once a test says so. */
function slowDisk() {
	const waits: { readonly resolve: () => void; readonly reject: (reason: Error) => void }[] = [];
	const disk = { isWaiting: false, asked: 0, waits };
	const memory = createMemoryStore<Records>(recordLimits);
	const store: Store<Records> = {
		...memory,
		settled() {
			disk.asked++;
			if (!disk.isWaiting) return undefined;
			return new Promise((resolve, reject) => waits.push({ resolve, reject }));
		}
	};
	return { tested: createTestService({ store }), disk };
}

it('releases a response once its changes survive a crash, and waits once for all of them', async () => {
	const { tested, disk } = slowDisk();
	const at = await tested.sandbox();
	const code = await at.user().code(at.viewer, { access_type: 'offline' });
	disk.isWaiting = true;
	let isReleased = false;
	const exchange = at.exchange(code).finally(() => (isReleased = true));
	await expect.poll(() => disk.waits.length).toBe(1);
	await new Promise((resolve) => setImmediate(resolve));
	expect([isReleased, disk.waits.length]).toEqual([false, 1]);
	disk.isWaiting = false;
	expect(await at.traffic(), 'the log shows it with the response').not.toContain('"endpoint":"token"');
	disk.waits[0]?.resolve();
	expect((await exchange).tokens.refresh_token).toBeDefined();
});

it('responds 500 if the changes may be lost, and reports the reason', async () => {
	const { tested, disk } = slowDisk();
	const at = await tested.sandbox();
	const { access_token } = await at.user().tokens();
	disk.isWaiting = true;
	const call = at.character(access_token);
	await expect.poll(() => disk.waits.length).toBe(1);
	disk.waits[0]?.reject(new Error('no space left on device'));
	const reply = await call;
	expect([reply.status, reply.error]).toEqual([500, 'server_error']);
	expect(reply.text).not.toContain('device');
	expect(tested.faults.map(String)).toEqual(['Error: no space left on device']);
});

it('asks the store once per request', async () => {
	const { tested, disk } = slowDisk();
	const at = await tested.sandbox();
	const { access_token } = await at.user().tokens();
	disk.asked = 0;
	for (let count = 0; count < 3; count++) await at.character(access_token);
	expect(disk.asked).toBe(3);
});

it('keeps on the disk before the response what would otherwise work again after a crash', () => {
	const durable = Object.entries(recordLimits).filter(([, { durable }]) => durable === true);
	expect(durable.map(([kind]) => kind).sort()).toEqual([
		'access_token',
		'account',
		'application',
		'blacklist_entry',
		'browser_session',
		'character',
		'class',
		'class_lessons',
		'client_document',
		'code',
		'device_authorization',
		'dpop_proof',
		'grant',
		'permission',
		'pushed_request',
		'record_list',
		'refresh_token',
		'sandbox',
		'seat',
		'seat_program',
		'share',
		'share_place',
		'signing_key',
		'state',
		'token_family',
		'used_assertions',
		'world'
	]);
});
