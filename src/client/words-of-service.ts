import type { Row } from './explanations.ts';

/** What the service can say, by its error codes. */
export const wordsOfService = new Map<string, Row>([
	// What the authorization endpoint sends back.
	[
		'access_denied',
		[
			'You did not agree',
			'On the page of the service “Don’t allow” was chosen, so there is no code and no access.',
			'Ask for fewer permissions, or sign in again when you want to agree.',
			'7',
			'sign-in'
		]
	],
	[
		'unsupported_response_type',
		[
			'The service knows only response_type=code',
			'The request asked for another kind of answer.',
			'Send response_type=code.',
			'2.1',
			'sign-in'
		]
	],
	[
		'invalid_scope',
		[
			'A permission that the service does not know',
			'At least one name in scope is unknown, or wider than what was granted.',
			'Choose from the listed permissions and sign in again.',
			'2.1',
			'sign-in'
		]
	],
	[
		'server_error',
		['The service had a fault', 'It answered that something broke on its side.', 'Try again in a moment.', '7', 'retry']
	],
	['temporarily_unavailable', ['The service is busy', 'It asks for a moment.', 'Try again in a moment.', '7', 'retry']],
	// What the token endpoint says.
	[
		'invalid_client',
		[
			'The service does not know this application',
			'client_id and client_secret do not belong together, or the application was removed.',
			'Compare both with what registration gave you. The viewer has them at its end: “The application this page plays”.',
			'5',
			'settings'
		]
	],
	[
		'invalid_grant',
		[
			'The code is no good any more',
			'It was used before, has expired, or was given to another application or redirect address.',
			'Sign in again: a code works once.',
			'3.1',
			'sign-in'
		]
	],
	[
		'unsupported_grant_type',
		[
			'The service does not know this kind of grant',
			'grant_type must be authorization_code or refresh_token.',
			'This is a fault of the client: look at the request in the log.',
			'2.3',
			'none'
		]
	],
	[
		'unauthorized_client',
		[
			'The application may not do this',
			'It is registered for another flow.',
			'Look at its registration.',
			'1',
			'settings'
		]
	],
	// What a resource says.
	[
		'invalid_request',
		[
			'The service could not read the request',
			'Something in it is missing, given twice, or not of the right form.',
			'Look at the request in the log.',
			'7',
			'none'
		]
	],
	[
		'invalid_token',
		[
			'The token is not good',
			'It has expired, was revoked, or never was one of this service.',
			'Sign in again.',
			'5',
			'sign-in'
		]
	],
	[
		'insufficient_scope',
		[
			'A permission is missing',
			'The token is good, but the person has not agreed to what this call needs.',
			'Sign in again with that permission.',
			'5',
			'sign-in'
		]
	],
	[
		'not_found',
		[
			'No character of that name',
			'The service has none. Names count letter by letter, accents and signs included.',
			'Try one of the names below the search field.',
			'4',
			'none'
		]
	],
	[
		'rate_limit_exceeded',
		[
			'The budget of this hour is used up',
			'Calls are counted per network address; the service answers 400 until the window resets.',
			'Nothing to do: the page waits for the reset and then goes on by itself.',
			'3.3',
			'wait'
		]
	],
	[
		'too_many_attempts',
		[
			'Too many tries',
			'The service takes no more of these for a while.',
			'Wait five minutes, then try again.',
			'8',
			'wait'
		]
	]
]);
