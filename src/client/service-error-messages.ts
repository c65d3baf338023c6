import type { ErrorMessageRow } from './error-message.ts';

/** Messages for the error codes of the service. */
export const serviceErrorMessages: ReadonlyMap<string, ErrorMessageRow> = new Map<string, ErrorMessageRow>([
	// Authorization endpoint.
	[
		'access_denied',
		[
			'Access denied',
			'You chose Deny, so no code was issued.',
			'Request fewer permissions, or sign in again to allow access.',
			'7',
			'sign-in'
		]
	],
	[
		'unsupported_response_type',
		[
			'Unsupported response type',
			'The service supports response_type=code only.',
			'Send response_type=code.',
			'2.1',
			'sign-in'
		]
	],
	[
		'invalid_scope',
		[
			'Invalid scope',
			'A permission in scope is unknown, or was not granted.',
			'Choose from the listed permissions and sign in again.',
			'2.1',
			'sign-in'
		]
	],
	['server_error', ['Server error', 'The service returned a server error.', 'Try again in a moment.', '7', 'retry']],
	[
		'temporarily_unavailable',
		['Service unavailable', 'The service is overloaded.', 'Try again in a moment.', '7', 'retry']
	],
	// Token endpoint.
	[
		'invalid_client',
		[
			'Invalid client credentials',
			'client_id and client_secret don’t match, or the application was deleted.',
			'Check them under Client credentials.',
			'5',
			'settings'
		]
	],
	[
		'invalid_grant',
		[
			'Code is invalid or expired',
			'It was already used, has expired, or was issued to another application or redirect URI.',
			'Sign in again. A code works once.',
			'3.1',
			'sign-in'
		]
	],
	[
		'unsupported_grant_type',
		[
			'Unsupported grant type',
			'grant_type must be authorization_code or refresh_token.',
			'Check the request in the client log.',
			'2.3',
			'none'
		]
	],
	[
		'unauthorized_client',
		['Flow not allowed', 'This application is registered for another flow.', 'Check its registration.', '1', 'settings']
	],
	// Resources.
	[
		'invalid_request',
		[
			'Invalid request',
			'A parameter is missing, present twice, or malformed.',
			'Check the request in the client log.',
			'7',
			'none'
		]
	],
	[
		'invalid_token',
		[
			'Invalid access token',
			'It expired, was revoked, or was not issued by this service.',
			'Sign in again.',
			'5',
			'sign-in'
		]
	],
	[
		'insufficient_scope',
		[
			'Missing permission',
			'The access token is valid, but the user did not grant the permission for this request.',
			'Request the permission.',
			'5',
			'sign-in'
		]
	],
	[
		'not_found',
		[
			'Name not found',
			'Names must match exactly, including accents and punctuation.',
			'Try one of the suggested names.',
			'4',
			'none'
		]
	],
	[
		'rate_limit_exceeded',
		[
			'Rate limit exceeded',
			'Requests are counted per IP address. The service returns 400 until the window resets.',
			'The page waits for the reset and then continues.',
			'3.3',
			'wait'
		]
	],
	[
		'too_many_attempts',
		[
			'Too many attempts',
			'The service rejects further attempts for a while.',
			'Wait five minutes, then try again.',
			'8',
			'wait'
		]
	]
]);
