import * as v from 'valibot';
import { headerValue, headerValues } from '#api/headers.ts';
import { defined, AssertionFailure } from './assert.ts';
import type { RawResponse } from './transport.ts';

const errorBody = v.object({ error: v.string(), error_description: v.optional(v.string()) });
const tokenBody = v.looseObject({
	access_token: v.pipe(v.string(), v.minLength(22)),
	expires_in: v.pipe(v.number(), v.integer()),
	token_type: v.string(),
	scope: v.string(),
	refresh_token: v.optional(v.string())
});

export type Tokens = v.InferOutput<typeof tokenBody>;

/** A response, with accessors for the cases. */
export class TestResponse {
	readonly status: number;
	readonly headers: readonly string[];
	readonly text: string;
	readonly isTruncated: boolean;

	constructor(received: RawResponse) {
		this.status = received.status;
		this.headers = received.headers;
		this.text = received.body;
		this.isTruncated = received.isTruncated === true;
	}

	/** The first value of a header; `name` in lower case. */
	header(name: string): string | undefined {
		return headerValue(this.headers, name);
	}

	all(name: string): string[] {
		return headerValues(this.headers, name);
	}

	get id(): string {
		return defined(this.header('x-request-id'), 'X-Request-Id');
	}

	get location(): string {
		return defined(this.header('location'), 'Location');
	}

	/** A parameter of `Location`, decoded as a client decodes it. */
	parameter(name: string): string | undefined {
		return new URL(this.location).searchParams.get(name) ?? undefined;
	}

	json(): unknown {
		try {
			return JSON.parse(this.text);
		} catch {
			throw new AssertionFailure(`${this.status}, not JSON: ${this.text.slice(0, 300)}`);
		}
	}

	/** The body, held to a schema. */
	as<S extends v.GenericSchema>(schema: S): v.InferOutput<S> {
		const result = v.safeParse(schema, this.json());
		if (result.success) return result.output;
		throw new AssertionFailure(`${this.status} ${this.text.slice(0, 500)}: ${v.summarize(result.issues)}`);
	}

	/** The error code of a JSON body. */
	get error(): string {
		return this.as(errorBody).error;
	}

	/** The tokens of a token response. */
	get tokens(): Tokens {
		if (this.status !== 200) throw new AssertionFailure(`${this.status} ${this.text.slice(0, 300)}`);
		return this.as(tokenBody);
	}

	/** The value of a hidden field of a page. */
	hidden(name: string): string {
		const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(this.text)?.[1];
		return defined(value, `hidden field ${name} of ${this.text.slice(0, 200)}`);
	}

	get title(): string {
		return /<title>([^<]*)<\/title>/.exec(this.text)?.[1] ?? '';
	}

	/** The four headers of a limit (specification, section 8.4), as numbers where they are. */
	get limit(): { limit: number; remaining: number; reset: number; reset_time: string } {
		const number = (name: string) => {
			const text = defined(this.header(name), name);
			if (!/^\d+$/.test(text)) throw new AssertionFailure(`${name}: ${text}`);
			return Number(text);
		};
		return {
			limit: number('x-ratelimit-limit'),
			remaining: number('x-ratelimit-remaining'),
			reset: number('x-ratelimit-reset'),
			reset_time: defined(this.header('x-ratelimit-resettime'), 'X-RateLimit-ResetTime')
		};
	}
}
