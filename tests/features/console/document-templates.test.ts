import { expect, test } from 'vitest';
import { documentTemplates, textOfTemplate } from '#features/console/document-templates.ts';
import { pkce } from '../../conformance/standard.ts';
import { createTestService } from '../../service/test-service.ts';

const outcomes = {
	agent: undefined,
	other_id: 'client_document.client_id_equal',
	secret: 'client_document.metadata_valid',
	no_redirect: 'client_document.redirect_uris_valid'
};

test('each document to begin with has the mistake of its name', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard' });
	for (const { value } of documentTemplates) {
		const text = textOfTemplate(value, at.base_url, 'my-agent');
		await at.controlled('PUT', 'client-documents/my-agent', { text });
		const client_id = `${at.base_url}/ws/oauth2/clients/my-agent`;
		const app = { client_id, client_secret: '', redirect_uri: `${at.base_url}/viewer/callback` };
		expect(await at.failedCheck(await at.user().authorize(app, pkce)), value).toBe(outcomes[value]);
	}
});
