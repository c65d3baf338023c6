import type { DialectPart } from '#api/providers/dialect-schema.ts';
import type { ControlApi } from '../control-api/control-api.ts';
import { curve, signJwt } from '../sign-jwt.ts';

/**
 * The secret of a client of a provider whose secrets are JWTs: registers a new key for the client, and signs with it.
 * @param key of the sandbox; undefined where its cookie is sent
 * @returns undefined where the provider has other secrets
 * @throws ControlError
 */
export async function createSecretJwt(
	api: ControlApi,
	key: string | undefined,
	client_id: string,
	{ secretJwt, idToken }: Pick<DialectPart, 'secretJwt' | 'idToken'>
): Promise<string | undefined> {
	if (secretJwt === undefined) return undefined;
	const keys = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
	const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', keys.publicKey);
	await api.request('PATCH /control/applications/{client_id}', {
		...(key !== undefined && { key }),
		path: { client_id },
		body: { jwks: { keys: [{ kty: 'EC', crv: 'P-256', x, y }] } }
	});
	const now = Math.floor(Date.now() / 1000);
	const claims = { iss: 'team', sub: client_id, aud: idToken?.issuer, iat: now, exp: now + secretJwt };
	return signJwt({ kid: 'key' }, claims, keys.privateKey);
}
