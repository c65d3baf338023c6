import type { WireStream } from '#api/message.ts';

/** The events of a stream of a service in this page. The part of `EventSource` that pages use. */
export class PageEventSource extends EventTarget {
	/** 0 while it connects, 1 while it is open, 2 after it ended. It does not connect again: who listens does. */
	readyState = 0;
	#iterator: AsyncIterator<string> | undefined;

	/** @param stream undefined: the service rejected the request */
	constructor(stream: Promise<WireStream | undefined>) {
		super();
		void this.#read(stream)
			.catch(() => undefined)
			.then(() => this.#end());
	}

	close(): void {
		this.readyState = 2;
		void this.#iterator?.return?.();
	}

	async #read(opening: Promise<WireStream | undefined>): Promise<void> {
		const stream = await opening;
		if (stream === undefined) return;
		const iterator = stream.body[Symbol.asyncIterator]();
		this.#iterator = iterator;
		if (this.#isClosed()) return void iterator.return?.();
		this.readyState = 1;
		this.dispatchEvent(new Event('open'));
		let rest = '';
		for (let next = await iterator.next(); next.done !== true && !this.#isClosed(); next = await iterator.next()) {
			const blocks = (rest + next.value).split('\n\n');
			rest = blocks.pop() ?? '';
			for (const block of blocks) this.#dispatch(block);
		}
	}

	#isClosed(): boolean {
		return this.readyState === 2;
	}

	/** One event, by the lines of its block. Comments keep the connection open. */
	#dispatch(block: string): void {
		const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
		const data = fields.flatMap(([, name, value]) => (name === 'data' && value !== undefined ? [value] : []));
		if (data.length === 0 || this.#isClosed()) return;
		const type = fields.find(([, name]) => name === 'event')?.[2] ?? 'message';
		this.dispatchEvent(new MessageEvent(type, { data: data.join('\n') }));
	}

	#end(): void {
		if (this.#isClosed()) return;
		this.readyState = 2;
		this.dispatchEvent(new Event('error'));
	}
}
