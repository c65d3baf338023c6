import * as v from 'valibot';
import { declare } from '../declare.ts';
import { signingAlgorithms } from '../protocol/openid.ts';

/** How many keys of a sandbox are published. */
export const maxSigningKeys = 3;

/** `GET signing_keys`, newest first. The newest signs. */
export const signingKeys = v.object({
	keys: v.array(
		v.object({
			kid: v.string(),
			alg: v.picklist(signingAlgorithms),
			/** Unix seconds, sandbox clock. */
			created: v.number()
		})
	)
});

/** `POST signing_keys`. */
export const newSigningKey = v.strictObject({
	/** Absent: that of the key before. */
	alg: v.exactOptional(v.picklist(signingAlgorithms, 'Use RS256 or ES256.'))
});

export const signingKeysApi = declare({
	'GET /control/signing_keys': {
		id: 'listSigningKeys',
		tag: 'Settings and faults',
		summary: 'List the signing keys',
		description:
			'Lists the keys of ID tokens, newest first. The newest signs. The first is created when a client needs it. Private keys never leave the service.',
		responses: { 200: { description: 'The keys.', json: signingKeys } }
	},
	'POST /control/signing_keys': {
		id: 'rotateSigningKey',
		tag: 'Settings and faults',
		summary: 'Rotate the signing key',
		description: `Creates a key, which signs ID tokens from now on. \`alg\` is \`RS256\` or \`ES256\`. The ${maxSigningKeys} newest keys stay published, so ID tokens of the key before can be verified.`,
		body: { schema: newSigningKey, example: { alg: 'ES256' } },
		responses: { 201: { description: 'The keys.', json: signingKeys } }
	}
});

export type SigningKeys = v.InferOutput<typeof signingKeys>;
