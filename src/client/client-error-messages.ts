import type { ErrorMessageRow } from './error-message.ts';

/** Messages for the errors that the client itself finds. */
export const clientErrorMessages: ReadonlyMap<string, ErrorMessageRow> = new Map<string, ErrorMessageRow>([
	// The authorization response.
	[
		'state_missing',
		[
			'Missing state',
			'This application sends state with every request, so a callback without it can’t be trusted.',
			'No code was exchanged. Start a new sign-in.',
			'2.1',
			'sign-in'
		]
	],
	[
		'state_unknown',
		[
			'Invalid state',
			'This sign-in was not started in this browser, or it is more than 25 minutes old.',
			'No code was exchanged. Start a new sign-in.',
			'2.1',
			'sign-in'
		]
	],
	[
		'state_used',
		[
			'Sign-in already completed',
			'You reopened a used link. A state works once.',
			'The code was not exchanged again.',
			'2.1',
			'none'
		]
	],
	[
		'state_other_session',
		[
			'Sign-in started in another tab',
			'A state is only accepted in the tab that created it.',
			'No code was exchanged. Finish in that tab, or start a new sign-in here.',
			'2.1',
			'sign-in'
		]
	],
	[
		'issuer_mismatch',
		[
			'Response from another service',
			'The sign-in was started at a different service than the one this URL belongs to.',
			'The code was not sent anywhere. Start a new sign-in.',
			'2.1',
			'sign-in'
		]
	],
	[
		'ambiguous_response',
		[
			'Contradictory response',
			'A parameter is present twice, or there is a code and an error.',
			'No code was exchanged. Start a new sign-in.',
			'2.2',
			'sign-in'
		]
	],
	[
		'empty_response',
		[
			'Response without code or error',
			'The service always sends one of them.',
			'Start a new sign-in.',
			'2.2',
			'sign-in'
		]
	],
	[
		'pkce_required',
		[
			'PKCE required',
			'A pasted code carries no state, and this sign-in was started without PKCE.',
			'No code was exchanged. Start a new sign-in with PKCE.',
			'2.2',
			'sign-in'
		]
	],
	[
		'exchange_unknown',
		[
			'Token request timed out',
			'The code was sent and no response arrived. A code works once, and sending it again could revoke its tokens.',
			'Sign in again.',
			'3.1',
			'sign-in'
		]
	],
	[
		'exchange_interrupted',
		[
			'Sign-in interrupted',
			'The page was closed or reloaded while the code was exchanged. The code is not sent twice.',
			'Sign in again.',
			'3.1',
			'sign-in'
		]
	],
	// Tokens.
	['signed_out', ['Signed out', 'This user was signed out here or in another tab.', 'Sign in.', '3.1', 'sign-in']],
	[
		'session_expired',
		[
			'Session expired',
			'Online access has no refresh token.',
			'Sign in again, or request offline access.',
			'1',
			'sign-in'
		]
	],
	[
		'access_revoked',
		[
			'Access revoked',
			'The service rejected the refresh token: access was revoked in the account settings or by a sign-out.',
			'Sign in again to restore access.',
			'3.1',
			'sign-in'
		]
	],
	[
		'rejected_after_refresh',
		[
			'New token rejected',
			'The service issued a new access token and then rejected it.',
			'The application stops here to avoid a loop. Sign in again.',
			'5',
			'sign-in'
		]
	],
	[
		'refresh_failed',
		[
			'Token refresh failed',
			'The refresh request got no response or a server error. The refresh token is kept.',
			'The application retries automatically, with longer pauses.',
			'3.1',
			'wait'
		]
	],
	// Transport.
	[
		'no_response',
		[
			'No response',
			'The connection was closed without a response, or timed out. Blacklisted clients get exactly this.',
			'The application pauses all requests and checks /ratelimiting.',
			'7',
			'support'
		]
	],
	[
		'requests_paused',
		[
			'Requests paused',
			'The service stopped responding. Requests resume when /ratelimiting confirms that this client is not blacklisted.',
			'If you are blacklisted, file a support ticket.',
			'8.5',
			'support'
		]
	],
	[
		'unexpected_response',
		[
			'Unexpected response',
			'It is not the JSON or XML that the specification describes.',
			'Check the response in the client log.',
			'2.4',
			'retry'
		]
	],
	[
		'insecure_context',
		[
			'HTTPS required',
			'Browsers only create state and PKCE on pages with HTTPS, or on localhost.',
			'Open this page with HTTPS or at localhost.',
			'4',
			'none'
		]
	],
	['aborted', ['Canceled', 'You canceled the request.', 'No action needed.', '8', 'none']],
	['client_error', ['Error in this page', 'The page failed, not the service.', 'Reload the page.', '7', 'none']]
]);
