import { maxHarSize, type HarContent, type HarOptions, type HarProblem } from '#evidence/har/har-reading.ts';
import type { ReadReply, ReadRequest } from './read-messages.ts';

/** What is known of the file that was dropped. Its text is in the worker only. */
export type ReaderState =
	| { readonly kind: 'none' }
	| { readonly kind: 'reading'; readonly name: string; readonly done: number }
	| { readonly kind: 'found'; readonly file: File; readonly content: HarContent }
	| { readonly kind: 'unreadable'; readonly name: string; readonly problem: HarProblem };

/** Milliseconds after which the page shows that a file is read. */
const quiet = 400;

/** Reads a file in a worker. Nothing of it is kept: `cancel` ends the worker, and with it the text. */
export class TrafficReader {
	state: ReaderState = $state.raw({ kind: 'none' });
	options: HarOptions = $state.raw({});
	#worker: Worker | undefined;
	readonly #onown: (file: File) => void;

	/** @param onown called with a file that Tollgate exported */
	constructor(onown: (file: File) => void) {
		this.#onown = onown;
	}

	/** Reads a file. Another one that is read is dropped. */
	read(file: File): void {
		this.cancel();
		const { name } = file;
		if (file.size > maxHarSize) {
			this.state = { kind: 'unreadable', name, problem: tooLarge(file.size) };
			return;
		}
		const worker = new Worker(new URL('./on-demand.worker.ts', import.meta.url), { type: 'module' });
		this.#worker = worker;
		const started = performance.now();
		let done = 0;
		const timer = setTimeout(() => this.#worker === worker && (this.state = { kind: 'reading', name, done }), quiet);
		worker.addEventListener('message', ({ data }: MessageEvent<ReadReply>) => {
			if (this.#worker !== worker) return;
			if (data.kind === 'progress') {
				({ done } = data);
				if (performance.now() - started > quiet && this.state.kind === 'reading')
					this.state = { kind: 'reading', name, done };
				return;
			}
			clearTimeout(timer);
			if (data.kind === 'own') {
				this.cancel();
				this.#onown(file);
			} else if (data.reading.kind === 'read') this.state = { kind: 'found', file, content: data.reading };
			else this.state = { kind: 'unreadable', name, problem: data.reading };
		});
		worker.addEventListener('error', (event) => {
			event.preventDefault();
			clearTimeout(timer);
			this.cancel();
			this.state = { kind: 'unreadable', name, problem: notRead };
		});
		this.#ask({ file, options: this.options });
	}

	/** Reads the same text in another way. */
	again(options: HarOptions): void {
		this.options = options;
		this.#ask({ options });
	}

	/** Drops the file. */
	cancel(): void {
		this.#worker?.terminate();
		this.#worker = undefined;
		this.options = {};
		this.state = { kind: 'none' };
	}

	#ask(request: ReadRequest): void {
		this.#worker?.postMessage(request);
	}
}

const notRead: HarProblem = {
	kind: 'unreadable',
	error: 'The browser stopped reading the file.',
	expected: 'a JSON object with log.entries',
	found: 'nothing',
	whatToDo: 'Reload the page and try again, or record fewer requests.',
	readable: 0
};

function tooLarge(size: number): HarProblem {
	const megabytes = (size / 1024 / 1024).toFixed(0);
	return {
		...notRead,
		error: `The file has ${megabytes} MB. Tollgate reads at most ${maxHarSize / 1024 / 1024} MB.`,
		expected: `at most ${maxHarSize / 1024 / 1024} MB`,
		found: `${megabytes} MB`,
		whatToDo: 'Clear the list of requests, sign in once, and save it again.'
	};
}
