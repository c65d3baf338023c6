/** What a request can contain that a check reads: parameters of the query or the form, headers, and parts of the request line. */
export const readableParts = [
	'method',
	'path',
	'name',
	'query',
	'body',
	'address',
	'Authorization',
	'Content-Type',
	'Cookie',
	'DPoP',
	'Origin',
	'X-Tollgate-Address',
	'X-Tollgate-Key',
	'access_token',
	'access_type',
	'action',
	'actor_token',
	'actor_token_type',
	'audience',
	'client_assertion',
	'client_id',
	'client_secret',
	'code',
	'code_challenge',
	'code_challenge_method',
	'code_verifier',
	'csrf_token',
	'decision',
	'device_code',
	'dpop_jkt',
	'grant_type',
	'id_token_hint',
	'interaction',
	'login_hint',
	'max_age',
	'nonce',
	'password',
	'post_logout_redirect_uri',
	'prompt',
	'redirect_uri',
	'refresh_token',
	'registration',
	'request',
	'request_uri',
	'requested_token_type',
	'resource',
	'response_mode',
	'response_type',
	'scope',
	'state',
	'subject_token',
	'subject_token_type',
	'token',
	'user_code',
	'username'
] as const;

export type ReadablePart = (typeof readableParts)[number];

/**
 * What code has of a named step of a request, which passes, responds or fails. Its texts are in `src/content/checks`, by its id. A
 * check that can fail has a text for each of its causes.
 */
export type CheckRow = {
	/** The parts of the request that it reads. Absent: it reads the request as a whole, or none of it. */
	readonly reads?: readonly ReadablePart[];
	/** The parameter of the authorization request that set what it expects. */
	readonly setBy?: ReadablePart;
	/** It can respond to a request. `error`: its response can be an error. */
	readonly responds?: true | 'error';
	/** Changes of the request builder that it rejects, or accepts. */
	readonly mistakes?: readonly string[];
} & (
	| {
			/** It rejects no request. */
			readonly cannotFail: true;
	  }
	| {
			/** It rejects requests. */
			readonly failed: true;
			/** The causes that the service recognizes. */
			readonly causes?: readonly string[];
	  }
	| {
			/** Why it failed, for checks that fail for several causes. */
			readonly causes: readonly string[];
	  }
);

/** The causes of an unknown code or token that its form tells. */
export const damagedValue = ['blank_around', 'literal_nothing'] as const;

/** A part of the table of checks. */
export type CheckRows = Readonly<Record<string, CheckRow>>;
