import * as v from 'valibot';
import { compile } from './compile.ts';
import {
	programMessage,
	type Message,
	type ProgramConfig,
	type ProgramMessage,
	type RequestKind,
	type ToProgram
} from './messages.ts';
import { modulesFor } from './modules.ts';

/** Where a program runs: a worker in a frame without rights, or, in tests, this realm. */
export type Realm = {
	/** The other end of its bridge. */
	readonly port: MessagePort;
	/** Ends it, whatever it does. */
	readonly end: () => void;
};

/** Opens a realm. @param lost is called when it ended without `end`, with a sentence */
export type OpenRealm = (lost: (reason: string) => void) => Promise<Realm>;

/** A request of a program to its surroundings. @param value was sent by the program: anything @throws Error for the program */
export type Handler = (value: unknown, line: number | undefined) => Promise<unknown>;

/** What a program reaches. */
export type Surroundings = {
	readonly config: ProgramConfig;
	readonly handlers: Readonly<Record<RequestKind, Handler>>;
	readonly log: (line: ConsoleLine) => void;
	/** The clock of the exercise, in milliseconds since 1970. */
	readonly now: () => number;
	/** Whether the program waits for the user, whose time does not count. */
	readonly isWaiting: () => boolean;
};

/** A response as a program gets it. */
export type ReceivedResponse = {
	readonly status: number;
	readonly headers: [name: string, value: string][];
	readonly body: string;
	readonly url: string;
	/** Whether the connection ended too early. */
	readonly isCut: boolean;
};

export type ConsoleLine = {
	/** `thrown`: an error that the program did not catch. */
	readonly level: 'log' | 'error' | 'thrown';
	readonly text: string;
	readonly line: number | undefined;
};

/** What a function of a program returned. */
export type Returned = {
	/** A copy. Undefined where it cannot be copied. */
	readonly value: unknown;
	/** For readers. */
	readonly text: string;
};

/** A program threw an error. */
export class ProgramError extends Error {
	override name = 'ProgramError';

	/** @param line of the program, where it is known */
	constructor(
		message: string,
		readonly line: number | undefined
	) {
		super(message);
	}
}

/** A program was stopped. The message is a sentence for its author. */
export class ProgramStopped extends Error {
	override name = 'ProgramStopped';
}

/** The limits of a run. Times in milliseconds. */
export const programLimits = {
	pause: 5000,
	run: 60_000,
	/** While a page waits for the user. */
	decision: 600_000,
	requests: 1000,
	lines: 1000,
	messages: 2500,
	text: 1_000_000
};
/** How often a program is asked whether it still responds, in milliseconds. */
const heartbeat = 500;
/** A program that responds later computes, also while the user decides. In milliseconds. */
const promptTime = 100;

type Waiting = { readonly resolve: (returned: Returned) => void; readonly reject: (error: Error) => void };

/** A program that runs, seen from outside. */
export class Program {
	/** The names that it exports, once it has started. */
	names: readonly string[] = [];
	readonly #calls = new Map<number, Waiting>();
	readonly #stopped: Promise<never>;
	#stop: (error: ProgramStopped) => void = () => {};
	#started: ((error?: ProgramError) => void) | undefined;
	#surroundings: Surroundings | undefined;
	#realm: Realm | undefined;
	#timer: ReturnType<typeof setInterval> | undefined;
	#isOver = false;
	#lastCall = 0;
	/** The engine could not read it. */
	#hasSyntaxError = false;
	#silentSince: number | undefined;
	#beatAt = 0;
	#computes = false;
	#runTime = 0;
	#decisionTime = 0;
	#messages = 0;
	#requests = 0;
	#lines = 0;

	constructor() {
		this.#stopped = new Promise((_, reject) => {
			this.#stop = reject;
		});
		// No call may be waiting when it stops.
		this.#stopped.catch(() => undefined);
	}

	/**
	 * Evaluates a program.
	 * @throws SyntaxMistake before anything runs
	 * @throws ProgramError
	 * @throws ProgramStopped
	 */
	async start(source: string, surroundings: Surroundings, open: OpenRealm): Promise<void> {
		this.#surroundings = surroundings;
		const code = compile(source);
		const started = new Promise<void>((resolve, reject) => {
			this.#started = (failed) => {
				this.#started = undefined;
				if (failed === undefined) resolve();
				else reject(failed);
			};
		});
		// It can be stopped while files are on their way.
		await Promise.race([this.#open(source, code, surroundings, open), this.#stopped]);
		try {
			await Promise.race([started, this.#stopped]);
		} catch (error) {
			// Without a network, the words of the engine are all there is.
			if (this.#hasSyntaxError) (await import('./check-syntax.ts').catch(() => undefined))?.checkSyntax(source);
			throw error;
		}
	}

	async #open(source: string, code: string, { config }: Surroundings, open: OpenRealm): Promise<void> {
		const modules = { ...(await modulesFor(source)), client: code };
		const realm = await open((reason) => this.stop(reason));
		if (this.#isOver) return realm.end();
		this.#realm = realm;
		realm.port.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
		this.#beatAt = performance.now();
		this.#timer = setInterval(() => this.#beat(), heartbeat);
		this.#tell({ type: 'start', modules, config });
	}

	/**
	 * Calls an exported function.
	 * @throws ProgramError
	 * @throws ProgramStopped
	 */
	call(name: string, parameters: readonly unknown[] = []): Promise<Returned> {
		const call = ++this.#lastCall;
		const returned = new Promise<Returned>((resolve, reject) => {
			this.#calls.set(call, { resolve, reject });
		});
		this.#tell({ type: 'call', id: call, name, parameters });
		return Promise.race([returned, this.#stopped]);
	}

	/** Ends the program. @param reason one sentence */
	stop(reason: string): void {
		if (this.#isOver) return;
		this.#isOver = true;
		clearInterval(this.#timer);
		this.#realm?.port.close();
		this.#realm?.end();
		this.#stop(new ProgramStopped(reason));
	}

	#beat(): void {
		if (this.#silentSince !== undefined && performance.now() - this.#silentSince >= programLimits.pause)
			return this.stop('Stopped. The code ran for 5 seconds without a pause.');
		const passed = performance.now() - this.#beatAt;
		this.#beatAt += passed;
		if (this.#surroundings?.isWaiting() !== true || this.#computes || this.#silentSince !== undefined)
			this.#runTime += passed;
		else this.#decisionTime += passed;
		this.#computes = false;
		if (this.#runTime >= programLimits.run) return this.stop('Stopped. The run took more than 60 seconds.');
		if (this.#decisionTime >= programLimits.decision)
			return this.stop('Stopped. A page waited for the user for more than 10 minutes.');
		if (this.#silentSince !== undefined) return;
		this.#silentSince = performance.now();
		this.#tell({ type: 'ping' });
	}

	#receive(data: unknown): void {
		if (this.#isOver) return;
		const parsed = v.safeParse(programMessage, data);
		if (!parsed.success || !this.#isExpected(parsed.output))
			return this.stop('Stopped. The program sent something that the page does not understand.');
		if (parsed.output.type !== 'pong' && ++this.#messages > programLimits.messages)
			return this.stop('Stopped. The program sent more than 2,500 messages to the page.');
		this.#handle(parsed.output);
	}

	/** A program can send what the page did not ask for, in a loop. */
	#isExpected(message: ProgramMessage): boolean {
		switch (message.type) {
			case 'pong':
				return this.#silentSince !== undefined;
			case 'started':
			case 'failed':
				return this.#started !== undefined;
			case 'returned':
			case 'threw':
				return this.#calls.has(message.id);
			default:
				return true;
		}
	}

	#handle(message: ProgramMessage): void {
		switch (message.type) {
			case 'pong':
				this.#computes = performance.now() - (this.#silentSince ?? 0) > promptTime;
				this.#silentSince = undefined;
				return;
			case 'started':
				this.names = message.names;
				return this.#started?.();
			case 'failed':
				this.#hasSyntaxError = message.error.name === 'SyntaxError';
				return this.#started?.(new ProgramError(message.error.message, message.error.line));
			case 'request':
				if ((message.kind === 'fetch' || message.kind === 'open') && ++this.#requests > programLimits.requests)
					return this.stop('Stopped. The program sent more than 1,000 requests.');
				return void this.#respond(message.id, message.kind, message.value, message.line);
			case 'log':
				if (++this.#lines > programLimits.lines) return this.stop('Stopped. The program wrote more than 1,000 lines.');
				return this.#surroundings?.log({ level: message.level, text: message.text, line: message.line });
			case 'returned':
				this.#take(message.id)?.resolve({ value: message.value, text: message.text });
				return;
			case 'threw':
				this.#take(message.id)?.reject(new ProgramError(message.error.message, message.error.line));
		}
	}

	async #respond(request: number, kind: RequestKind, value: unknown, at: number | undefined): Promise<void> {
		const result = await this.#surroundings?.handlers[kind](value, at).then(
			(returned: unknown) => ({ value: returned }),
			(failed: unknown) => ({
				error: failed instanceof Error ? { name: failed.name, message: failed.message } : { name: 'Error', message: '' }
			})
		);
		if (!this.#isOver && result !== undefined) this.#tell({ type: 'response', id: request, ...result });
	}

	/** The clock moves between any two messages. */
	#tell(message: Message): void {
		const now = this.#surroundings?.now() ?? Date.now();
		this.#realm?.port.postMessage({ ...message, now } satisfies ToProgram);
	}

	#take(call: number): Waiting | undefined {
		const waiting = this.#calls.get(call);
		this.#calls.delete(call);
		return waiting;
	}
}
