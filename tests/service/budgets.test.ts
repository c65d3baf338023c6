import { expect, it } from 'vitest';
import { Sandbox } from '../conformance/sandbox.ts';
import { createTestService } from './test-service.ts';

const kibibyte = 1024;

/** A service with small budgets, and sandboxes that other addresses have created. */
function smallBudgets() {
	const quotas = { bytesPerSandbox: 300 * kibibyte, bytesPerAddress: 200 * kibibyte, bytes: 300 * kibibyte };
	const tested = createTestService({ quotas });
	const { transport } = tested;
	const createdFrom = (from: string) =>
		Sandbox.create({ ...transport, send: (request) => transport.send({ from, ...request }) });
	return { tested, createdFrom };
}

/** Registers an application with long redirect URIs. */
async function registerLarge(at: Sandbox, name: string): Promise<[status: number, error: string | undefined]> {
	const redirect_uris = Array.from({ length: 10 }, (_, count) => `https://client.example/${count}${'x'.repeat(900)}`);
	const response = await at.control('POST', 'applications', { name, kind: 'web', redirect_uris });
	return response.status === 201 ? [201, undefined] : [response.status, response.error];
}

/** Registers applications until one is rejected. Returns how many were registered. */
async function fill(at: Sandbox): Promise<number> {
	for (let count = 0; count < 48; count++) {
		const [status, error] = await registerLarge(at, `app ${count}`);
		if (status === 201) continue;
		expect([status, error]).toEqual([409, 'limit_reached']);
		return count;
	}
	throw new Error('The sandbox was never full.');
}

it('RM-05 limits the memory of a sandbox, of the sandboxes of an address and of all sandboxes, and releases it', async () => {
	const { tested, createdFrom } = smallBudgets();
	const first = await createdFrom('10.0.0.1');
	const ofFirst = await fill(first);
	expect(ofFirst, 'the sandbox').toBeGreaterThan(5);
	const second = await createdFrom('10.0.0.1');
	const ofSecond = await fill(second);
	expect(ofSecond, 'the address').toBeLessThan(ofFirst);
	const third = await createdFrom('10.0.0.2');
	expect(await fill(third), 'the server').toBeLessThan(ofFirst);
	const modest = await createdFrom('10.0.0.3');
	expect(await registerLarge(modest, 'modest'), 'each sandbox may use some').toEqual([201, undefined]);
	expect((await modest.user().tokens()).scope).toBe('character_read');
	await first.remove();
	expect(await registerLarge(third, 'after the deletion')).toEqual([201, undefined]);
	expect(tested.faults).toEqual([]);
});

it('RM-05 accepts 4 MiB as a snapshot of the root sandbox, and 512 KiB elsewhere', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const send = async (target: string, length: number, ...headers: string[]) => {
		const all = ['Content-Type', 'application/json', ...headers];
		const received = await tested.transport.send({ method: 'PUT', target, headers: all, body: ' '.repeat(length) });
		return received?.status;
	};
	const own = ['X-Tollgate-Key', at.key] as const;
	expect(await send(`/~${at.id}/control/snapshot`, 512 * kibibyte, ...own)).toBe(400);
	expect(await send(`/~${at.id}/control/snapshot`, 512 * kibibyte + 1, ...own)).toBe(413);
	expect(await send('/control/snapshot', 4096 * kibibyte)).toBe(400);
	expect(await send('/control/snapshot', 4096 * kibibyte + 1)).toBe(413);
});
