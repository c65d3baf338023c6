import * as account from '#wire/protocol/account.ts';
import * as authorization from '#wire/protocol/authorization.ts';
import { character } from '#wire/protocol/character.ts';
import { rateLimits, rateLimitStatus } from '#wire/protocol/rate-limits.ts';
import * as token from '#wire/protocol/token.ts';
import type { HeaderName, Operation, Operations } from './operation.ts';

const limitHeaders: readonly HeaderName[] = [
	'X-RateLimit-Limit',
	'X-RateLimit-Remaining',
	'X-RateLimit-Reset',
	'X-RateLimit-ResetTime'
];

const authorizationResponses: Operation['responses'] = {
	200: {
		description: 'The sign-in page, the consent page, or the page with the code (out-of-band).',
		json: authorization.authorizationStep,
		page: true
	},
	303: { description: 'The authorization response, or the next page.', headers: ['Location'] }
};

const resource = {
	tag: 'Resources',
	access: 'access token',
	errors: {
		400: 'More than one access token was sent, or the rate limit is exceeded (`rate_limit_exceeded`).',
		401: 'The access token is missing, unknown, expired or revoked.'
	}
} as const satisfies Partial<Operation>;

/** The endpoints of the specification, and the account page. */
export const protocolOperations: Operations = {
	'GET /ws/oauth2/auth/': {
		tag: 'Authorization',
		summary: 'Request authorization',
		description:
			'The client sends the user here (§ 2.1). Errors before the redirect URI is known are pages, later ones go to the redirect URI.',
		query: authorization.authorizationRequest,
		responses: authorizationResponses,
		errors: {
			400: 'The request has no valid `client_id` or `redirect_uri`, or its pending authorization has ended.',
			403: 'The pending authorization belongs to another browser.',
			429: 'The address started too many sign-ins.'
		}
	},
	'POST /ws/oauth2/auth/': {
		tag: 'Authorization',
		summary: 'Sign in or decide',
		description: 'The forms of the sign-in and the consent page. `form` of the page names their fields.',
		access: 'session',
		body: {
			form: true,
			schema: authorization.interactionForm,
			example: { interaction: 'INTERACTION', username: 'player-one', password: 'demo' }
		},
		responses: authorizationResponses,
		errors: {
			403: 'The user name or the password is wrong, or the form belongs to another browser or site.',
			413: 'The form is too long.',
			429: 'Too many attempts with this account or from this address.'
		}
	},
	'POST /ws/oauth2/token/': {
		tag: 'Tokens',
		summary: 'Get an access token',
		description:
			'Exchanges a code, or refreshes an access token (§ 2.3, § 2.4). The client sends its credentials in the form. A sandbox that is not strict also accepts HTTP Basic.',
		access: 'client credentials',
		body: {
			form: true,
			schema: token.tokenRequest,
			example: {
				grant_type: 'refresh_token',
				refresh_token: 'REFRESH_TOKEN',
				client_id: 'character-viewer',
				client_secret: 'viewer-secret'
			}
		},
		responses: { 200: { description: 'The tokens.', json: token.tokenResponse, xml: 'OAuth' } },
		errors: {
			400: 'The request is invalid, or the code or refresh token is not (`invalid_grant`).',
			401: 'No application has these credentials.',
			415: 'The body is compressed.',
			429: 'Too many wrong secrets.'
		}
	},
	'GET /ws/oauth2/revoke': {
		tag: 'Tokens',
		summary: 'Revoke access',
		description: 'Revokes the grant of a refresh token, and all tokens that were issued under it.',
		query: token.revocationRequest,
		destroys: true,
		responses: { 200: { description: 'The access is revoked.', json: token.revocation, xml: 'revocation' } },
		errors: { 400: 'The token is not an active refresh token of this application.', 429: 'Too many wrong tokens.' }
	},
	'GET /ws/v2.0/character/{character_name}': {
		...resource,
		summary: 'Read a character',
		description:
			'Needs `character_read`. Location, inventory and credits need their own permission, and belong to the user.',
		responses: { 200: { description: 'The character.', json: character, xml: 'character', headers: limitHeaders } },
		errors: {
			...resource.errors,
			403: 'The access token does not have the scope `character_read`.',
			404: 'No character has this name.'
		}
	},
	'GET /ws/v2.0/ratelimits': {
		...resource,
		summary: 'Read the rate limits',
		description: 'One record for each limited resource, for the address of the caller (§ 2.5).',
		responses: { 200: { description: 'The records.', json: rateLimits, xml: 'ratelimits', headers: limitHeaders } }
	},
	'GET /ratelimiting': {
		tag: 'Resources',
		summary: 'Read the status of this address',
		description: 'The only endpoint that responds to a blacklisted address (§ 8.5). Needs no access token.',
		responses: {
			200: { description: 'The status.', json: rateLimitStatus, xml: 'ratelimiting', page: true }
		},
		errors: { 400: 'The address sent more than 60 requests in this minute.' }
	},
	'GET /account': {
		tag: 'Authorization',
		summary: 'Open the account settings',
		description: 'The applications that the signed-in user gave access.',
		access: 'session',
		responses: { 200: { description: 'The account settings, or the sign-in form.', json: account.account, page: true } }
	},
	'POST /account': {
		tag: 'Authorization',
		summary: 'Change the account',
		description: 'Signs the user in or out, or revokes the access of an application.',
		access: 'session',
		destroys: true,
		body: {
			form: true,
			schema: account.accountForm,
			example: { action: 'sign-in', username: 'player-one', password: 'demo' }
		},
		responses: {
			200: { description: 'The sign-in form, if the session has ended.', json: account.account, page: true },
			303: { description: 'Done. The next page.', headers: ['Location'] }
		},
		errors: {
			400: 'The form has no valid action.',
			403: 'The password is wrong, or the form belongs to another session.',
			404: 'The application has no access.',
			413: 'The form is too long.',
			429: 'Too many attempts.'
		}
	}
};
