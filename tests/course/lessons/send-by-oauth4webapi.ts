import * as oauth from 'oauth4webapi';
import type { Send } from '#course/lessons/scripted-client.ts';

/**
 * Sends token requests with oauth4webapi, which must accept the responses too. All other requests are sent unchanged: the library
 * revokes with POST and sends access tokens as `Bearer`, so an application sends these two itself.
 */
export function sendByOauth4webapi(fetch: Send): Send {
	return async (url, init) => {
		const form = init.body instanceof URLSearchParams ? new Map(init.body) : new Map<string, string>();
		const client_id = form.get('client_id');
		const client_secret = form.get('client_secret');
		if (!url.endsWith('/ws/oauth2/token/') || client_id === undefined || client_secret === undefined)
			return fetch(url, init);
		const server: oauth.AuthorizationServer = { issuer: new URL(url).origin, token_endpoint: url };
		const client: oauth.Client = { client_id };
		const credentials = oauth.ClientSecretPost(client_secret);
		const options = { [oauth.customFetch]: fetch, recognizedTokenTypes: { oauth: () => undefined } };
		const more = (...known: string[]) =>
			new URLSearchParams([...form].filter(([name]) => ![...known, 'client_id', 'client_secret'].includes(name)));
		const [code, redirect_uri, refresh_token] = [form.get('code'), form.get('redirect_uri'), form.get('refresh_token')];
		if (form.get('grant_type') === 'authorization_code' && code !== undefined && redirect_uri !== undefined) {
			const callback = oauth.validateAuthResponse(server, client, new URLSearchParams({ code, state: 's' }), 's');
			const response = await oauth.authorizationCodeGrantRequest(
				server,
				client,
				credentials,
				callback,
				redirect_uri,
				form.get('code_verifier') ?? oauth.nopkce,
				{ ...options, additionalParameters: more('grant_type', 'code', 'redirect_uri', 'code_verifier') }
			);
			await accept(oauth.processAuthorizationCodeResponse(server, client, response.clone(), options));
			return response;
		}
		if (form.get('grant_type') === 'refresh_token' && refresh_token !== undefined) {
			const response = await oauth.refreshTokenGrantRequest(server, client, credentials, refresh_token, {
				...options,
				additionalParameters: more('grant_type', 'refresh_token')
			});
			await accept(oauth.processRefreshTokenResponse(server, client, response.clone(), options));
			return response;
		}
		return fetch(url, init);
	};
}

/** A lesson may provoke an error response of OAuth. The library must recognize it. */
async function accept(processed: Promise<unknown>): Promise<void> {
	await processed.catch((error: unknown) => {
		if (!(error instanceof oauth.ResponseBodyError)) throw error;
	});
}
