import type { CheckId } from '#api/checks.ts';
import type { PausePoint } from '#api/control/pause.ts';
import type { DialectName } from '#api/dialect.ts';
import { byPoint, grants } from '#api/protocol/grant-types.ts';
import type { FlowParty } from '#ui/flow/flow-parties.ts';

/** What pages say about a message that can be held. */
type PointWords = {
	/** As a choice. */
	readonly label: string;
	readonly title: string;
	readonly from: FlowParty;
	readonly to: FlowParty;
	/** What a change, a lost and a late message test. `late` only where the time matters. */
	readonly drop: string;
	readonly duplicate: string;
	readonly late?: { readonly lifetime: 'code' | 'access_token'; readonly question: string };
};

export const pointWords: Record<PausePoint, PointWords> = {
	authorization_request: {
		label: 'Redirect out',
		title: 'Authorization request',
		from: 'browser',
		to: 'authorization',
		drop: 'Can the user go back and try again?',
		duplicate: 'Two sign-ins at a time: does each keep its own state?'
	},
	consent: {
		label: 'Consent',
		title: 'Decision of the user',
		from: 'browser',
		to: 'authorization',
		drop: 'Nothing was granted. Can the user decide again?',
		duplicate: 'A double press: is there only one code?'
	},
	authorization_response: {
		label: 'Redirect back',
		title: 'Authorization response',
		from: 'authorization',
		to: 'browser',
		drop: 'What does the application do without a response?',
		duplicate: 'Is the callback page safe to reload?',
		late: { lifetime: 'code', question: 'Is an expired code handled? The sandbox clock moves.' }
	},
	resource_request: {
		label: 'Request',
		title: 'Request with an access token',
		from: 'application',
		to: 'resource',
		drop: 'Does the application try again, and after a pause?',
		duplicate: 'Both requests count against the rate limit.',
		late: { lifetime: 'access_token', question: 'Is an expired token refreshed? The sandbox clock moves.' }
	},
	...byPoint(({ label, pause }) => ({
		label,
		title: label,
		from: 'application' as const,
		to: 'authorization' as const,
		...pause
	}))
};

/** What a parameter is for, and what a changed value of it leads to. */
type ParameterWords = {
	readonly meaning: string;
	/** The check that reads it. Absent: the service accepts any value. */
	readonly check?: CheckId;
	/** In place of a check of the service. */
	readonly otherwise?: string;
};

type Parameters = Readonly<Record<string, ParameterWords>>;

const clientParameters: Parameters = {
	client_id: { meaning: 'Which application asks.', check: 'token.client_authenticated' },
	client_secret: { meaning: 'Proves that it is this application.', check: 'token.client_authenticated' },
	grant_type: { meaning: 'What the application offers in exchange for tokens.', check: 'token.grant_type_supported' }
};

const parameterWords: Record<PausePoint, Parameters> = {
	authorization_request: {
		client_id: { meaning: 'Which application asks.', check: 'auth.client_known' },
		redirect_uri: {
			meaning: 'Where the browser returns to. Must be registered, letter by letter.',
			check: 'auth.redirect_uri_registered'
		},
		response_type: { meaning: 'Asks for a code.', check: 'auth.response_type_is_code' },
		scope: { meaning: 'The permissions that the application asks for.', check: 'auth.scope_known' },
		state: {
			meaning: 'Returned unchanged. It ties the response to this browser.',
			otherwise: 'The service returns any state. The application compares it with the one that it saved.'
		},
		access_type: { meaning: 'offline asks for a refresh token too.', check: 'auth.access_type_is_valid' },
		code_challenge: {
			meaning: 'The digest of a secret that only this application knows.',
			otherwise: 'The service keeps it. The code exchange then fails at token.code_verifier_matches.'
		}
	},
	consent: {
		decision: {
			meaning: 'approve or deny.',
			otherwise: 'With deny, the application gets error=access_denied in place of a code.'
		},
		interaction: { meaning: 'Which request the user decides about.', check: 'interaction.pending_in_this_browser' }
	},
	authorization_response: {
		code: {
			meaning: 'Exchanged once for tokens. The application adds its secret to it.',
			check: 'token.code_known'
		},
		state: {
			meaning: 'The application compares it with the value that it saved. It ties this response to this browser.',
			otherwise: 'The check of the application should fail, and no code exchange follows.'
		},
		error: { meaning: 'Why there is no code.' },
		error_description: { meaning: 'The same for developers.' }
	},
	resource_request: {
		character_name: { meaning: 'What is read. Letter by letter.', check: 'character.exists' },
		Authorization: { meaning: 'The access token, behind the scheme OAuth.', check: 'access_token.known' }
	},
	...byPoint(({ fields }): Parameters => ({ ...clientParameters, ...fields }))
};

/** What a parameter is for. Undefined for those that the specification does not define. */
export function wordsOf(point: PausePoint, name: string): ParameterWords | undefined {
	const words = parameterWords[point];
	return Object.hasOwn(words, name) ? words[name] : undefined;
}

/** Whether a dialect has the message. */
export function isPointOf(dialect: DialectName, point: PausePoint): boolean {
	const only = grants.find(({ pause }) => pause.point === point)?.dialect;
	return only === undefined || only === dialect;
}

/** What is held unless the user chooses. */
export const usualPoints: readonly PausePoint[] = ['authorization_response', 'code_exchange'];
