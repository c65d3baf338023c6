/** A request as a case wants it on the wire: nothing is added but what HTTP itself needs (Host, Content-Length). */
export type TestRequest = {
	/** GET where absent. */
	readonly method?: string;
	/** Path and query, exactly as they go out. */
	readonly target: string;
	/** Flat (name, value, name, value …), in this order; a name may come twice. */
	readonly headers?: readonly string[];
	readonly body?: string | Uint8Array;
	/** The body goes out in pieces, its length untold, where the host has a wire. */
	readonly inChunks?: boolean;
	/** The network address that the request comes from; 127.0.0.1 where absent. */
	readonly from?: string;
};

/** A whole answer; `headers` is flat. */
export type RawResponse = { readonly status: number; readonly headers: readonly string[]; readonly body: string };

/** An answer whose body goes on. */
export type RawStream = {
	readonly status: number;
	readonly headers: readonly string[];
	/** The next piece of the body; undefined once it has ended. */
	next(): Promise<string | undefined>;
	close(): void;
};

/** The way to one host's service. No redirect is followed, no cookie kept, nothing normalised. */
export type Transport = {
	/** The base URL of the root sandbox. */
	readonly origin: string;
	/** How often a case repeats a race; 200 where absent. Less for a host that needs long for each request. */
	readonly rounds?: number;
	/** Sends a request; undefined: the connection was closed without a byte. */
	send(sent: TestRequest): Promise<RawResponse | undefined>;
	/** Sends a request whose answer is an event stream. */
	stream(sent: TestRequest): Promise<RawStream>;
	close(): Promise<void>;
};
