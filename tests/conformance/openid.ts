import * as v from 'valibot';
import { idTokenClaims } from '#api/protocol/openid.ts';
import { defined, ok } from './assert.ts';
import type { App, Sandbox } from './sandbox.ts';
import { codeWithPkce, exchangeWithPkce, standardCase } from './standard.ts';
import type { AuthorizationParameters, TestUser } from './user-agent.ts';

const keySet = v.object({ keys: v.array(v.looseObject({ kid: v.string(), alg: v.string(), kty: v.string() })) });
const header = v.object({ alg: v.string(), typ: v.string(), kid: v.optional(v.string()) });
const claims = v.looseObject(idTokenClaims.entries);
const tokenBody = v.object({ access_token: v.string(), id_token: v.string(), scope: v.string() });

/** The parts of an ID token. */
export type IdToken = {
	readonly header: v.InferOutput<typeof header>;
	readonly claims: v.InferOutput<typeof claims>;
	readonly text: string;
};

const verifying = {
	RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
	ES256: { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' }
} as const;

/** Bytes of base64url. */
export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
	const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
	return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function parseIdToken(text: string): IdToken {
	const [first = '', second = ''] = text.split('.');
	const parse = (part: string): unknown => JSON.parse(new TextDecoder().decode(bytesOf(part)));
	return { header: v.parse(header, parse(first)), claims: v.parse(claims, parse(second)), text };
}

/** Signs a user in with the scope `openid`, and returns the tokens. */
export async function signIn(
	at: Sandbox,
	asked: AuthorizationParameters = {},
	user: TestUser = at.user(),
	app: App = at.viewer
): Promise<{ readonly access_token: string; readonly scope: string; readonly id: IdToken }> {
	const code = await codeWithPkce(user, app, { scope: 'openid', ...asked });
	const { access_token, scope, id_token } = (await exchangeWithPkce(at, code, app)).as(tokenBody);
	return { access_token, scope, id: parseIdToken(id_token) };
}

export async function publicKeys(at: Sandbox): Promise<v.InferOutput<typeof keySet>['keys']> {
	return (await at.get('/ws/oauth2/jwks')).as(keySet).keys;
}

/** Whether a published key verifies a token. */
export async function isVerified(
	at: Sandbox,
	{ header: { alg, kid }, text }: Pick<IdToken, 'header' | 'text'>
): Promise<boolean> {
	const jwk = (await publicKeys(at)).find((key) => key.kid === kid);
	if (jwk === undefined || (alg !== 'RS256' && alg !== 'ES256')) return false;
	ok(jwk.alg === alg, 'the key has the algorithm of the token');
	const key = await crypto.subtle.importKey('jwk', { ...jwk }, verifying[alg], false, ['verify']);
	const end = text.lastIndexOf('.');
	const signed = new TextEncoder().encode(text.slice(0, end));
	return crypto.subtle.verify(verifying[alg], key, bytesOf(text.slice(end + 1)), signed);
}

/** Rotates the key, and returns the id of the new one. */
export async function rotate(at: Sandbox, alg?: 'RS256' | 'ES256'): Promise<string> {
	const response = await at.controlled('POST', 'signing_keys', alg === undefined ? {} : { alg });
	const { keys } = response.as(v.object({ keys: v.array(v.object({ kid: v.string() })) }));
	return defined(keys[0], 'the new key').kid;
}

/** A case with a key of ES256, which is made in a hundredth of the time of one of RS256. */
export const keyedCase: typeof standardCase = (name, run) =>
	standardCase(name, async (at) => {
		await rotate(at, 'ES256');
		await run(at);
	});
