import { type ErrorText, protocolErrors } from '#api/errors.ts';
import type { ClientError } from './oauth/client-error.ts';

/** The errors that the demo clients find themselves. */
export const clientErrors = {
	// The authorization response.
	state_missing: {
		title: 'Missing state',
		cause: 'This application sends state with every request, so a callback without it can’t be trusted.',
		fix: 'No code was exchanged. Start a new sign-in.',
		section: '2.1',
		action: 'sign-in'
	},
	state_unknown: {
		title: 'Invalid state',
		cause: 'This sign-in was not started in this browser, or it is more than 25 minutes old.',
		fix: 'No code was exchanged. Start a new sign-in.',
		section: '2.1',
		action: 'sign-in'
	},
	state_used: {
		title: 'Sign-in already completed',
		cause: 'This sign-in was completed before, and you came back to its address.',
		fix: 'The code was not exchanged again. Go on where you started.',
		section: '2.1',
		action: 'none'
	},
	state_other_session: {
		title: 'Sign-in started in another tab',
		cause: 'A state is only accepted in the tab that created it.',
		fix: 'No code was exchanged. Finish in that tab, or start a new sign-in here.',
		section: '2.1',
		action: 'sign-in'
	},
	issuer_mismatch: {
		title: 'Response from another service',
		cause: 'The sign-in was started at a different service than the one this URL belongs to.',
		fix: 'The code was not sent anywhere. Start a new sign-in.',
		section: '2.1',
		action: 'sign-in'
	},
	ambiguous_response: {
		title: 'Contradictory response',
		cause: 'A parameter is present twice, or there is a code and an error.',
		fix: 'No code was exchanged. Start a new sign-in.',
		section: '2.2',
		action: 'sign-in'
	},
	empty_response: {
		title: 'Response without code or error',
		cause: 'The service always sends one of them.',
		fix: 'Start a new sign-in.',
		section: '2.2',
		action: 'sign-in'
	},
	pkce_required: {
		title: 'PKCE required',
		cause: 'A pasted code carries no state, and this sign-in was started without PKCE.',
		fix: 'No code was exchanged. Start a new sign-in with PKCE.',
		section: '2.2',
		action: 'sign-in'
	},
	exchange_unknown: {
		title: 'Token request timed out',
		cause:
			'The code was sent and no response arrived. A code works once, and sending it again could revoke its tokens.',
		fix: 'Sign in again.',
		section: '3.1',
		action: 'sign-in',
		exitCode: 5
	},
	exchange_interrupted: {
		title: 'Sign-in interrupted',
		cause: 'The page was closed or reloaded while the code was exchanged. The code is not sent twice.',
		fix: 'Sign in again.',
		section: '3.1',
		action: 'sign-in'
	},
	// Tokens.
	signed_out: {
		title: 'Signed out',
		cause: 'This user was signed out here or in another tab.',
		fix: 'Sign in.',
		section: '3.1',
		action: 'sign-in',
		exitCode: 3
	},
	session_expired: {
		title: 'Session expired',
		cause: 'The access token no longer works, and this sign-in brought no refresh token.',
		fix: 'Sign in again. A refresh token comes with offline access, the first time the user approves it.',
		section: '1',
		action: 'sign-in',
		exitCode: 3
	},
	access_revoked: {
		title: 'Access revoked',
		cause: 'The service rejected the refresh token: access was revoked in the account settings or by a sign-out.',
		fix: 'Sign in again to restore access.',
		section: '3.1',
		action: 'sign-in',
		exitCode: 3
	},
	rejected_after_refresh: {
		title: 'New token rejected',
		cause: 'The service issued a new access token and then rejected it.',
		fix: 'The application stops here to avoid a loop. Sign in again.',
		section: '5',
		action: 'sign-in',
		exitCode: 3
	},
	refresh_failed: {
		title: 'Token refresh failed',
		cause: 'The refresh request got no response or a server error. The refresh token is kept.',
		fix: 'The application retries automatically, with longer pauses.',
		section: '3.1',
		action: 'wait',
		exitCode: 5
	},
	// Transport.
	no_response: {
		title: 'No response',
		cause: 'The connection was closed without a response, or timed out. Blacklisted clients get exactly this.',
		fix: 'Open `/ratelimiting`, which also responds to blacklisted clients. If this client is blacklisted, file a support ticket.',
		section: '7',
		action: 'support',
		exitCode: 5
	},
	unexpected_response: {
		title: 'Unexpected response',
		cause: 'It is not the JSON or XML that the specification describes.',
		fix: 'Check the response in the client log.',
		section: '2.4',
		action: 'retry'
	},
	insecure_context: {
		title: 'HTTPS required',
		cause: 'Browsers only create state and PKCE on pages with HTTPS, or on localhost.',
		fix: 'Open this page with HTTPS or at localhost.',
		section: '4',
		action: 'none'
	},
	aborted: {
		title: 'Canceled',
		cause: 'You canceled the request.',
		fix: 'No action needed.',
		section: '8',
		action: 'none',
		exitCode: 130
	},
	client_error: {
		title: 'Error in this page',
		cause: 'The page failed, not the service.',
		fix: 'Reload the page.',
		section: '7',
		action: 'none'
	}
} as const satisfies Readonly<Record<string, ErrorText>>;

/** The texts for an error by its code, without marks of code. */
export function describeError({ code }: Pick<ClientError, 'code'>): ErrorText {
	const text = errorTexts.get(code) ?? unknownError(code);
	return { ...text, cause: text.cause.replaceAll('`', ''), fix: text.fix.replaceAll('`', '') };
}

const errorTexts: ReadonlyMap<string, ErrorText> = new Map<string, ErrorText>([
	...Object.entries(protocolErrors),
	...Object.entries(clientErrors)
]);

function unknownError(code: string): ErrorText {
	return {
		title: 'The service rejected the request',
		cause: `It returned an error code that this application does not know: ${code}.`,
		fix: 'Check the request in the client log, then try again.',
		section: '7',
		action: 'retry'
	};
}
