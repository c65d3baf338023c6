import { expect, test } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { worldApplications } from '#features/request-builder/application.ts';
import { set } from '#features/request-builder/draft.ts';
import { inDialect, newDrafts, setAll } from '#features/request-builder/drafts.ts';
import { readTokens } from '#features/request-builder/send-draft.ts';
import { sendRequest } from '#features/request-builder/send-request.ts';
import type { RequestDraft } from '#features/request-builder/draft.ts';
import { TestService } from '../../client/test-service.ts';

test('signs a new proof for each request, and sends the last one again', async () => {
	const service = new TestService();
	await service.control('PATCH', '/control/settings', { dialect: 'standard' });
	const api = new ControlApi(service.baseUrl, service.fetchByOwner);
	const [application] = worldApplications(await service.world(), service.baseUrl);
	if (application === undefined) throw new Error('no demo application');
	let drafts = inDialect(newDrafts(application, 'a state'), 'standard');
	const send = async (draft: RequestDraft) => {
		const { responses, entry } = await sendRequest({ api, fetch: service.fetch }, draft, undefined, () => {});
		return { body: responses[0]?.body ?? '', status: responses[0]?.status, trace: entry?.trace ?? [] };
	};
	const { body } = await send(set(drafts.client_credentials, 'DPoP', 'new'));
	const { access_token = '', isBound } = readTokens(body);
	expect(isBound, body).toBe(true);
	drafts = setAll(drafts, { Authorization: `DPoP ${access_token}`, DPoP: 'new' });
	expect((await send(drafts.character)).status).toBe(200);
	expect((await send(drafts.ratelimits)).status).toBe(200);
	const again = await send(set(drafts.ratelimits, 'DPoP', 'again'));
	expect(again.trace.find(({ outcome }) => outcome === 'failed')?.id).toBe('dpop.not_replayed');
	expect(inDialect(drafts, 'specification').character.parameters.map(({ name }) => name)).not.toContain('DPoP');
});
