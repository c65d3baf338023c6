/** A request to send. Only what HTTP requires is added (Host, Content-Length). */
export type TestRequest = {
	/** Default: GET. */
	readonly method?: string;
	/** Path and query, exactly as sent. */
	readonly target: string;
	/** Flat (name, value, name, value …), in this order. A name may occur twice. */
	readonly headers?: readonly string[];
	readonly body?: string | Uint8Array;
	/** Sends the body in chunks, if the host uses a network. */
	readonly inChunks?: boolean;
	/** The network address of the client. Default: 127.0.0.1. */
	readonly from?: string;
};

/** A complete response. `headers` is flat. */
export type RawResponse = {
	readonly status: number;
	readonly headers: readonly string[];
	readonly body: string;
	/** True: the connection ended before the body was complete. */
	readonly isTruncated?: true;
};

/** A response with a stream as its body. */
export type RawStream = {
	readonly status: number;
	readonly headers: readonly string[];
	/** The next piece of the body; undefined once it has ended. */
	next(): Promise<string | undefined>;
	close(): void;
};

/** Sends requests to the service of one host. It follows no redirects, keeps no cookies and normalizes nothing. */
export type Transport = {
	/** The base URL of the root sandbox. */
	readonly origin: string;
	/** How often a case repeats a race. Default: 20. */
	readonly rounds?: number;
	/** Whether cases test every combination in their tables. Otherwise each row and each column occurs. */
	readonly isExhaustive?: boolean;
	/** Sends a request. Undefined: the connection was closed without a response. */
	send(sent: TestRequest): Promise<RawResponse | undefined>;
	/** Sends a request for an event stream. */
	stream(sent: TestRequest): Promise<RawStream>;
	close(): Promise<void>;
};
