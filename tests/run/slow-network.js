// The network of a test's server: as slow as the test says, stopped in the middle of a file, or cut.

/** How many bytes of a body are sent at a time. */
const partLength = 2_000;

export class SlowNetwork {
	/** Bytes of all responses together that pass in a second. */
	rate = Infinity;
	/** Whether nothing passes, and nothing fails. */
	isStopped = false;
	#server;
	#isCut = false;
	/** @type {RegExp | undefined} */
	#stop;
	#resume = () => {};
	/** Ends when the part before has passed: all responses share the network. */
	#turn = Promise.resolve();

	/** @param {import('node:http').Server} server */
	constructor(server) {
		this.#server = server;
		// The server would end connections that wait for another request.
		server.keepAliveTimeout = 0;
		server.on('connection', (socket) => {
			if (this.#isCut) socket.destroy();
		});
	}

	/**
	 * Stops the network in the middle of the next file whose path matches.
	 * @param {RegExp} path
	 */
	stopAt(path) {
		this.#stop = path;
	}

	/** Continues what was stopped, at full speed. */
	resume() {
		this.rate = Infinity;
		this.isStopped = false;
		this.#resume();
	}

	/**
	 * Ends all connections and accepts none, or restores the network.
	 * @param {boolean} isCut
	 */
	cut(isCut) {
		this.#isCut = isCut;
		if (isCut) this.#server.closeAllConnections();
		else this.resume();
	}

	/**
	 * Sends a response.
	 * @param {import('node:http').ServerResponse} response
	 * @param {number} status
	 * @param {import('node:http').OutgoingHttpHeaders} headers
	 * @param {Buffer} [body]
	 */
	async send(response, status, headers, body = Buffer.alloc(0)) {
		await this.#pass(0);
		response.writeHead(status, headers);
		const isLast = this.#stop?.test(response.req.url ?? '') === true;
		const length = isLast ? Math.ceil(body.length / 2) : this.rate === Infinity ? Infinity : partLength;
		for (let start = 0; start < body.length; start += length) {
			if (isLast && start > 0 && this.#stop !== undefined) {
				this.#stop = undefined;
				this.isStopped = true;
			}
			const part = body.subarray(start, start + length);
			await this.#pass(part.length);
			if (response.destroyed) return;
			response.write(part);
		}
		response.end();
	}

	/**
	 * Resolves when so many bytes have passed.
	 * @param {number} bytes
	 */
	#pass(bytes) {
		return (this.#turn = this.#turn.then(async () => {
			while (this.isStopped) await new Promise((resolve) => (this.#resume = () => resolve(undefined)));
			if (this.rate < Infinity) await new Promise((resolve) => setTimeout(resolve, (bytes * 1000) / this.rate));
		}));
	}
}
