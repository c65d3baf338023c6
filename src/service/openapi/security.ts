import type { OperationObject, SecurityScheme } from './document-types.ts';
import type { Operation } from './operations.ts';

/** The ways to send a credential. */
export const securitySchemes: Readonly<Record<string, SecurityScheme>> = {
	sandboxKey: {
		type: 'apiKey',
		in: 'header',
		name: 'X-Tollgate-Key',
		description:
			'The key of the sandbox or of the class, or `ADMIN_KEY`. A root sandbox without `ADMIN_KEY` needs none.'
	},
	ownerCookie: {
		type: 'apiKey',
		in: 'cookie',
		name: '__Host-tollgate-owner',
		description: 'The browser that created the sandbox has it. A suffix of the name separates sandboxes.'
	},
	classCookie: {
		type: 'apiKey',
		in: 'cookie',
		name: '__Host-tollgate-class',
		description: 'The browser that opened the class has it. A suffix of the name separates classes.'
	},
	sessionCookie: {
		type: 'apiKey',
		in: 'cookie',
		name: '__Host-tollgate-session',
		description: 'The browser in which a user signed in has it. A suffix of the name separates sandboxes.'
	},
	accessToken: {
		'x-dialect': 'specification',
		// The registered scheme `oauth` is OAuth 1.0 (RFC 5849), and generators sign requests with it or send nothing.
		type: 'apiKey',
		in: 'header',
		name: 'Authorization',
		description: 'The word `OAuth`, a space and the access token. A sandbox that is not strict also accepts `Bearer`.'
	},
	accessTokenInQuery: {
		'x-dialect': 'specification',
		type: 'apiKey',
		in: 'query',
		name: 'access_token',
		description: 'The access token. Logs and browser histories store it.'
	},
	bearerToken: {
		'x-dialect': 'standard',
		type: 'http',
		scheme: 'bearer',
		description: 'The access token.'
	},
	clientBasic: {
		'x-dialect': 'standard',
		type: 'http',
		scheme: 'basic',
		description: '`client_id` and `client_secret`.'
	}
};

/** The credentials that an operation accepts. An empty object: none is needed. */
export function describeSecurity({ isControl, access }: Operation): OperationObject['security'] {
	if (isControl && access === undefined) return [{ sandboxKey: [] }, { ownerCookie: [] }];
	if (access === 'class') return [{ sandboxKey: [] }, { classCookie: [] }];
	if (isControl) return [{}, { sandboxKey: [] }, { ownerCookie: [] }];
	if (access === 'access token') return [{ bearerToken: [] }, { accessToken: [] }, { accessTokenInQuery: [] }];
	if (access === 'client credentials') return [{}, { clientBasic: [] }];
	return access === 'session' ? [{}, { sessionCookie: [] }] : [{}];
}
