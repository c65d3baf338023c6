/**
 * A request in plain data, as it was sent. `headers` is flat (name, value, name, value …) in wire order, so that a duplicated
 * header stays visible.
 */
export type WireRequest = {
	readonly method: string;
	/** Path and query exactly as sent, beginning with `/`. Not decoded and not normalized. */
	readonly target: string;
	readonly headers: readonly string[];
	/** Empty where there was none. */
	readonly body: Uint8Array;
	/** True where the body exceeded the body limit of its path, and the host stopped reading. */
	readonly bodyTooLarge: boolean;
	/** The network address of the other end of the connection, before any `X-Forwarded-For`. */
	readonly peer: string;
};

/** A form that a page posts to another site: where to, and its fields by name. */
export type PostedForm = { readonly action: string; readonly fields: Readonly<Record<string, string>> };

/** A complete response. `headers` is flat. */
export type WireResponse = {
	readonly kind: 'response';
	readonly status: number;
	readonly headers: readonly string[];
	readonly body: string;
	/** True: `Content-Length` announces more than this body, and the host ends the connection after it. */
	readonly isTruncated?: true;
	/** The form of a page that posts an authorization response. Hosts send the page, and ignore it. */
	readonly form?: PostedForm;
};

/** A response with a streamed body. The host ends the iteration when the client disconnects. */
export type WireStream = {
	readonly kind: 'stream';
	readonly status: number;
	readonly headers: readonly string[];
	readonly body: AsyncIterable<string>;
};

/** No response: the connection is closed without a byte (specification, sections 3.3 and 7). */
export type NoResponse = { readonly kind: 'no_response' };

export type WireResult = WireResponse | WireStream | NoResponse;

/** The one value of `NoResponse`. */
export const noResponse: NoResponse = { kind: 'no_response' };
