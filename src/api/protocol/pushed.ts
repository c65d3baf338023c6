import * as v from 'valibot';
import { declare } from '../declare.ts';
import { client } from './token.ts';

/** The reference to a request that a client pushed (RFC 9126, section 2.2). */
export const pushedResponse = v.object({
	request_uri: v.string(),
	/** Seconds. */
	expires_in: v.pipe(v.number(), v.integer())
});

const optional = v.optional(v.string());

/** Authorization requests that the client pushes (RFC 9126). */
export const pushedEndpoints = declare({
	'POST /ws/oauth2/par': {
		id: 'pushAuthorizationRequest',
		tag: 'Authorization',
		dialect: 'standard',
		bodyLimit: 16 * 1024,
		summary: 'Push an authorization request',
		description:
			'The client sends the parameters of its authorization request, and gets a `request_uri` (RFC 9126). The browser brings this and `client_id` only.',
		access: 'client credentials',
		body: {
			form: true,
			schema: v.object({
				...client,
				response_type: v.literal('code'),
				redirect_uri: v.string(),
				scope: optional,
				state: optional,
				code_challenge: optional,
				code_challenge_method: optional,
				resource: optional
			}),
			example: {
				client_id: 'character-viewer',
				client_secret: 'viewer-secret',
				response_type: 'code',
				redirect_uri: 'https://localhost:8443/viewer/callback',
				scope: 'character_read',
				code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
				code_challenge_method: 'S256'
			}
		},
		responses: { 201: { description: 'The request is stored.', json: pushedResponse, xml: 'pushed' } },
		errors: {
			400: 'The request is invalid.',
			401: 'No application has these credentials.',
			413: 'The form is too long.',
			415: 'The body is compressed.',
			429: 'Too many wrong secrets, or too many requests of this address.'
		}
	}
});

export type PushedResponse = v.InferOutput<typeof pushedResponse>;
