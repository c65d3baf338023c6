import * as v from 'valibot';
import { expect, test } from 'vitest';
import { traceLine } from '#api/control/traffic.ts';
import type { TestResponse } from '../conformance/response.ts';
import { createTestService } from './test-service.ts';

test('shows the character that a wrongly encoded name means, and no cause for another unknown name', async () => {
	const at = await createTestService().sandbox();
	const { access_token } = await at.user().tokens();
	const failedLine = async (name: string) => {
		const { id } = await at.get(`/ws/v2.0/character/${name}`, 'Authorization', `OAuth ${access_token}`);
		const entry = (await at.controlled('GET', `traffic/${id}`)).as(v.object({ trace: v.array(traceLine) }));
		return entry.trace.find(({ outcome }) => outcome === 'failed');
	};
	expect(await failedLine('Mara+Vell')).toMatchObject({ found: 'Mara+Vell', expected: 'Mara Vell' });
	expect((await failedLine('Mara+Vale'))?.cause).toBeUndefined();
});

test('names the field that is missing in a token request', async () => {
	const at = await createTestService().sandbox();
	const description = (response: TestResponse) => String(Object(response.json()).error_description);
	expect(description(await at.token({ client_id: 'character-viewer' }))).toContain('client_secret is missing');
	expect(description(await at.token({ client_id: 'unknown' }))).toContain('client_secret is missing');
	const withoutUri = { ...at.viewer, redirect_uri: '' };
	expect(description(await at.exchange(await at.user().code(), withoutUri))).toContain('redirect_uri is missing');
});
