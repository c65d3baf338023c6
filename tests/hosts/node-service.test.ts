import { stat } from 'node:fs';
import { expect, it } from 'vitest';
import { scrypt } from '#hosts/web-service.ts';
import { base64url, encodeUtf8 } from '#service/core/encoding.ts';
import { demoPassword, demoStored } from '#service/world/seed.ts';
import { createNodeService, getSharedStore, sleep } from '#hosts/node-service.server.ts';
import { directTransport } from '../conformance/hosts/direct.ts';
import { Sandbox } from '../conformance/sandbox.ts';

it('keeps one store per process, so that a reloaded service finds its data', () => {
	expect(getSharedStore()).toBe(getSharedStore());
});

it('SC-11 accepts the password of an account and no other, by scrypt', async () => {
	const origin = 'https://tollgate.test';
	const at = await Sandbox.create(directTransport(createNodeService({ origin }), origin));
	for (const wrong of ['', 'Demo', 'demo ', 'player-one']) expect((await at.user().signIn(wrong)).status).toBe(403);
	expect((await at.user().signIn('demo')).status).toBe(303);
});

it('SC-11 the stored form of the demo password, which no start computes, is its scrypt', async () => {
	const hash = await scrypt(demoPassword, encodeUtf8(demoStored.salt));
	expect(base64url(hash)).toBe(demoStored.password);
});

it('keeps no program running for the heartbeat of a stream', async () => {
	const origin = 'https://tollgate.test';
	const at = await Sandbox.create(directTransport(createNodeService({ origin }), origin));
	const timeouts = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
	const before = timeouts();
	const stream = await at.stream('traffic/stream');
	await stream.next();
	const heartbeat = stream.next();
	expect(timeouts()).toBe(before);
	stream.close();
	await heartbeat;
});

it('lets requests in between two parts of long work', async () => {
	const order: string[] = [];
	for (let part = 0; part < 6; part++) {
		if (part === 1) stat('.', () => order.push('request'));
		const end = performance.now() + 20;
		while (performance.now() < end);
		await sleep(0);
		order.push('part');
	}
	expect(order.indexOf('request')).toBeLessThan(4);
});
