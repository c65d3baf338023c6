import { expect, it } from 'vitest';
import { getBlacklisted } from '../conformance/cases/limits.ts';
import { benchService } from './bench-service.ts';

it('RL-08 a host can ask, before it says anything, whether a call will be left without a response', async () => {
	const bench = benchService();
	const at = await bench.sandbox();
	const asks = (method: string, path: string, peer = '127.0.0.1') =>
		bench.service.silences({
			method,
			target: path.startsWith('/~') ? path : `${at.prefix}${path}`,
			headers: [],
			body: new Uint8Array(0),
			oversized: false,
			peer
		});
	expect(await asks('POST', '/ws/oauth2/token/')).toBe(false);
	await getBlacklisted(at);
	for (const path of ['/ws/oauth2/token/', '/ws/v2.0/character/x', '/ws/nothing', '/account/x']) {
		expect(await asks('POST', path), path).toBe(true);
		expect(await asks('POST', path, '127.0.0.2'), path).toBe(false);
	}
	for (const path of ['/ratelimiting', '/account', '/control/clock', '/control/nothing', '/~nobody/ws/x']) {
		expect(await asks('GET', path), path).toBe(false);
	}
	expect((await at.traffic()).match(/"response":null/g), 'asking leaves no trace').toBeNull();
	await at.controlled('DELETE', 'blacklist/127.0.0.1');
	expect(await asks('POST', '/ws/oauth2/token/')).toBe(false);
});
