import { expect, it } from 'vitest';
import type { RequestMetrics } from '#service/core/options.ts';
import { createTestService } from './test-service.ts';

/** A sandbox with a token, and the figures of the requests to it. Delays move the clock. */
async function observed() {
	const exchanges: RequestMetrics[] = [];
	const logged: string[] = [];
	const tested = createTestService({
		sleep: async (milliseconds) => void (tested.clock += milliseconds),
		observe: (exchange) => exchanges.push(exchange),
		onLogged: (_sandbox, _entry, outcome) => logged.push(outcome)
	});
	const at = await tested.sandbox();
	const { access_token } = await at.user().tokens();
	const last = async (name: string) => {
		const { status } = await at.character(access_token, name);
		const { outcome, duration } = exchanges.at(-1) ?? {};
		expect(logged.at(-1)).toBe(outcome);
		return [status, outcome, duration];
	};
	return { at, last };
}

it('an error that a fault or a test card caused is simulated, not one of the server', async () => {
	const { at, last } = await observed();
	expect(await last('Test Error')).toEqual([500, 'simulated', 0]);
	expect(await last('Mara Vell')).toEqual([200, '2xx', 0]);
	for (const after_commit of [false, true]) {
		await at.controlled('POST', 'faults', { endpoint: 'character', kind: 'status', status: 503, after_commit });
		expect(await last('Mara Vell')).toEqual([503, 'simulated', 0]);
	}
});

it('a simulated delay does not count as time that the service took, and does not change the outcome', async () => {
	const { at, last } = await observed();
	expect(await last('Test Slow')).toEqual([200, '2xx', 0]);
	await at.controlled('POST', 'faults', { endpoint: 'character', kind: 'delay', delay_ms: 2_000, times: 2 });
	expect(await last('Mara Vell')).toEqual([200, '2xx', 0]);
	expect(await last('Unknown')).toEqual([404, '4xx', 0]);
});
