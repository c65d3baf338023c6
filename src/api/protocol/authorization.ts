import * as v from 'valibot';
import { declare, type DeclaredResponse, onlyIn, requiredIn } from '../declare.ts';

/** The query of `GET /ws/oauth2/auth/` (specification, section 2.1). */
export const authorizationRequest = v.object({
	response_type: v.optional(v.pipe(v.literal('code'), requiredIn('specification'))),
	client_id: v.string(),
	redirect_uri: v.optional(v.pipe(v.string(), requiredIn('specification'))),
	scope: v.optional(v.pipe(v.string(), requiredIn('specification'))),
	state: v.optional(v.string()),
	access_type: v.optional(v.picklist(['online', 'offline'])),
	renew_previously_granted: v.optional(v.string()),
	/** PKCE (RFC 7636). */
	code_challenge: v.optional(v.pipe(v.string(), requiredIn('standard'))),
	code_challenge_method: v.optional(v.pipe(v.literal('S256'), requiredIn('standard'))),
	/** In place of all others but `client_id`, for a request that was pushed (RFC 9126). */
	request_uri: v.optional(v.pipe(v.string(), onlyIn('standard'))),
	/** With the scope `openid`. */
	nonce: v.optional(v.pipe(v.string(), onlyIn('standard'))),
	prompt: v.optional(v.pipe(v.string(), onlyIn('standard'))),
	max_age: v.optional(v.pipe(v.string(), onlyIn('standard'))),
	id_token_hint: v.optional(v.pipe(v.string(), onlyIn('standard'))),
	login_hint: v.optional(v.pipe(v.string(), onlyIn('standard'))),
	response_mode: v.optional(v.pipe(v.string(), onlyIn('standard'))),
	/** RFC 8707. May be sent more than once. */
	resource: v.optional(v.pipe(v.string(), onlyIn('standard'))),
	/** RFC 9449. */
	dpop_jkt: v.optional(v.pipe(v.string(), onlyIn('standard')))
});

/** The parameters of authorization responses (RFC 6749, section 4.1.2; RFC 9207). No registered redirect URI contains one. */
export const responseNames = ['code', 'state', 'iss', 'error', 'error_description'];

/** A form that a program can send in place of a browser. */
export const formDescription = v.object({
	method: v.literal('POST'),
	action: v.string(),
	fields: v.record(v.string(), v.string())
});

const interaction = {
	application: v.object({ client_id: v.string(), name: v.string(), kind: v.picklist(['web', 'installed']) }),
	redirect_uri: v.string(),
	access_type: v.picklist(['online', 'offline']),
	permissions: v.array(v.object({ name: v.string(), meaning: v.string(), granted_before: v.boolean() })),
	form: formDescription,
	inputs: v.array(v.string())
};

/** The sign-in page as data. */
export const signInStep = v.object({ step: v.literal('sign_in'), ...interaction, problem: v.optional(v.string()) });

/** The consent page as data. */
export const consentStep = v.object({ step: v.literal('consent'), username: v.string(), ...interaction });

/** An error that a browser would be redirected with. */
export const redirectStep = v.object({ step: v.literal('redirect'), location: v.string() });

/** An authorization response for a client that asked for `form_post`: the form that a browser posts to it. */
export const formPostStep = v.object({ step: v.literal('form_post'), form: formDescription });

/** What `GET` and `POST /ws/oauth2/auth/` show a program that prefers JSON. */
export const authorizationStep = v.variant('step', [signInStep, consentStep, redirectStep, formPostStep]);

/** A sign-in or a decision. */
const interactionForm = v.object({
	interaction: v.string(),
	username: v.optional(v.string()),
	password: v.optional(v.string()),
	decision: v.optional(v.string())
});

/** `POST /ws/oauth2/auth/`: a form of the pages, or in the dialect of today's standards an authorization request. */
const authorizationForm = v.union([interactionForm, authorizationRequest]);

const authorizationResponses: Readonly<Record<number, DeclaredResponse>> = {
	200: {
		description: 'The sign-in page, the consent page, or the page with the code (out-of-band).',
		json: authorizationStep,
		page: true
	},
	303: { description: 'The authorization response, or the next page.', headers: ['Location'] }
};

export const authorizationEndpoints = declare({
	'GET /ws/oauth2/auth/': {
		id: 'authorize',
		tag: 'Authorization',
		isPage: true,
		summary: 'Request authorization',
		description:
			'The client sends the user here (§ 2.1). Errors before the redirect URI is known are pages, later ones go to the redirect URI.',
		query: authorizationRequest,
		responses: authorizationResponses,
		errors: {
			400: 'The request has no valid `client_id` or `redirect_uri`, or its pending authorization has ended.',
			403: 'The pending authorization belongs to another browser.',
			429: 'The address started too many sign-ins.'
		}
	},
	'POST /ws/oauth2/auth/': {
		id: 'submitInteraction',
		tag: 'Authorization',
		isPage: true,
		summary: 'Sign in or decide',
		description:
			'The forms of the sign-in and the consent page. `form` of the page names their fields. In the dialect of today’s standards a client can send its authorization request as a form, too.',
		access: 'session',
		body: {
			form: true,
			schema: authorizationForm,
			example: { interaction: 'INTERACTION', username: 'player-one', password: 'demo' }
		},
		responses: authorizationResponses,
		errors: {
			403: 'The user name or the password is wrong, or the form belongs to another browser or site.',
			413: 'The form is too long.',
			429: 'Too many attempts with this account or from this address.'
		}
	}
});

export type FormDescription = v.InferOutput<typeof formDescription>;
