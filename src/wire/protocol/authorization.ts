import * as v from 'valibot';

/** The query of `GET /ws/oauth2/auth/` (specification, section 2.1). */
export const authorizationRequest = v.object({
	response_type: v.literal('code'),
	client_id: v.string(),
	redirect_uri: v.string(),
	scope: v.string(),
	state: v.optional(v.string()),
	access_type: v.optional(v.picklist(['online', 'offline'])),
	renew_previously_granted: v.optional(v.string()),
	/** PKCE (RFC 7636). */
	code_challenge: v.optional(v.string()),
	code_challenge_method: v.optional(v.literal('S256'))
});

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

/** What `GET` and `POST /ws/oauth2/auth/` show a program that prefers JSON. */
export const authorizationStep = v.variant('step', [signInStep, consentStep, redirectStep]);

/** `POST /ws/oauth2/auth/`: a sign-in or a decision. */
export const interactionForm = v.object({
	interaction: v.string(),
	username: v.optional(v.string()),
	password: v.optional(v.string()),
	decision: v.optional(v.string())
});

export type FormDescription = v.InferOutput<typeof formDescription>;
export type AuthorizationStep = v.InferOutput<typeof authorizationStep>;
