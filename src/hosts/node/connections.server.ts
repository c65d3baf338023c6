import type { Socket } from 'node:net';
import type { GuardedResponse } from './guarded-response.server.ts';
import type { Limits } from './limits.ts';

/** How long a connection must rest before it goes when the server ends, in milliseconds. */
const rest = 50;

/** What the host knows of one open connection. */
export type Connection = {
	/** The other end's address. */
	readonly peer: string;
	/** The newest response on it. */
	response?: GuardedResponse;
	/** The instant by which `response` must have begun; 0 where there is none. */
	firstByteDeadline: number;
	/** Since when bytes wait to be read by the other end (0: none wait), and how many it had read by then. */
	stalledSince: number;
	drained: number;
	/** Since when the end of the server has found nothing under way on it; 0: something is. */
	idleSince: number;
	/** True once the connection was refused and is about to end. */
	refused: boolean;
};

/** The open connections, watched at no cost to a request: a sweep looks at all of them now and then. */
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

	/** The record of a connection, made on first sight and dropped when it closes. */
	of(socket: Socket): Connection {
		const known = this.#open.get(socket);
		if (known) return known;
		const connection: Connection = {
			peer: socket.remoteAddress ?? '',
			firstByteDeadline: 0,
			stalledSince: 0,
			drained: 0,
			idleSince: 0,
			refused: false
		};
		if (!socket.destroyed) {
			this.#open.set(socket, connection);
			socket.once('close', () => this.#open.delete(socket));
			socket.once('end', () => this.#onHalfClose(socket, connection));
		}
		return connection;
	}

	/**
	 * Destroys what stalls: answers that nobody reads, and pages that never begin.
	 * @param now milliseconds, on any clock that never goes back
	 */
	sweep(now: number): void {
		for (const [socket, connection] of this.#open) {
			const late =
				connection.firstByteDeadline !== 0 &&
				now > connection.firstByteDeadline &&
				connection.response?.headersSent === false;
			if (late || this.#isStalled(socket, connection, now)) socket.destroy();
		}
	}

	/**
	 * Destroys what rests: every answer has been handed to the network, and for a moment no further request came. A request
	 * that is on its way, or pipelined behind answers that have just been read, is still heard.
	 * @param now milliseconds, on any clock that never goes back
	 */
	closeIdle(now: number): void {
		for (const [socket, connection] of this.#open) {
			const isBusy = socket.writableLength > 0 || connection.response?.writableFinished === false;
			if (isBusy) connection.idleSince = 0;
			else if (connection.idleSince === 0) connection.idleSince = now;
			else if (now - connection.idleSince >= rest) socket.destroy();
		}
	}

	/** Destroys all connections. */
	destroyAll(): void {
		for (const socket of this.#open.keys()) socket.destroy();
	}

	/** Whoever says no more may be waiting for the answer, or be gone: only writing would tell, and there may be nothing to write. */
	#onHalfClose(socket: Socket, { response }: Connection): void {
		if (response === undefined || response.writableFinished) return;
		const leave = () => {
			if (socket.writableLength === 0) socket.destroy();
		};
		setTimeout(leave, this.#limits.parting).unref();
	}

	#isStalled(socket: Socket, connection: Connection, now: number): boolean {
		const waiting = socket.writableLength;
		const drained = socket.bytesWritten - waiting;
		if (waiting === 0) {
			connection.stalledSince = 0;
			return false;
		}
		const since = connection.stalledSince;
		if (since !== 0 && now - since <= this.#limits.delivery) return false;
		// A KiB for each second keeps a slow line alive and a drip not.
		const tooSlow = since !== 0 && drained - connection.drained < this.#limits.delivery * 1.024;
		connection.stalledSince = now;
		connection.drained = drained;
		return tooSlow;
	}
}
