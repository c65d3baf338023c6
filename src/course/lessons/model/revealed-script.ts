import type { TrafficEntry } from '#api/control/traffic.ts';
import { ControlApi, trafficAfter } from '#client/control-api/control-api.ts';
import { ScriptedClient, type Script } from '../scripted-client.ts';

/** Gets what a script sends and learns, so that the tools of the next steps can go on from there. */
export type Receiver = {
	/** @param body of the response to an exchange of the log */
	receive(entry: TrafficEntry, body: string): void;
	/** Takes parameters of the next token request: the code, its redirect URI and its verifier. */
	learn(values: Readonly<Record<string, string>>): void;
};

type Options = {
	readonly api: ControlApi;
	readonly script: Script;
	/** Fills a field of the lesson page. @param after number of the newest exchange */
	readonly enter: (field: string, value: string, after: number) => void;
	readonly receiver: Receiver;
	/** The exchanges of the run so far, oldest first. */
	readonly entries: readonly TrafficEntry[];
	/** Number of the newest exchange. */
	readonly last: number;
};

/** A script that does the steps of a lesson for the learner. It waits where a step is done, and goes on from there. */
export class RevealedScript {
	readonly #options: Options;
	#entries: readonly TrafficEntry[];
	#last: number;
	#isDone: (entries: readonly TrafficEntry[]) => boolean = () => false;
	#waiting: (() => void)[] = [];
	#reached: () => void = () => {};
	#end: Promise<void> | undefined;

	constructor(options: Options) {
		this.#options = options;
		this.#entries = options.entries;
		this.#last = options.last;
	}

	/**
	 * Goes on until a step is done.
	 * @param isDone whether exchanges show the step
	 * @returns whether they do. False: the script is over
	 * @throws what the script throws
	 */
	async goOn(isDone: (entries: readonly TrafficEntry[]) => boolean): Promise<boolean> {
		this.#isDone = isDone;
		const reached = new Promise<void>((resolve) => (this.#reached = resolve));
		this.#end ??= this.#begin();
		// The next call throws it, where a part of the script fails while another one waits.
		this.#end.catch(() => {});
		for (const resume of this.#waiting.splice(0)) resume();
		await Promise.race([this.#end, reached]);
		await this.#read();
		return isDone(this.#entries);
	}

	#begin(): Promise<void> {
		const { api, script, enter, receiver } = this.#options;
		const send = async (url: string, init: RequestInit) => {
			await this.#untilNeeded();
			const response = await fetch(url, init);
			const id = response.headers.get('x-request-id');
			await this.#read();
			const entry = this.#entries.find((one) => one.id === id);
			if (entry !== undefined) receiver.receive(entry, await response.clone().text());
			return response;
		};
		const control = new ControlApi(api.baseUrl, async (url, init) => {
			await this.#untilNeeded();
			return fetch(url, init);
		});
		const fill = (field: string, value: string) => enter(field, value, this.#last);
		return script(new ScriptedClient(control, fill, send, (values) => receiver.learn(values)));
	}

	/** Waits where the step is done. */
	async #untilNeeded(): Promise<void> {
		await this.#read();
		while (this.#isDone(this.#entries))
			await new Promise<void>((resume) => {
				this.#waiting.push(resume);
				this.#reached();
			});
	}

	/** Reads what the service has recorded. */
	async #read(): Promise<void> {
		const { entries } = await this.#options.api.request('GET /control/traffic', trafficAfter(this.#last));
		this.#entries = [...this.#entries, ...entries.filter(({ seq }) => seq > this.#last)];
		this.#last = this.#entries.at(-1)?.seq ?? this.#last;
	}
}
