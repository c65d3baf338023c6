/**
 * A request as it stood on the wire, in plain data: no host object is needed to build one.
 * `headers` is flat (name, value, name, value …) in wire order, so that a header sent twice is seen twice.
 */
export type WireRequest = {
	readonly method: string;
	/** Path and query exactly as sent, beginning with `/`; never decoded, never normalised. */
	readonly target: string;
	readonly headers: readonly string[];
	/** The body; empty where there was none. */
	readonly body: Uint8Array;
	/** True where the body went over `Service.bodyLimit` and the host stopped reading it. */
	readonly bodyTooLarge: boolean;
	/** The network address of the other end of the connection (before any `X-Forwarded-For`). */
	readonly peer: string;
};

/** A whole response. `headers` is flat, like a request's. */
export type WireResponse = {
	readonly kind: 'response';
	readonly status: number;
	readonly headers: readonly string[];
	readonly body: string;
};

/** A response whose body goes on (an event stream). The host ends the iteration when the other end leaves. */
export type WireStream = {
	readonly kind: 'stream';
	readonly status: number;
	readonly headers: readonly string[];
	readonly body: AsyncIterable<string>;
};

/** No response at all: the connection is closed without a byte (specification, sections 3.3 and 7). */
export type NoResponse = { readonly kind: 'no_response' };

export type WireResult = WireResponse | WireStream | NoResponse;

/** No response at all. */
export const noResponse: NoResponse = { kind: 'no_response' };
