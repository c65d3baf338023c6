import { expect, it } from 'vitest';
import { getBlacklisted } from '../conformance/cases/limits.ts';
import { benchService } from './test-service.ts';

it('RL-08 RM-02 a host can ask what a call will get, before it says anything itself', async () => {
	const bench = benchService();
	const at = await bench.sandbox();
	const asks = (method: string, path: string, peer = '127.0.0.1') =>
		bench.service.foresee({
			method,
			target: path.startsWith('/~') ? path : `${at.prefix}${path}`,
			headers: [],
			body: new Uint8Array(0),
			bodyTooLarge: false,
			peer
		});
	expect(await asks('POST', '/ws/oauth2/token/')).toBe('an answer');
	await getBlacklisted(at);
	for (const path of ['/ws/oauth2/token/', '/ws/v2.0/character/x', '/ws/nothing', '/account/x']) {
		expect(await asks('POST', path), path).toBe('silence');
		expect(await asks('POST', path, '127.0.0.2'), path).toBe('an answer');
	}
	for (const path of ['/ratelimiting', '/account', '/control/clock', '/control/nothing']) {
		expect(await asks('GET', path), path).toBe('an answer');
	}
	expect(await asks('GET', '/~nobody/ws/x')).toBe('no sandbox');
	expect((await at.traffic()).match(/"response":null/g), 'asking leaves no trace').toBeNull();
	await at.controlled('DELETE', 'blacklist/127.0.0.1');
	expect(await asks('POST', '/ws/oauth2/token/')).toBe('an answer');
});
