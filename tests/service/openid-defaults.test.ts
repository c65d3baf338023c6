import { expect, it } from 'vitest';
import { challenge, verifier } from './pause/paused-sandbox.ts';
import { createTestService } from './test-service.ts';

// The parameters of Auth0’s library for Express without settings: the implicit flow, which this service does not offer.
it('names the response type that Auth0’s library for Express sends by default, in a form', async () => {
	const at = await createTestService().sandbox();
	await at.controlled('PATCH', 'settings', { dialect: 'standard' });
	const response = await at.user().authorize(at.viewer, {
		response_type: 'id_token',
		scope: 'openid profile email',
		response_mode: 'form_post',
		nonce: 'Enk4Cp1l6sysZ1Co',
		state: 'eyJyZXR1cm5UbyI6Imh0dHA6Ly9sb2NhbGhvc3Q6MzAwMCJ9'
	});
	expect([response.hidden('error'), response.hidden('error_description')]).toEqual([
		'unsupported_response_type',
		'response_type=id_token is not supported. Set it to code.'
	]);
});

// The parameters that ASP.NET’s OpenIdConnectHandler sends by default with the response type `code`. The handler itself needs .NET.
it('signs a user in with the parameters that ASP.NET sends by default', async () => {
	const at = await createTestService().sandbox();
	await at.controlled('PATCH', 'settings', { dialect: 'standard' });
	const response = await at.user().allow(at.viewer, {
		scope: 'openid profile',
		response_mode: 'form_post',
		nonce: '638.NzA1',
		state: 'CfDJ8-state',
		code_challenge: challenge,
		code_challenge_method: 'S256',
		'x-client-SKU': 'ID_NET8_0',
		'x-client-ver': '7.1.2.0'
	});
	expect(response.text).toContain(`<form method="post" action="${at.viewer.redirect_uri}" data-submit>`);
	expect([response.hidden('state'), response.hidden('iss')]).toEqual(['CfDJ8-state', at.base_url]);
	const tokens = await at.exchange(response.hidden('code'), at.viewer, { code_verifier: verifier });
	expect(tokens.json()).toMatchObject({ token_type: 'Bearer', id_token: expect.stringMatching(/^ey/) });
});
