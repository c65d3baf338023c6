import { describe, expect, test } from 'vitest';
import { rulesIn } from '#evidence/provider-rules.ts';
import { examineDevice, type User } from './device-client.ts';

const seeds = [
	{ decision: 'approve', after: 31 },
	{ decision: 'deny', after: 17 },
	'never'
] as const satisfies readonly User[];

describe.each(seeds)('a user who decides: %o', (user) => {
	test('no rule fails for a right device', async () => {
		const verdicts = await examineDevice([], user);
		expect(verdicts).toEqual({ 'device.interval': 'passed', 'device.slow_down': 'not_shown', 'device.end': 'passed' });
	});

	test('a device that keeps a fixed interval', async () => {
		const verdicts = await examineDevice(['fixed interval'], user);
		expect(verdicts).toEqual({ 'device.interval': 'failed', 'device.slow_down': 'failed', 'device.end': 'passed' });
	});

	test('a device that is too fast once, and slows down', async () => {
		const verdicts = await examineDevice(['adds 5 seconds after polling too fast'], user);
		expect(verdicts['device.interval']).toBe('failed');
		expect(verdicts['device.slow_down']).not.toBe('not_shown');
	});

	test('a device that polls after the end', async () => {
		expect(await examineDevice(['polls after the end'], user)).toMatchObject({ 'device.end': 'failed' });
	});
});

test('the specification has no rules about devices', () => {
	expect(rulesIn('specification').some(({ area }) => area === 'device')).toBe(false);
});
