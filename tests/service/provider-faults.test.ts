import { expect, it } from 'vitest';
import { createTestService } from './test-service.ts';

it('lets faults of resources concern the API of a provider, and not the user info of the sandbox', async () => {
	const { transport } = createTestService();
	const status = async (target: string) =>
		(await transport.send({ target, headers: ['User-Agent', 'test', 'Authorization', 'Bearer unknown'] }))?.status;
	await transport.send({
		method: 'POST',
		target: '/control/faults',
		headers: ['Content-Type', 'application/json'],
		body: JSON.stringify({ endpoint: 'character', kind: 'status', status: 503, times: null })
	});
	expect(await status('/as/github/user')).toBe(503);
	expect(await status('/ws/oauth2/userinfo')).not.toBe(503);
});
