import * as v from 'valibot';
import { declare } from '../declare.ts';
import { client } from './token.ts';

/** The codes of a device (RFC 8628, section 3.2). */
export const deviceAuthorization = v.object({
	device_code: v.string(),
	user_code: v.string(),
	verification_uri: v.string(),
	verification_uri_complete: v.string(),
	/** Seconds. */
	expires_in: v.pipe(v.number(), v.integer()),
	interval: v.pipe(v.number(), v.integer())
});

const page = {
	tag: 'Authorization',
	dialect: 'standard',
	isPage: true,
	access: 'session'
} as const;

/** Access of a device without a browser (RFC 8628). */
export const deviceEndpoints = declare({
	'POST /ws/oauth2/device_authorization': {
		id: 'authorizeDevice',
		tag: 'Authorization',
		dialect: 'standard',
		bodyLimit: 16 * 1024,
		summary: 'Ask for device codes',
		description:
			'A device without a browser gets a code for its user and one to poll with (RFC 8628). The user enters the first one at `verification_uri`.',
		access: 'client credentials',
		body: {
			form: true,
			schema: v.object({ ...client, scope: v.optional(v.string()) }),
			example: { client_id: 'pocket-companion', scope: 'character_read' }
		},
		responses: { 200: { description: 'The codes.', json: deviceAuthorization, xml: 'device' } },
		errors: {
			400: 'The request is invalid.',
			401: 'No application has these credentials.',
			415: 'The body is compressed.',
			429: 'Too many wrong secrets, or too many devices of this address.'
		}
	},
	'GET /ws/oauth2/device': {
		...page,
		id: 'openDevicePage',
		summary: 'Enter the code of a device',
		description: 'The user signs in, enters the code that the device shows, and allows or denies access.',
		query: v.object({ user_code: v.optional(v.string()) }),
		responses: { 200: { description: 'The sign-in form, the form for the code, or the question.', page: true } },
		errors: { 400: 'No device waits with this code.', 429: 'Too many unknown codes.' }
	},
	'POST /ws/oauth2/device': {
		...page,
		id: 'decideDevice',
		summary: 'Decide about a device',
		description: 'Signs the user in, or records the decision.',
		body: {
			form: true,
			schema: v.object({
				csrf_token: v.optional(v.string()),
				user_code: v.optional(v.string()),
				username: v.optional(v.string()),
				password: v.optional(v.string()),
				decision: v.optional(v.picklist(['approve', 'deny', 'switch']))
			}),
			example: { user_code: 'WDJB-MJHT', username: 'player-one', password: 'demo' }
		},
		responses: {
			200: { description: 'The decision is recorded, or the form for another code.', page: true },
			303: { description: 'Signed in or out. The page again.', headers: ['Location'] }
		},
		errors: {
			400: 'The body is not a form.',
			403: 'The password is wrong, or the form belongs to another session.',
			413: 'The form is too long.',
			429: 'Too many attempts.'
		}
	}
});

export type DeviceAuthorizationResponse = v.InferOutput<typeof deviceAuthorization>;
