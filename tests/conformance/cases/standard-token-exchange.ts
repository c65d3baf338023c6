import { equal, ok } from '../assert.ts';
import { ProofKey, rejectedBy, succeeded } from '../dpop.ts';
import type { TestResponse } from '../response.ts';
import type { App, Sandbox } from '../sandbox.ts';
import {
	basic,
	codeWithPkce,
	exchangeWithPkce,
	introspect,
	readCharacter,
	standardCase,
	standardStoreCase,
	standardTokens
} from '../standard.ts';

const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

function exchange(at: Sandbox, app: App, subject_token: string, more: object = {}): Promise<TestResponse> {
	return at.token({ grant_type, subject_token, subject_token_type: accessTokenType, ...more }, ...basic(app));
}

/** A second application that keeps a secret. */
const service = (at: Sandbox): Promise<App> => at.register('web', ['https://service.example/callback']);

/** What introspection says of a token. */
async function described(at: Sandbox, token: string, app: App): Promise<Record<string, unknown>> {
	return Object((await introspect(at, token, app)).json());
}

/** ST-21: one token for another (RFC 8693). */
export const standardTokenExchangeCases = [
	standardStoreCase('ST-21 a service exchanges the token of a user, and is named as the one who acts', async (at) => {
		const app = await service(at);
		const user = at.user();
		const asked = { scope: 'character_read inventory_read' };
		const { tokens } = await exchangeWithPkce(at, await codeWithPkce(user, at.viewer, asked));
		const response = succeeded(await exchange(at, app, tokens.access_token, { scope: 'character_read' }));
		const { access_token, scope, refresh_token, token_type } = response.tokens;
		equal([scope, refresh_token, token_type], ['character_read', undefined, 'Bearer']);
		equal(Object(response.json()).issued_token_type, accessTokenType);
		succeeded(await readCharacter(at, access_token));
		const known = await described(at, access_token, app);
		equal([known.sub, known.client_id, known.act], ['player-one', app.client_id, { sub: `client:${app.client_id}` }]);
		// A second service has the first one inside its own name.
		const next = await service(at);
		const second = succeeded(await exchange(at, next, access_token)).tokens.access_token;
		const act = { sub: `client:${next.client_id}`, act: { sub: `client:${app.client_id}` } };
		equal((await described(at, second, next)).act, act);
	}),
	standardCase(
		'ST-21 impersonation by the setting of the application: no one can tell it from the user',
		async (at) => {
			const app = await service(at);
			const { access_token } = await standardTokens(at);
			await at.controlled('PATCH', `applications/${app.client_id}`, { token_exchange: 'impersonation' });
			const { tokens } = succeeded(await exchange(at, app, access_token));
			const known = await described(at, tokens.access_token, app);
			equal([known.sub, 'act' in known], ['player-one', false]);
			const own = (await at.token({ grant_type: 'client_credentials' }, ...basic(app))).tokens;
			const actor = { actor_token: own.access_token, actor_token_type: accessTokenType };
			const named = succeeded(await exchange(at, app, access_token, actor)).tokens;
			equal((await described(at, named.access_token, app)).act, { sub: `client:${app.client_id}` });
		}
	),
	standardCase('ST-21 scopes, resources and life are never wider than before', async (at) => {
		const app = await service(at);
		const resource = `${at.base_url}/ws/v2.0/ratelimits`;
		const code = await codeWithPkce(at.user(), at.viewer, { resource });
		const { access_token } = (await exchangeWithPkce(at, code)).tokens;
		const wider = await exchange(at, app, access_token, { scope: 'character_read inventory_read' });
		equal(await rejectedBy(at, wider), [400, 'invalid_scope', 'token.scope_narrowed', 'not_granted']);
		for (const name of ['resource', 'audience']) {
			const other = await exchange(at, app, access_token, { [name]: at.base_url });
			equal(await rejectedBy(at, other), [400, 'invalid_target', 'token.resource_granted', undefined], name);
		}
		const bad = await exchange(at, app, access_token, { audience: 'orders' });
		equal(await rejectedBy(at, bad), [400, 'invalid_target', 'token.audience_is_uri', undefined]);
		await at.advance(3000);
		const response = succeeded(await exchange(at, app, access_token, { audience: resource }));
		ok(response.tokens.expires_in <= 920, String(response.tokens.expires_in));
		const { access_token: narrow } = response.tokens;
		equal((await described(at, narrow, app)).aud, [resource]);
		equal((await readCharacter(at, narrow)).status, 401);
		await at.advance(921);
		equal((await described(at, narrow, app)).active, false);
	}),
	standardCase('ST-21 the new token ends with the access that the user gave', async (at) => {
		const app = await service(at);
		const { access_token, refresh_token } = await standardTokens(at);
		const narrow = succeeded(await exchange(at, app, access_token)).tokens.access_token;
		equal((await at.post('/ws/oauth2/revoke', { token: refresh_token }, ...basic(at.viewer))).status, 200);
		equal((await readCharacter(at, narrow)).status, 401);
		const after = await exchange(at, app, access_token);
		equal(await rejectedBy(at, after), [400, 'invalid_request', 'token.subject_token_active', 'access_revoked']);
	}),
	standardCase('ST-21 each wrong part of an exchange is named', async (at) => {
		const app = await service(at);
		const { access_token, refresh_token } = await standardTokens(at);
		const own = (await at.token({ grant_type: 'client_credentials' }, ...basic(app))).tokens.access_token;
		const actor_token_type = accessTokenType;
		const wrong: readonly (readonly [string, string | undefined, object])[] = [
			['subject_token_present', 'missing_field', { subject_token: '' }],
			['subject_token_present', 'wrong_token_type', { subject_token_type: 'x' }],
			['subject_token_present', 'wrong_token_type', { requested_token_type: 'x' }],
			['subject_token_active', 'unknown_token', { subject_token: 'x'.repeat(43) }],
			['subject_token_active', 'unknown_token', { subject_token: refresh_token }],
			['subject_token_active', 'no_user', { subject_token: own }],
			['actor_known', 'wrong_token_type', { actor_token: own }],
			['actor_known', 'unknown_token', { actor_token: 'x'.repeat(43), actor_token_type }],
			['actor_known', 'other_client', { actor_token: access_token, actor_token_type }]
		];
		for (const [id, cause, more] of wrong) {
			const response = await exchange(at, app, access_token, more);
			equal(await rejectedBy(at, response), [400, 'invalid_request', `token.${id}`, cause], `${id} ${cause}`);
		}
		let token = access_token;
		for (let times = 0; times < 5; times++) token = succeeded(await exchange(at, app, token)).tokens.access_token;
		const again = await exchange(at, app, token);
		equal(await rejectedBy(at, again), [400, 'invalid_request', 'token.actor_known', 'too_many_actors']);
		const fields = { grant_type, subject_token: access_token, subject_token_type: accessTokenType };
		equal((await at.token({ ...fields, client_id: 'pocket-companion' })).error, 'unauthorized_client');
		await at.changeSettings({ dialect: 'specification' });
		equal((await at.token({ ...fields, ...app })).error, 'unsupported_grant_type');
	}),
	standardCase('ST-21 a proof binds the new token to the key of the service', async (at) => {
		const [app, key] = [await service(at), await ProofKey.create()];
		const { access_token } = await standardTokens(at);
		const fields = { grant_type, subject_token: access_token, subject_token_type: accessTokenType };
		const { tokens } = succeeded(await key.token(at, fields, {}, ...basic(app)));
		equal(tokens.token_type, 'DPoP');
		succeeded(await key.character(at, tokens.access_token));
	})
];
