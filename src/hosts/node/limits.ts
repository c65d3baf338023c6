/** How long and how much a connection may ask of this host. Times in milliseconds. */
export type Limits = {
	/** Until the TLS handshake must be done. */
	readonly handshake: number;
	/** Until a request's headers must be there, also on a connection that says nothing. */
	readonly headers: number;
	/** Until a whole request must be there. */
	readonly request: number;
	/** How long a connection may wait for its next request. */
	readonly keepAlive: number;
	/** How long the other end may leave an answer unread, or read less than 1 KiB a second of it. */
	readonly delivery: number;
	/** Until a page's first byte must be there. */
	readonly page: number;
	/** How long requests may go on after the server was told to end. */
	readonly shutdown: number;
	/** How often the times above are looked at. */
	readonly check: number;
	/** How long what a refused client still sends is read and thrown away, so that it sees the refusal. */
	readonly linger: number;
	/** How long a client that has closed its half of the connection is still owed an answer that has not begun: it may be gone. */
	readonly parting: number;
	/** Open connections. */
	readonly connections: number;
	/** Open event streams. */
	readonly streams: number;
	/** Bytes that the long request bodies under way may come to together. */
	readonly bodies: number;
	/** Bytes of a request's first line and headers. */
	readonly headerBytes: number;
	/** Header lines of a request. */
	readonly headerCount: number;
};

/** Everything that stalls is gone within 15 seconds (HT-03). */
export const defaultLimits: Limits = {
	handshake: 8_000,
	headers: 8_000,
	request: 12_000,
	keepAlive: 8_000,
	delivery: 10_000,
	page: 60_000,
	shutdown: 10_000,
	check: 1_000,
	linger: 1_000,
	parting: 1_000,
	connections: 10_000,
	streams: 500,
	bodies: 128 * 1024 * 1024,
	headerBytes: 16 * 1024,
	headerCount: 100
};
