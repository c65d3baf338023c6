import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { readNetworkAddress } from '#service/address/network-address.ts';
import type { Limits } from './connection-limits.ts';
import type { SecureResponse } from './response-headers.server.ts';

/** How long a connection must be idle before a closing server destroys it, in milliseconds. */
const idleMs = 50;

/** What the host knows of one open connection. Instants are in milliseconds; 0 is none. */
export type Connection = {
	/** The client's network address. */
	readonly peer: string;
	/** That of its quotas. */
	readonly address: string;
	/** The response to its newest request. */
	response?: SecureResponse;
	/** How many requests wait for the responses before theirs. */
	waiting: number;
	/** Since when written bytes wait to be read. */
	stalledSince: number;
	/** How many bytes the client had read at `stalledSince`. */
	bytesRead: number;
	/** Since when a closing server has found nothing in progress on it. */
	idleSince: number;
	/** True once its input could not be parsed and it is about to close. */
	rejected: boolean;
};

/** What is known of a request that the host rejects. Of one that could not be parsed, that is its target at most. */
export type RejectedRequest = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'socket'>;

/** Calls `send`, which writes a response of the host itself, unless the service sends this client no response. */
export type UnlessBlacklisted = (request: RejectedRequest, connection: Connection, send: () => void) => void;

/** The address that a connection counts for: IPv6 by its /64. */
export function quotaAddress({ remoteAddress = '' }: Pick<Socket, 'remoteAddress'>): string {
	return readNetworkAddress(remoteAddress, [], 0);
}

/**
 * Node creates an error for each request that still waits on a connection when it closes. Without stack traces, a flood of such
 * requests costs half as much.
 */
function omitStackTraces(): void {
	const { stackTraceLimit } = Error;
	if (stackTraceLimit === 0) return;
	Error.stackTraceLimit = 0;
	process.nextTick(() => (Error.stackTraceLimit = stackTraceLimit));
}

/** The open connections. A periodic sweep checks all of them, which costs a request nothing. */
export class Connections {
	readonly #open = new Map<Socket, Connection>();
	readonly #limits: Limits;

	constructor(limits: Limits) {
		this.#limits = limits;
	}

	/** How many are open. */
	get size(): number {
		return this.#open.size;
	}

	/** The record of a connection, created at the first call and dropped when it closes. */
	track(socket: Socket): Connection {
		const known = this.#open.get(socket);
		if (known) return known;
		const connection: Connection = {
			peer: socket.remoteAddress ?? '',
			address: quotaAddress(socket),
			waiting: 0,
			stalledSince: 0,
			bytesRead: 0,
			idleSince: 0,
			rejected: false
		};
		if (!socket.destroyed) {
			this.#open.set(socket, connection);
			socket.prependOnceListener('close', omitStackTraces);
			socket.once('close', () => this.#open.delete(socket));
			socket.once('end', () => this.#onHalfClose(socket, connection));
		}
		return connection;
	}

	/**
	 * Destroys connections whose client does not read its responses.
	 * @param now milliseconds, on a clock that never goes back
	 */
	sweep(now: number): void {
		for (const [socket, connection] of this.#open) {
			if (this.#isStalled(socket, connection, now)) socket.destroy();
		}
	}

	/**
	 * Destroys idle connections: every response has been handed to the network, and no request came for a moment. Requests that
	 * are on their way, or pipelined behind responses that were just read, are still served.
	 * @param now milliseconds, on a clock that never goes back
	 */
	closeIdle(now: number): void {
		for (const [socket, connection] of this.#open) {
			const isBusy = socket.writableLength > 0 || connection.response?.writableFinished === false;
			if (isBusy) connection.idleSince = 0;
			else if (connection.idleSince === 0) connection.idleSince = now;
			else if (now - connection.idleSince >= idleMs) socket.destroy();
		}
	}

	destroyAll(): void {
		for (const socket of this.#open.keys()) socket.destroy();
	}

	/** A client that half-closes may wait for its response or be gone. Only a write would tell, and there may be nothing to write. */
	#onHalfClose(socket: Socket, { response }: Connection): void {
		if (response === undefined || response.writableFinished) return;
		const closeUnlessWriting = () => {
			if (socket.writableLength === 0) socket.destroy();
		};
		setTimeout(closeUnlessWriting, this.#limits.halfCloseTimeout).unref();
	}

	#isStalled(socket: Socket, connection: Connection, now: number): boolean {
		const { writeStallTimeout } = this.#limits;
		const bytesRead = socket.bytesWritten - socket.writableLength;
		if (socket.writableLength === 0) {
			connection.stalledSince = 0;
			return false;
		}
		const since = connection.stalledSince;
		if (since !== 0 && now - since <= writeStallTimeout) return false;
		// 1 KiB per second: a slow line stays open, a client that reads byte by byte does not.
		const isTooSlow = since !== 0 && bytesRead - connection.bytesRead < writeStallTimeout * 1.024;
		connection.stalledSince = now;
		connection.bytesRead = bytesRead;
		return isTooSlow;
	}
}
