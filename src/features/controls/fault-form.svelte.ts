import {
	canFollowCommit,
	type FaultEndpoint,
	faultEndpoints,
	type FaultErrorCode,
	faultErrorsOf,
	type FaultKind,
	faultKindsOf
} from '#api/control/fault-rules.ts';
import type { NewFault } from '#api/control/faults.ts';

/** When a fault applies, as the form offers it. */
export type FaultTiming = 'next' | 'count' | 'percentage' | 'always';

/** The fields of the form that adds a fault. Choices that the endpoint does not have fall back to one that it has. */
export class FaultForm {
	/** Empty: every endpoint. */
	endpoint: FaultEndpoint | '' = $state('token');
	/** Empty: every application. */
	client_id = $state('');
	status = $state('503');
	delay_ms = $state('3000');
	timing: FaultTiming = $state('next');
	times = $state('3');
	percentage = $state('10');
	after_commit = $state(false);
	#kind: FaultKind = $state('status');
	#error: FaultErrorCode = $state('invalid_grant');
	readonly #endpoint = $derived(faultEndpoints.find((known) => known === this.endpoint));

	readonly kinds = $derived(faultKindsOf(this.#endpoint));
	readonly errors = $derived(faultErrorsOf(this.#endpoint));
	readonly mayFollowCommit = $derived(canFollowCommit(this.kind));

	get kind(): FaultKind {
		return this.kinds.includes(this.#kind) ? this.#kind : 'status';
	}

	set kind(kind: FaultKind) {
		this.#kind = kind;
	}

	get error(): FaultErrorCode {
		return this.errors.includes(this.#error) ? this.#error : 'invalid_request';
	}

	set error(error: FaultErrorCode) {
		this.#error = error;
	}

	/** The request body. A number that cannot be read is 0, which the service rejects at its field. */
	body(): NewFault {
		const { kind, timing } = this;
		const endpoint = this.#endpoint;
		const client_id = this.client_id;
		return {
			kind,
			...(endpoint === undefined ? {} : { endpoint }),
			...(client_id === '' ? {} : { client_id }),
			...(kind === 'status' ? { status: numberOf(this.status) } : {}),
			...(kind === 'oauth_error' ? { error: this.error } : {}),
			...(kind === 'delay' ? { delay_ms: numberOf(this.delay_ms) } : {}),
			times: timing === 'next' ? 1 : timing === 'count' ? numberOf(this.times) : null,
			percentage: timing === 'percentage' ? numberOf(this.percentage) : 100,
			after_commit: this.mayFollowCommit && this.after_commit
		};
	}
}

function numberOf(text: string): number {
	return /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
}

/** The requests of an endpoint. */
export const endpointLabels: Readonly<Record<FaultEndpoint, string>> = {
	auth: 'Authorization requests',
	token: 'Token requests',
	revoke: 'Revocation requests',
	character: 'Resource requests',
	ratelimits: 'Rate limit requests',
	records: 'Requests of other kinds'
};

/** Each kind of fault: its name, and one sentence about it. */
export const kindTexts: Readonly<Record<FaultKind, readonly [label: string, explanation: string]>> = {
	delay: ['Delay', 'The request waits, then the service handles it as usual.'],
	status: ['Error status', 'The response has an error status of your choice.'],
	oauth_error: ['OAuth error', 'The response has an error code, in the format of the endpoint.'],
	unauthorized: ['401 Unauthorized', 'The service rejects the access token or the client secret.'],
	forbidden: ['403 Forbidden', 'The access token lacks a permission.'],
	rate_limited: ['Rate limit exceeded', 'The response says that no request is left. The request is not counted.'],
	garbage: ['Unreadable body', 'The response has status 200, and a body that cannot be parsed.'],
	truncated: ['Truncated body', 'The connection ends in the middle of the body.'],
	drop: ['Dropped connection', 'The connection ends without a response.'],
	extra_parameters: [
		'Unknown parameters',
		'The authorization response has two parameters that the client does not know.'
	],
	hard_code: ['Code that needs encoding', 'The code has 256 characters. Many of them must be encoded in a form.'],
	error_text: ['HTML in an error', 'The user denies access. The description of the error contains HTML and quotes.'],
	extra_fields: [
		'Unknown fields',
		'The token response has fields that the client does not know: an object, null, a number and a long text.'
	],
	id_token_signature: ['ID token: wrong signature', 'The signature of the ID token is that of other content.'],
	id_token_audience: ['ID token: wrong audience', 'The ID token is for another client: aud is not the client_id.'],
	id_token_nonce: ['ID token: wrong nonce', 'The nonce in the ID token is not that of the request.'],
	id_token_expired: ['ID token: expired', 'The ID token expired an hour ago.'],
	id_token_key: ['ID token: unknown key', 'No published key has the kid of the ID token.'],
	id_token_unsigned: ['ID token: not signed', 'The ID token has the algorithm none, and no signature.']
};

/** Faults that clients often have to handle. */
export const commonFaults: readonly (readonly [label: string, fault: NewFault])[] = [
	['Next token request fails with 503', { endpoint: 'token', kind: 'status', status: 503 }],
	['Resource requests are slow (3 s)', { endpoint: 'character', kind: 'delay', delay_ms: 3_000, times: null }],
	['10% of resource requests are dropped', { endpoint: 'character', kind: 'drop', percentage: 10, times: null }],
	['Refresh is rejected: invalid_grant', { endpoint: 'token', kind: 'oauth_error', error: 'invalid_grant' }]
];

/**
 * A fault as a sentence.
 * @param application the name of its application
 */
export function faultSentence({ percentage = 100, ...fault }: NewFault, application: string | undefined): string {
	const requests = fault.endpoint === undefined ? 'Requests' : endpointLabels[fault.endpoint];
	const subject = percentage === 100 ? requests : `${percentage}% of ${lowerFirst(requests)}`;
	const from = application === undefined ? '' : ` of ${application}`;
	return `${subject}${from} ${predicate(fault)}${fault.after_commit ? ' after they were handled' : ''}.`;
}

/** How many more responses a fault affects. */
export function remainingText({ times = 1 }: Pick<NewFault, 'times'>): string {
	if (times === null) return 'Until you delete it';
	return times === 1 ? 'Next response' : `Next ${times} responses`;
}

function predicate({ kind, delay_ms = 1_000, status = 503, error }: NewFault): string {
	const seconds = new Intl.NumberFormat('en', { maximumFractionDigits: 3 }).format(delay_ms / 1_000);
	return {
		delay: `take ${seconds} s longer`,
		status: `fail with status ${status}`,
		oauth_error: `fail with ${error ?? ''}`,
		unauthorized: 'fail with 401',
		forbidden: 'fail with 403',
		rate_limited: 'exceed the rate limit',
		garbage: 'get an unreadable body',
		truncated: 'get a truncated body',
		drop: 'get no response',
		extra_parameters: 'get unknown parameters',
		hard_code: 'get a code that needs encoding',
		error_text: 'get an error with HTML',
		extra_fields: 'get unknown fields',
		id_token_signature: 'get an ID token with a wrong signature',
		id_token_audience: 'get an ID token for another client',
		id_token_nonce: 'get an ID token with another nonce',
		id_token_expired: 'get an expired ID token',
		id_token_key: 'get an ID token of an unknown key',
		id_token_unsigned: 'get an ID token without a signature'
	}[kind];
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
