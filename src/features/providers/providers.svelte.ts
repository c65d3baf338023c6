import { SvelteMap } from 'svelte/reactivity';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { deviations, type Difference, type Surprise } from '#api/providers/provider-file.ts';
import type { OwnProviderFile } from '#api/world/provider.ts';
import { type ControlApi, ControlError } from '#client/control-api/control-api.ts';
import { ownProvider } from '#api/dialect.ts';
import { ProviderSandbox } from '#client/providers/provider-sandbox.ts';
import { isProvider, sourcesOf, titleOf, type ProviderContent } from './provider-files.ts';

/** A dialect with its file. */
export type SpokenFile = {
	readonly name: string;
	readonly file: ProviderContent;
	/** An own API that the world of no sandbox describes yet. */
	readonly own?: OwnProviderFile;
};

/** What a row of a list sends: to one dialect, or the same to two. */
export type Sendable = Pick<Surprise, 'title' | 'why' | 'send'> & {
	/** Of links, and of its result. */
	readonly id: string;
	/** For each dialect, the response that its file documents. Undefined: it documents none. */
	readonly expected: readonly (Surprise['expect'] | undefined)[];
	/** The check that decides. */
	readonly check?: string;
	readonly sources: ReturnType<typeof sourcesOf>;
	/** Of the dialects of our own: the sections, and what to change in a client. */
	readonly sections?: readonly string[];
	readonly change?: Difference['change'];
	/** Whose surprise it is, where two providers are compared. */
	readonly of?: string;
};

/** What was sent. */
export type Sent = {
	/** Of each dialect, with the URL of its sandbox. */
	readonly exchanges: readonly { readonly entry: TrafficEntry; readonly baseUrl: string }[];
	/** What is other than documented. */
	readonly deviations: readonly string[];
};

/** The surprises of a provider. */
export function surprisesOf({ file }: SpokenFile): Sendable[] {
	return file.surprises.map(({ title, why, send, expect, check, fact }) => ({
		...{ id: title, title, why, send, check },
		expected: [expect],
		sources: sourcesOf(file, fact)
	}));
}

/** What can be sent to two dialects: the surprises of both, or how today's standards differ from the specification. */
export function comparisonsOf(one: SpokenFile, other: SpokenFile): Sendable[] {
	if (one.name === other.name) return [];
	const pair = [one, other];
	if (pair.every(({ name }) => !isProvider(name))) {
		const differences = pair.flatMap(({ file }) => file.differences ?? []);
		return differences.map((difference) => ofDifference(difference, pair));
	}
	return pair.flatMap((spoken, at) =>
		surprisesOf(spoken).map((item) => ({
			...item,
			id: `${spoken.name}: ${item.id}`,
			of: titleOf(spoken.name),
			expected: at === 0 ? [item.expected[0], undefined] : [undefined, item.expected[0]]
		}))
	);
}

function ofDifference(difference: Difference, pair: readonly SpokenFile[]): Sendable {
	const { id, title, why, send, section, change, expect, specification } = difference;
	const sides = pair.map(({ name }) => (name === 'standard' ? { section, expect } : specification));
	return {
		...{ id, title, why, send, change },
		expected: sides.map((side) => side.expect),
		sources: [],
		sections: sides.map((side) => side.section)
	};
}

/** Sends requests to one dialect or the same to two, and keeps what came back. */
export class Sender {
	/** By the ids of what was sent. */
	readonly results = new SvelteMap<string, Sent>();
	/** The id of what is being sent. */
	sending: string | undefined = $state();
	/** Why the latest request was not sent, or had no response. */
	problem: string | undefined = $state();
	readonly #spoken: readonly SpokenFile[];
	readonly #root: ControlApi;
	readonly #open: ControlApi;
	/** Nothing that the differences of our own dialects send depends on what was sent before, so a sandbox is used again. */
	readonly #own = new Map<string, ProviderSandbox>();

	/**
	 * @param root the control API of the root sandbox
	 * @param open that of the open one, whose world may describe a provider
	 */
	constructor(spoken: readonly SpokenFile[], root: ControlApi, open: ControlApi) {
		this.#spoken = spoken;
		this.#root = root;
		this.#open = open;
	}

	/** Sends one. Never rejects, see `problem`. */
	async send({ id, send, expected }: Sendable): Promise<void> {
		if (this.sending !== undefined) return;
		this.sending = id;
		this.problem = undefined;
		try {
			const exchanges: { entry: TrafficEntry; baseUrl: string }[] = [];
			const found: string[] = [];
			for (const [at, spoken] of this.#spoken.entries()) {
				const { name } = spoken;
				const sandbox = this.#own.get(name) ?? (await this.#create(spoken));
				const entry = await sandbox.send(send);
				exchanges.push({ entry, baseUrl: sandbox.baseUrl });
				const documented = expected[at];
				const others = documented === undefined ? [] : deviations(documented, entry.response);
				found.push(...others.map((text) => (this.#spoken.length === 1 ? text : `${titleOf(name)}: ${text}`)));
			}
			this.results.set(id, { exchanges, deviations: found });
		} catch (thrown) {
			// A sandbox that was not used for long is gone: the next press creates another one.
			this.#own.clear();
			this.problem =
				thrown instanceof ControlError || thrown instanceof RangeError
					? thrown.message
					: 'There was no response. The service may not run. Check that, then send again.';
		} finally {
			this.sending = undefined;
		}
	}

	/** Sends all, one after the other. */
	async sendAll(items: readonly Sendable[]): Promise<void> {
		for (const item of items) {
			await this.send(item);
			if (this.problem !== undefined) return;
		}
	}

	async #create({ name, file, own }: SpokenFile): Promise<ProviderSandbox> {
		const options = { name, file, root: this.#root, fetch: (url: string, init: RequestInit) => fetch(url, init) };
		const asked = name === ownProvider && own === undefined;
		const { provider } = asked ? await this.#open.request('GET /control/provider') : { provider: own };
		const world = provider && { world: { format: 'tollgate-world', version: 1, provider } };
		const sandbox = await ProviderSandbox.create({ ...options, ...world });
		if (!isProvider(name)) this.#own.set(name, sandbox);
		return sandbox;
	}
}
