import { signingKeysApi, type SigningKeys } from '#api/control/signing-keys.ts';
import { listSigningKeys, rotateSigningKey } from '../identity/signing-keys.ts';
import type { SigningKey } from '../sandbox/records.ts';
import { implement } from './control-endpoint.ts';

/** The keys that sign ID tokens. Only what is public leaves the service. */
export const signingKeysEndpoints = implement(signingKeysApi, {
	'GET /control/signing_keys': async (context) => describe(await listSigningKeys(context)),
	'POST /control/signing_keys': async (context, { body: { alg } }) => describe(await rotateSigningKey(context, alg))
});

function describe(keys: readonly SigningKey[]): SigningKeys {
	return { keys: keys.map(({ kid, alg, created }) => ({ kid, alg, created })) };
}
