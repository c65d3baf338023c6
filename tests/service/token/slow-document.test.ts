import { expect, test } from 'vitest';
import { pkce } from '../../conformance/standard.ts';
import { createTestService } from '../test-service.ts';

test('a slow document is given up after five seconds, and takes ten for other programs', async () => {
	const slept: number[] = [];
	const sleep = (milliseconds: number) => Promise.resolve(void slept.push(milliseconds));
	const at = await createTestService({ sleep }).sandbox();
	await at.changeSettings({ dialect: 'standard' });
	const client_id = `${at.base_url}/ws/oauth2/clients/slow`;
	await at.controlled('PUT', 'client-documents/slow', { text: JSON.stringify({ client_id }), fault: 'slow' });
	const app = { client_id, client_secret: '', redirect_uri: 'http://127.0.0.1/callback' };
	const response = await at.user().authorize(app, pkce);
	const failed = (await at.logged(response)).trace.find(({ outcome }) => outcome === 'failed');
	expect([response.status, failed?.id, failed?.cause]).toEqual([400, 'client_document.fetched', 'too_slow']);
	expect((await at.get('/ws/oauth2/clients/slow')).status).toBe(200);
	expect(slept).toEqual([5000, 10_000]);
});
