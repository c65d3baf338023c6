import { headerValue } from '#wire/headers.ts';
import type { WireRequest } from '#wire/message.ts';
import { negotiateFormat, type ApiFormat } from './negotiation.ts';
import type { Sandbox } from './sandbox.ts';
import type { ServiceOptions } from './service.ts';
import type { TraceLine } from './trace.ts';

/** What is known of a call before any step has run. */
export type ContextInit = {
	readonly request: WireRequest;
	/** The `X-Request-Id` of the answer. */
	readonly id: string;
	readonly sandbox: Sandbox;
	readonly options: ServiceOptions;
	/** The path below the base URL, still encoded, without the query. */
	readonly path: string;
	/** The raw query, without the `?`. */
	readonly query: string;
	/** The address that the call is counted for. */
	readonly address: string;
	/** `auth`, `token`, `revoke`, `character`, `ratelimits`, or the name of a page or control. */
	readonly endpoint: string;
};

/** One request while it is being answered. The steps of an endpoint leave in it what later steps need. */
export class Context {
	readonly request: WireRequest;
	readonly id: string;
	readonly sandbox: Sandbox;
	readonly options: ServiceOptions;
	readonly path: string;
	readonly query: string;
	readonly address: string;
	readonly endpoint: string;
	readonly trace: TraceLine[] = [];
	/** Headers that whatever answer is given will carry, flat. */
	readonly headers: string[] = [];
	/** Values that no log may show. */
	readonly secrets: string[] = [];
	/** Who called and for whom, once that is known; for the traffic log. */
	client_id: string | undefined;
	username: string | undefined;
	#format: ApiFormat | undefined;

	constructor(opening: ContextInit) {
		this.request = opening.request;
		this.id = opening.id;
		this.sandbox = opening.sandbox;
		this.options = opening.options;
		this.path = opening.path;
		this.query = opening.query;
		this.address = opening.address;
		this.endpoint = opening.endpoint;
	}

	/** The format that a program is answered in. */
	get format(): ApiFormat {
		return (this.#format ??= negotiateFormat(this.header('accept')));
	}

	/** The sandbox clock, in milliseconds. */
	now(): number {
		return this.sandbox.now();
	}

	/** The first value of a request header; `name` in lower case. */
	header(name: string): string | undefined {
		return headerValue(this.request.headers, name);
	}

	/** Notes what the running step saw, for the decision trace. Never a secret. */
	note(what: string): void {
		const line = this.trace[this.trace.length - 1];
		if (line !== undefined) line.detail = what;
	}

	/** Keeps a value out of every log. Returns it. */
	redact(value: string): string {
		this.secrets.push(value);
		return value;
	}
}
