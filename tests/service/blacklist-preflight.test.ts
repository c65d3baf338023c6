import { expect, it } from 'vitest';
import { getBlacklisted } from '../conformance/cases/limits.ts';
import { createTestService } from './test-service.ts';

it('RL-08 RM-02 tells a host whether a request gets no response, and whether its sandbox exists', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const isBlacklisted = (method: string, path: string, peer = '127.0.0.1') =>
		tested.service.isBlacklisted({ method, target: `${at.prefix}${path}`, headers: [], peer });
	expect(await isBlacklisted('POST', '/ws/oauth2/token/')).toBe(false);
	await getBlacklisted(at);
	for (const path of ['/ws/oauth2/token/', '/ws/v2.0/character/x', '/ws/nothing', '/account/x']) {
		expect(await isBlacklisted('POST', path), path).toBe(true);
		expect(await isBlacklisted('POST', path, '127.0.0.2'), path).toBe(false);
	}
	for (const path of ['/ratelimiting', '/account', '/control/clock', '/control/nothing']) {
		expect(await isBlacklisted('GET', path), path).toBe(false);
	}
	expect(await tested.service.isBlacklisted({ method: 'GET', target: '/~unknown/ws/x', headers: [], peer: '' })).toBe(
		false
	);
	expect(await tested.service.hasSandbox('/~unknown/ws/x')).toBe(false);
	expect(await tested.service.hasSandbox(`${at.prefix}/ws/x`)).toBe(true);
	expect(await tested.service.hasSandbox('/viewer')).toBe(true);
	expect((await at.traffic()).match(/"response":null/g), 'asking leaves no trace').toBeNull();
	await at.controlled('DELETE', 'blacklist/127.0.0.1');
	expect(await isBlacklisted('POST', '/ws/oauth2/token/')).toBe(false);
});
