/** The head of a response. */
export type Head = { readonly status: number; readonly headers: string[] };

const nothing: Buffer = Buffer.alloc(0);

/** Reads one HTTP/1.1 response out of the bytes of a connection. */
export class ResponseReader {
	head: Head | undefined;
	isDone = false;
	readonly pieces: Buffer[] = [];
	#rest: Buffer = nothing;
	/** Bytes still to come: of the body, or of the chunk; undefined: a chunk's size line is next. */
	#left: number | undefined = 0;
	#isChunked = false;
	#tillEnd = false;

	/** @param hasNoBody true for the response to HEAD */
	constructor(readonly hasNoBody: boolean) {}

	/** Takes what came. */
	push(bytes: Buffer): void {
		this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
		if (this.head === undefined) this.#readHead();
		if (this.head !== undefined && !this.isDone) this.#readBody();
	}

	/** The connection has ended: a body without a length is whole. */
	end(): void {
		if (this.#tillEnd) this.isDone = true;
	}

	get body(): string {
		return Buffer.concat(this.pieces).toString('utf8');
	}

	/** Whether the connection can take another request. */
	get isReusable(): boolean {
		const { headers = [] } = this.head ?? {};
		const connection = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'connection');
		return this.isDone && !this.#tillEnd && this.#rest.length === 0 && headers[connection + 1] !== 'close';
	}

	#readHead(): void {
		const end = this.#rest.indexOf('\r\n\r\n');
		if (end < 0) return;
		const [first = '', ...lines] = this.#rest.subarray(0, end).toString('latin1').split('\r\n');
		this.#rest = this.#rest.subarray(end + 4);
		const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
		if (status < 200) {
			this.#readHead();
			return;
		}
		const headers = lines.flatMap((line) => [
			line.slice(0, line.indexOf(':')),
			line.slice(line.indexOf(':') + 1).trim()
		]);
		this.head = { status, headers };
		const value = (name: string) => headers.find((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === name);
		const length = value('content-length');
		this.#isChunked = value('transfer-encoding') === 'chunked';
		this.#left = this.#isChunked ? undefined : Number(length ?? 0);
		if (this.hasNoBody || status === 204 || status === 304) this.isDone = true;
		else this.#tillEnd = !this.#isChunked && length === undefined;
	}

	#readBody(): void {
		if (this.#tillEnd) {
			this.pieces.push(this.#rest);
			this.#rest = nothing;
			return;
		}
		for (;;) {
			if (this.#left === undefined && !this.#readChunkSize()) return;
			const piece = this.#rest.subarray(0, this.#left);
			if (piece.length > 0) this.pieces.push(piece);
			this.#rest = this.#rest.subarray(piece.length);
			this.#left = (this.#left ?? 0) - piece.length;
			if (this.#left > 0) return;
			if (!this.#isChunked) {
				this.isDone = true;
				return;
			}
			this.#left = undefined;
			if (this.isDone) return;
		}
	}

	#readChunkSize(): boolean {
		// A chunk ends with its own empty line.
		if (this.#rest.subarray(0, 2).toString('latin1') === '\r\n') this.#rest = this.#rest.subarray(2);
		const end = this.#rest.indexOf('\r\n');
		if (end < 0) return false;
		const size = parseInt(this.#rest.subarray(0, end).toString('latin1'), 16);
		if (size === 0) {
			if (this.#rest.indexOf('\r\n\r\n') < 0) return false;
			this.#rest = this.#rest.subarray(this.#rest.indexOf('\r\n\r\n') + 4);
			this.isDone = true;
		} else this.#rest = this.#rest.subarray(end + 2);
		this.#left = size;
		return true;
	}
}
