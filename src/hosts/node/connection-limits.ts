import { streamsPerSeat } from '#service/core/quotas.ts';

/** What a connection may ask of this host. Times in milliseconds, sizes in bytes. */
export type Limits = {
	/** Until the TLS handshake is complete. */
	readonly tlsHandshakeTimeout: number;
	/** Until the headers of a request are complete, also on a connection that sends nothing. */
	readonly headersTimeout: number;
	/** Until a request is complete. */
	readonly requestTimeout: number;
	/** How long a connection may wait for its next request. */
	readonly keepAliveTimeout: number;
	/** How long a client may read none of a response, or less than 1 KiB a second. */
	readonly writeStallTimeout: number;
	/** Until the first byte of a page. */
	readonly pageTimeout: number;
	/** How long requests may continue after the server starts to close. */
	readonly shutdownTimeout: number;
	/** How often the timeouts are checked. */
	readonly checkInterval: number;
	/** How long the rest of a rejected request is read and discarded, so that the client sees the response. */
	readonly lingerTimeout: number;
	/** How long a half-closed connection stays open before its response has started: the client may be gone. */
	readonly halfCloseTimeout: number;
	/** Open connections, in all and of one client address. */
	readonly maxConnections: number;
	readonly maxConnectionsPerAddress: number;
	/** Pipelined requests that may wait on one connection. It closes after them, within `lingerTimeout`, if there are more. */
	readonly maxPipelined: number;
	/** Open event streams. */
	readonly maxStreams: number;
	/** What has arrived of request bodies over 16 KiB that are being read, in all and of one client address. */
	readonly maxBodyBytes: number;
	readonly maxBodyBytesPerAddress: number;
	/** First line and headers of a request. */
	readonly maxHeaderBytes: number;
	/** Header lines of a request. */
	readonly maxHeaderCount: number;
};

/** Every stalled connection is closed within 15 seconds (HT-03). */
export const defaultLimits: Limits = {
	tlsHandshakeTimeout: 8_000,
	headersTimeout: 8_000,
	requestTimeout: 12_000,
	keepAliveTimeout: 8_000,
	writeStallTimeout: 10_000,
	pageTimeout: 60_000,
	shutdownTimeout: 10_000,
	checkInterval: 1_000,
	lingerTimeout: 1_000,
	halfCloseTimeout: 1_000,
	maxConnections: 10_000,
	maxConnectionsPerAddress: 1_000,
	maxPipelined: 100,
	maxStreams: 500,
	maxBodyBytes: 128 * 1024 * 1024,
	maxBodyBytesPerAddress: 32 * 1024 * 1024,
	maxHeaderBytes: 16 * 1024,
	maxHeaderCount: 100
};

/**
 * The limits that students behind one address use up together. A browser opens six connections, and the student's client some more.
 * @param seats how many seats classes have in all
 */
export function limitsFor(seats: number): Pick<Limits, 'maxStreams' | 'maxConnectionsPerAddress'> {
	const { maxStreams, maxConnectionsPerAddress } = defaultLimits;
	return {
		maxStreams: maxStreams + seats * streamsPerSeat,
		maxConnectionsPerAddress: maxConnectionsPerAddress + 8 * seats
	};
}
