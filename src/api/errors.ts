/** The error codes that only the dialect of today's standards has. `serviceErrors` has their type. */
const standardErrors = {
	// RFC 6749, section 5.2
	unauthorized_client: {
		status: 400,
		title: 'Grant not allowed',
		cause: 'The application may not use this `grant_type`: it is for clients that keep a secret.',
		fix: 'Register a web application, or sign a user in.',
		section: '7',
		action: 'none'
	},
	// RFC 8628, section 3.5
	authorization_pending: {
		status: 400,
		title: 'Authorization pending',
		cause: 'The user has not entered the code of the device, or has not decided yet.',
		fix: 'Send the same request again after `interval` seconds.',
		section: '7',
		action: 'wait'
	},
	slow_down: {
		status: 400,
		title: 'Polling too fast',
		cause: 'The device sent its request before the interval had passed.',
		fix: 'Wait 5 seconds longer than before, for all further requests.',
		section: '7',
		action: 'wait'
	},
	expired_token: {
		status: 400,
		title: 'Device code expired',
		cause: 'The user did not decide in time.',
		fix: 'Stop polling. Ask for new codes when the user wants to try again.',
		section: '7',
		action: 'none'
	},
	// RFC 9449, sections 5 and 8
	invalid_dpop_proof: {
		status: 400,
		title: 'Invalid DPoP proof',
		cause: 'The header `DPoP` is missing, or its proof is not for this request, too old, or used before.',
		fix: 'Sign a new proof for each request, with its method and URL.',
		section: '7',
		action: 'none'
	},
	use_dpop_nonce: {
		status: 400,
		title: 'DPoP nonce required',
		cause: 'The DPoP proof has no nonce of the service, or an old one.',
		fix: 'Send the request again, with a new proof that has the nonce of `DPoP-Nonce`.',
		section: '7',
		action: 'retry'
	},
	// OpenID Connect Core 1.0, section 3.1.2.6
	login_required: {
		status: 403,
		redirect: 'only',
		title: 'Sign-in required',
		cause: 'A request with `prompt=none` found no user who is signed in, or the sign-in is older than `max_age`.',
		fix: 'Send the user to the authorization endpoint without `prompt=none`.',
		section: '7',
		action: 'sign-in'
	},
	consent_required: {
		status: 403,
		redirect: 'only',
		title: 'Consent required',
		cause: 'A request with `prompt=none` asked for more than the user has granted.',
		fix: 'Send the user to the authorization endpoint without `prompt=none`.',
		section: '7',
		action: 'sign-in'
	},
	interaction_required: {
		status: 403,
		redirect: 'only',
		title: 'Interaction required',
		cause: 'A request with `prompt=none` needs a page: the application is installed, or the request is no navigation.',
		fix: 'Send the user to the authorization endpoint without `prompt=none`.',
		section: '7',
		action: 'sign-in'
	},
	request_not_supported: {
		status: 400,
		redirect: 'only',
		title: 'Request object not supported',
		cause: 'The request has the parameter `request`, which this service does not read.',
		fix: 'Send the parameters in the query, without `request`.',
		section: '7',
		action: 'none'
	},
	// RFC 9126, RFC 9101, section 7
	invalid_request_uri: {
		status: 400,
		title: 'Invalid request URI',
		cause: 'The `request_uri` is unknown, was used, has expired, or belongs to another application.',
		fix: 'Push the request again, and use the new `request_uri` once, at once.',
		section: '7',
		action: 'none'
	},
	request_uri_not_supported: {
		status: 400,
		redirect: 'only',
		title: 'Request URI not supported',
		cause: '`request_uri` is the address of a request object, which this service does not read.',
		fix: 'Push the request and send the `request_uri` of the response, or send the parameters in the query.',
		section: '7',
		action: 'none'
	},
	registration_not_supported: {
		status: 400,
		redirect: 'only',
		title: 'Registration parameter not supported',
		cause: 'The request has the parameter `registration`, which this service does not read.',
		fix: 'Register the client before, and leave `registration` out.',
		section: '7',
		action: 'none'
	},
	// RFC 8707, section 2
	invalid_target: {
		status: 400,
		redirect: 'also',
		title: 'Invalid resource',
		cause:
			'A value of `resource` is no absolute URI, or has a fragment. Or a token request names one that the authorization request did not.',
		fix: 'Send the URL of the resource in both requests, or leave `resource` out.',
		section: '7',
		action: 'none'
	},
	// RFC 7591, section 3.2.2
	invalid_redirect_uri: {
		status: 400,
		title: 'Invalid redirect URI',
		cause: 'A client that registers itself sent a redirect URI that is not allowed.',
		fix: 'Send HTTPS, loopback or private-use URIs without a fragment and without parameters of responses.',
		section: '5',
		action: 'none'
	},
	invalid_client_metadata: {
		status: 400,
		title: 'Invalid client metadata',
		cause: 'A client that registers itself sent metadata that is malformed or not supported.',
		fix: 'Correct the field that the description names.',
		section: '5',
		action: 'none'
	}
} as const;

/** What the pages, the command line and the documentation say about an error. `backticks` mark code. */
export type ErrorText = {
	/** What happened. */
	readonly title: string;
	readonly cause: string;
	readonly fix: string;
	readonly section: string;
	/** What a page can offer as a button. */
	readonly action: 'sign-in' | 'retry' | 'wait' | 'settings' | 'support' | 'none';
	/** Of the command line. Absent: 1. */
	readonly exitCode?: number;
};

/** An error code that leaves the service. */
export type ServiceError = ErrorText & {
	/** Unless the error says otherwise. */
	readonly status: number;
	/** Whether the authorization endpoint sends it to `redirect_uri`, and whether other endpoints send it as well. */
	readonly redirect?: 'only' | 'also';
};

/** The error codes of the service that its clients meet, protocol spelling. Pages load them. */
export const protocolErrors = {
	// RFC 6749, sections 4.1.2.1 and 5.2
	invalid_request: {
		status: 400,
		title: 'Invalid request',
		cause:
			'A parameter is missing, present twice, or malformed. Or the request has two access tokens, or credentials in the wrong place.',
		fix: 'Correct the parameter that the description names.',
		section: '7',
		action: 'none'
	},
	invalid_client: {
		status: 401,
		title: 'Invalid client credentials',
		cause: '`client_id` and `client_secret` don’t match, or the application was deleted.',
		fix: 'Copy both from the registration. A secret is shown once.',
		section: '5',
		action: 'settings'
	},
	invalid_grant: {
		status: 400,
		title: 'Code is invalid or expired',
		cause:
			'The code or refresh token is unknown, expired, revoked or already used, or belongs to another application or redirect URI. Or `code_verifier` is wrong.',
		fix: 'Sign in again. A code works once, within 600 seconds.',
		section: '3.1',
		action: 'sign-in'
	},
	invalid_scope: {
		status: 400,
		redirect: 'also',
		title: 'Invalid scope',
		cause: 'A permission in `scope` is unknown, or was not granted.',
		fix: 'Choose from the listed permissions, separated by spaces, and sign in again.',
		section: '2.1',
		action: 'sign-in'
	},
	unsupported_grant_type: {
		status: 400,
		title: 'Unsupported grant type',
		cause: 'The dialect of the sandbox does not have this `grant_type`, or it is misspelled.',
		fix: 'Send one that the description names, spelled exactly so.',
		section: '2.3',
		action: 'none'
	},
	unsupported_response_type: {
		status: 400,
		redirect: 'only',
		title: 'Unsupported response type',
		cause: 'The service supports `response_type=code` only.',
		fix: 'Send `response_type=code`.',
		section: '2.1',
		action: 'sign-in'
	},
	access_denied: {
		status: 403,
		redirect: 'only',
		title: 'Access denied',
		cause: 'The user chose Deny, so no code was issued.',
		fix: 'Request fewer permissions, or sign in again to allow access.',
		section: '7',
		action: 'sign-in',
		exitCode: 4
	},
	server_error: {
		status: 500,
		title: 'Server error',
		cause: 'The service returned a server error.',
		fix: 'Try again in a moment. If it fails again, report the request id.',
		section: '7',
		action: 'retry'
	},
	temporarily_unavailable: {
		status: 503,
		title: 'Service unavailable',
		cause: 'The service is overloaded, a store is full, a fault was injected, or Redis cannot be reached.',
		fix: 'Try again after `Retry-After`. Reset a full sandbox, or delete the fault.',
		section: '7',
		action: 'retry'
	},
	// RFC 6750, section 3.1
	invalid_token: {
		status: 401,
		title: 'Invalid access token',
		cause: 'It is missing, expired, revoked, not issued by this service, or sent with another scheme than `OAuth`.',
		fix: 'Refresh the token, or sign in again.',
		section: '5',
		action: 'sign-in'
	},
	insufficient_scope: {
		status: 403,
		title: 'Missing permission',
		cause: 'The access token is valid, but the user did not grant the permission for this request.',
		fix: 'Request the permission that `WWW-Authenticate` names.',
		section: '5',
		action: 'sign-in'
	},
	// this service
	rate_limit_exceeded: {
		status: 400,
		title: 'Rate limit exceeded',
		cause:
			'All requests of the window are used. They are counted per IP address. At `/ratelimiting`: more than 60 requests in a minute.',
		fix: 'Wait for the reset. 100 rejected requests in one window blacklist the address.',
		section: '3.3',
		action: 'wait',
		exitCode: 6
	},
	too_many_attempts: {
		status: 429,
		title: 'Too many attempts',
		cause:
			'Too many wrong passwords, secrets, keys or sandbox ids came from this address, or too many new sandboxes, sign-ins or access tokens.',
		fix: 'Wait as long as `Retry-After` says, then try again.',
		section: '8',
		action: 'wait'
	},
	not_found: {
		status: 404,
		title: 'Name not found',
		cause:
			'There is no character, sandbox, application, account, ticket or log entry with this name. Names must match exactly, including accents and punctuation.',
		fix: 'Check the spelling, or try one of the suggested names. A program encodes a name once: a slash is `%2F`.',
		section: '4',
		action: 'none'
	}
} as const satisfies Readonly<Record<string, ServiceError>>;

/** All error codes of the service. */
export const serviceErrors = {
	...protocolErrors,
	...standardErrors,
	method_not_allowed: {
		status: 405,
		title: 'Method not allowed',
		cause: 'The path does not accept this method.',
		fix: 'Use a method of the `Allow` header.',
		section: '4',
		action: 'none'
	},
	payload_too_large: {
		status: 413,
		title: 'Request too large',
		cause: 'The body is longer than the path accepts.',
		fix: 'Send a shorter body.',
		section: '4',
		action: 'none'
	},
	unsupported_media_type: {
		status: 415,
		title: 'Compressed request',
		cause: 'The body of a token request has a `Content-Encoding`.',
		fix: 'Send it uncompressed.',
		section: '2.3',
		action: 'none'
	},
	forbidden: {
		status: 403,
		title: 'Request not allowed',
		cause:
			'The sandbox key is missing or wrong. Or a form was sent from another site, from another browser session, or after the request had been completed.',
		fix: 'Send `X-Tollgate-Key`. For a form: reload the page, allow cookies, and send it again.',
		section: '5',
		action: 'none'
	},
	conflict: {
		status: 409,
		title: 'Conflict',
		cause:
			'An account with this name exists, a ticket was closed with another decision, or messages are to be held although several servers are one service.',
		fix: 'Choose another name. Read the ticket before you decide. Hold messages on a server with its own store.',
		section: '7',
		action: 'none'
	},
	limit_reached: {
		status: 409,
		title: 'Limit reached',
		cause:
			'The sandbox or server cannot hold more sandboxes, applications, accounts, faults, tickets or event streams, or its memory is used up.',
		fix: 'Delete one that is no longer needed.',
		section: '7',
		action: 'none'
	}
} as const satisfies Readonly<Record<string, ServiceError>>;

/** The error codes that leave the service. */
export type ErrorCode = keyof typeof serviceErrors;
