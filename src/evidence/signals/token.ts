import { failedLine, once, settled, type Seen, type StepLog } from './step-log.ts';
import type { SignalRule } from './signal.ts';

/** The causes of a code verifier that does not match, in words. */
const verifierCauses: Readonly<Record<string, string>> = {
	missing_verifier: 'is missing',
	unexpected_verifier: 'is sent without a challenge',
	verifier_is_challenge: 'is the challenge',
	verifier_too_short: 'is too short',
	wrong_verifier: 'does not match the challenge'
};

function findVerifier(log: StepLog): Seen | undefined {
	const found = once(log.failuresOf('token.code_verifier_matches'));
	const last = found?.entries.at(-1);
	const words = last && verifierCauses[failedLine(last)?.cause ?? ''];
	return found && (words === undefined ? found : { ...found, text: `The code verifier ${words}.` });
}

/** Signals about requests to the token endpoint. */
export const tokenSignals = [
	{
		id: 'wrong_secret',
		kind: 'mistake',
		title: 'Secret wrong',
		text: 'The secret is wrong.',
		section: '2.3',
		help: 'Copy the client secret from the page of the seat.',
		find: (log) => settled(log, log.failuresOf('token.client_authenticated', 'wrong_secret'))
	},
	{
		id: 'missing_secret',
		kind: 'mistake',
		title: 'Secret missing',
		text: 'The secret is missing.',
		section: '2.3',
		help: 'Send the client secret with each token request.',
		find: (log) => settled(log, log.failuresOf('token.client_authenticated', 'missing_secret'))
	},
	{
		id: 'header_credentials',
		kind: 'mistake',
		title: 'HTTP Basic, not the form',
		text: 'Sends HTTP Basic. This service reads the form.',
		section: '2.3',
		help: 'Send client_id and client_secret as fields of the form.',
		find: (log) => once(log.failuresOf('token.client_authenticated', 'credentials_in_header'))
	},
	{
		id: 'not_a_form',
		kind: 'mistake',
		title: 'Body is not a form',
		text: 'The body of the token request is not a form.',
		section: '2.3',
		help: 'Send the fields as application/x-www-form-urlencoded.',
		find: (log) => once(log.failuresOf('token.form_is_valid', 'wrong_content_type'))
	},
	{
		id: 'code_used_twice',
		kind: 'mistake',
		title: 'Code exchanged twice',
		text: 'Exchanges one code twice. The tokens are revoked.',
		section: 'RFC 6749 §4.1.2',
		help: 'Exchange each code once, and sign in again.',
		find: (log) => once(log.failuresOf('token.code_not_used', 'already_used'))
	},
	{
		id: 'code_expired',
		kind: 'mistake',
		title: 'Code too old',
		text: 'The code was too old.',
		section: '3.1',
		help: 'Exchange the code as soon as it arrives.',
		find: (log) => once(log.failuresOf('token.code_not_expired'))
	},
	{
		id: 'verifier',
		kind: 'mistake',
		title: 'Code verifier differs',
		text: 'The code verifier does not match.',
		section: 'RFC 7636 §4.6',
		help: 'Keep the verifier of this sign-in, and send it with the code.',
		find: findVerifier
	}
] as const satisfies readonly SignalRule[];

/** A refresh without its token. It comes after the signals of calls that lead to it. */
export const refreshSignals = [
	{
		id: 'no_refresh_token',
		kind: 'mistake',
		title: 'Refresh token missing',
		text: 'Sends a refresh without the refresh token.',
		section: '4',
		help: 'Store the refresh token of the response, and request offline access.',
		find: (log) => once(log.failuresOf('token.refresh_token_present'))
	}
] as const satisfies readonly SignalRule[];
