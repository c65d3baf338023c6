import * as v from 'valibot';
import { defined, equal, ok } from '../assert.ts';
import { bytesOf, isVerified, keyedCase, rotate } from '../openid.ts';
import {
	basic,
	introspect,
	readCharacter,
	refreshWithBasic,
	revokeWithBasic,
	standardStoreCase,
	standardTokens
} from '../standard.ts';

const header = v.object({ alg: v.string(), kid: v.string(), typ: v.string() });
const claims = v.strictObject({
	iss: v.string(),
	aud: v.union([v.string(), v.array(v.string())]),
	sub: v.string(),
	client_id: v.string(),
	scope: v.string(),
	exp: v.number(),
	iat: v.number(),
	jti: v.string()
});
const on = { jwt_access_tokens: true };

function parse(text: string) {
	const [first = '', second = ''] = text.split('.');
	const read = (part: string): unknown => JSON.parse(new TextDecoder().decode(bytesOf(part)));
	return { header: v.parse(header, read(first)), claims: v.parse(claims, read(second)), text };
}

/** ST-13: access tokens that a resource server can verify (RFC 9068). */
export const standardJwtAccessTokenCases = [
	standardStoreCase('ST-13 a signed access token works, and is refreshed, described and revoked', async (at) => {
		await rotate(at, 'ES256');
		await at.changeSettings(on);
		const first = await standardTokens(at);
		equal((await readCharacter(at, first.access_token)).status, 200);
		const { access_token } = (await refreshWithBasic(at, first.refresh_token)).tokens;
		equal(parse(access_token).claims.sub, 'player-one');
		ok(parse(access_token).claims.jti !== parse(first.access_token).claims.jti, 'another jti');
		ok((await introspect(at, access_token)).text.includes('"active":true'), 'active');
		equal((await revokeWithBasic(at, access_token)).status, 200);
		const read = await readCharacter(at, access_token);
		equal([read.status, read.error], [401, 'invalid_token']);
		ok(
			!(await at.controlled('GET', 'traffic')).text.includes(access_token.split('.')[2] ?? ''),
			'no signature in the log'
		);
	}),
	keyedCase('ST-13 a published key verifies the token, whose claims are those of the request', async (at) => {
		await at.changeSettings({ ...on, lifetimes: { access_token: 90 } });
		const { access_token, scope } = await standardTokens(at);
		const token = parse(access_token);
		equal(token.header.typ, 'at+jwt');
		ok(await isVerified(at, token), 'verified');
		const { iss, aud, client_id, exp, iat } = token.claims;
		equal([iss, aud, client_id, exp - iat], [at.base_url, at.base_url, at.viewer.client_id, 90]);
		equal(token.claims.scope, scope);
	}),
	keyedCase('ST-13 the audience is the resource that was named, and sub of a client is no user name', async (at) => {
		await at.changeSettings(on);
		const own = { grant_type: 'client_credentials' };
		const [one, two] = [`${at.base_url}/mcp`, 'https://api.example/'];
		const single = parse((await at.token({ ...own, resource: one }, ...basic(at.viewer))).tokens.access_token);
		equal([single.claims.aud, single.claims.sub], [one, `client:${at.viewer.client_id}`]);
		const both = Object.entries(own).concat([
			['resource', one],
			['resource', two]
		]);
		equal(parse((await at.token(both, ...basic(at.viewer))).tokens.access_token).claims.aud, [one, two]);
		equal((await readCharacter(at, single.text)).status, 401, 'at another resource');
	}),
	keyedCase('ST-13 a changed token is unknown, and the setting ends nothing that was issued', async (at) => {
		const opaque = (await standardTokens(at)).access_token;
		equal(opaque.length, 43);
		await at.changeSettings(on);
		const { access_token } = await standardTokens(at);
		const [first = '', second = '', third = ''] = access_token.split('.');
		const none = btoa('{"alg":"none","typ":"at+jwt"}').replaceAll('=', '');
		for (const changed of [`${none}.${second}.`, `${none}.${second}.${third}`, `${first}.${second}.${third}x`])
			equal((await readCharacter(at, changed)).status, 401);
		await at.changeSettings({ jwt_access_tokens: false });
		for (const token of [opaque, access_token]) equal((await readCharacter(at, token)).status, 200);
	}),
	keyedCase('ST-13 a token expires by the clock, and the specification has opaque tokens only', async (at) => {
		await at.changeSettings({ ...on, lifetimes: { access_token: 60 } });
		const { access_token, refresh_token } = await standardTokens(at);
		await at.advance(61);
		equal((await readCharacter(at, access_token)).status, 401);
		await at.changeSettings({ dialect: 'specification' });
		equal(defined((await at.refresh(refresh_token)).tokens.access_token, 'access_token').length, 43);
	})
];
