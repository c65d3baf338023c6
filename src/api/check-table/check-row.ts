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

/** What a check requires in the dialect of today's standards. */
export type StandardRow = {
	readonly section: string;
	/** Where it requires something else than in the specification. */
	readonly title?: string;
};

type RequiredByStandard = {
	/** The section of a standard that requires the check: "RFC 6749 §5.2". Empty if none does. */
	readonly section: '' | `${string} §${string}`;
	/** Where another section requires it in the dialect of today's standards. */
	readonly standard?: StandardRow;
};

type RequiredBySpecification = {
	/** The section of the specification that requires the check: "2.3". */
	readonly section: `${number}`;
	/** What requires it in the dialect of today's standards. `same`: no standard does. */
	readonly standard: StandardRow | 'same';
};

/** A named step of a request, which passes, responds or fails. A check that can fail says so for each of its causes. */
export type CheckRow = {
	/** What holds if the check passed, for readers of a trace. */
	readonly title: string;
	/** The parts of the request that it reads. Absent: it reads the request as a whole, or none of it. */
	readonly reads?: readonly ReadablePart[];
	/** The parameter of the authorization request that set what it expects. */
	readonly setBy?: ReadablePart;
	/** The outcome of a request that the check responds to. `{resource}` is what the world calls its resource, `{kind}` the kind of a request for records, `{page}` the page that was sent. */
	readonly responds?: string;
} & (RequiredBySpecification | RequiredByStandard) &
	(
		| {
				/** It rejects no request. */
				readonly cannotFail: true;
		  }
		| {
				/** The outcome of a request that it rejects, as in "invalid_grant · unknown code". */
				readonly failed: string;
				/** The outcomes for causes that the service recognizes. */
				readonly causes?: Readonly<Record<string, string>>;
		  }
		| {
				/** Why it failed, for checks that fail for several causes, with the outcome of each. */
				readonly causes: Readonly<Record<string, string>>;
		  }
	);

/** The causes of an unknown code or token that its form tells. */
export const damagedValue = {
	blank_around: 'blanks around the value',
	literal_nothing: 'text such as undefined in place of a value'
} as const;

/** A part of the table of checks. */
export type CheckRows = Readonly<Record<string, CheckRow>>;
