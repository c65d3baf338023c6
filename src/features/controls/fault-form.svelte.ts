import {
	canFollowCommit,
	faultEndpoints,
	faultErrorsOf,
	faultKindsOf,
	type FaultEndpoint,
	type FaultErrorCode,
	type FaultKind
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
