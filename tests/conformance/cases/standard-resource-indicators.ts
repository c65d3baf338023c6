import { defined, equal } from '../assert.ts';
import type { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';
import {
	basic,
	codeWithPkce,
	introspect,
	readCharacter,
	standardCase,
	standardStoreCase,
	verifier
} from '../standard.ts';

const other = 'https://other.example/';

/** Exchanges a code that was requested for some resources. */
async function exchange(at: Sandbox, asked: string | undefined, sent?: string): Promise<TestResponse> {
	const code = await codeWithPkce(at.user(), at.viewer, asked === undefined ? {} : { resource: asked });
	const { client_secret: _, ...fields } = at.viewer;
	const resource = sent === undefined ? {} : { resource: sent };
	const form = { grant_type: 'authorization_code', code, code_verifier: verifier, ...fields, ...resource };
	return at.token(form, ...basic(at.viewer));
}

/** ST-12: tokens for some resources (RFC 8707). */
export const standardResourceIndicatorCases = [
	standardStoreCase('ST-12 a token works at the resource that was named, and at no other', async (at) => {
		const characters = `${at.base_url}/ws/v2.0/character`;
		const { access_token, refresh_token } = (await exchange(at, characters)).tokens;
		equal((await readCharacter(at, access_token)).status, 200);
		const limits = await at.get('/ws/v2.0/ratelimits', 'Authorization', `Bearer ${access_token}`);
		equal([limits.status, limits.error], [401, 'invalid_token']);
		equal(await at.failedCheck(limits), 'access_token.for_this_resource');
		equal(Object((await introspect(at, access_token)).json()).aud, [characters]);
		const fields = { grant_type: 'refresh_token', refresh_token: defined(refresh_token, 'refresh_token') };
		const wider = await at.token({ ...fields, resource: other }, ...basic(at.viewer));
		equal([wider.status, wider.error], [400, 'invalid_target']);
		equal(await at.failedCheck(wider), 'token.resource_granted');
		const { access_token: next } = (await at.token(fields, ...basic(at.viewer))).tokens;
		equal((await readCharacter(at, next)).status, 200);
		equal((await at.get('/ws/v2.0/ratelimits', 'Authorization', `Bearer ${next}`)).status, 401);
	}),
	standardCase('ST-12 the base URL is a resource above all others, and a longer name is none', async (at) => {
		for (const resource of [at.base_url, `${at.base_url}/`, `${at.base_url}/ws/v2.0/character/Mara%20Vell`])
			equal((await readCharacter(at, (await exchange(at, resource)).tokens.access_token)).status, 200, resource);
		for (const resource of [other, `${at.base_url}/mcp`, `${at.base_url}/ws/v2.0/char`, `${at.base_url}x`])
			equal((await readCharacter(at, (await exchange(at, resource)).tokens.access_token)).status, 401, resource);
	}),
	standardCase('ST-12 a code for one resource is exchanged for no other, and stays usable', async (at) => {
		const response = await exchange(at, at.base_url, other);
		equal([response.status, response.error], [400, 'invalid_target']);
	}),
	standardCase('ST-12 a token request alone can name a resource', async (at) => {
		const { access_token } = (await exchange(at, undefined, other)).tokens;
		equal((await readCharacter(at, access_token)).status, 401);
		const own = await at.token({ grant_type: 'client_credentials', resource: at.base_url }, ...basic(at.viewer));
		equal((await readCharacter(at, own.tokens.access_token)).status, 200);
	}),
	standardCase('ST-12 more than ten resources are too many', async (at) => {
		const resources = Array.from({ length: 11 }, (_, at) => ['resource', `https://${at}.example/`] as const);
		const response = await at.token([['grant_type', 'client_credentials'], ...resources], ...basic(at.viewer));
		equal([response.status, response.error], [400, 'invalid_target']);
	})
];
