import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { Client, type Surroundings } from '#client/client.ts';
import type { Step } from '#client/events.ts';
import { LocalLocks } from '#client/locks.ts';
import { problemOf } from '#client/problems.ts';
import { MemoryShelf } from '#client/shelf.ts';
import { makeBinding, type Wishes } from '#client/sign-in/request.ts';
import type { Session } from '#client/tokens/sessions.ts';
import type { XmlElement, XmlReader } from '#client/xml.ts';
import { FakeService } from './fake-service.ts';

/** Half past nine on the day of the measurements, in milliseconds. */
const morning = Date.UTC(2026, 10, 21, 9, 30);

export const wishes: Wishes = { scope: ['character_read'], access_type: 'offline', renew: false, pkce: true };

/** A browser with tabs, a service, and two clocks that only move when they are told to. */
export class Workbench {
	/** This machine's clock. */
	time = morning;
	/** How far the service's clock is ahead, in milliseconds. */
	ahead = 0;
	readonly service: FakeService;
	readonly shelf = new MemoryShelf();
	readonly locks = new LocalLocks();
	/** What the client wanted to wait, in milliseconds. */
	readonly waited: number[] = [];
	/** What listens to the other tabs, and in which tab it is. */
	readonly #ears = new Map<() => void, string>();
	/** What each tab keeps for itself. */
	readonly #drawers = new Map<string, unknown>();
	/** What is done before a tab's page goes, and in which tab. */
	readonly #lastWorks = new Map<() => void, string>();
	#ids = 0;

	constructor(base_url?: string) {
		this.service = new FakeService(() => this.time + this.ahead, base_url);
	}

	/** Opens a tab: its own client on the storage that all tabs share. */
	tab(name: string, more: Partial<Surroundings> = {}): Client {
		return new Client(this.service.base_url, this.surroundings(name, more));
	}

	/** What a tab has around it. */
	surroundings(name: string, more: Partial<Surroundings> = {}): Surroundings {
		return {
			shelf: this.shelf,
			drawer: {
				read: () => structuredClone(this.#drawers.get(name)),
				write: (value) => this.#drawers.set(name, structuredClone(value)),
				beforeLeaving: (work) => this.#lastWorks.set(work, name)
			},
			locks: this.locks,
			bell: {
				ring: () => {
					for (const [heard, tab] of this.#ears) if (tab !== name) heard();
				},
				listen: (heard) => {
					this.#ears.set(heard, name);
					return () => this.#ears.delete(heard);
				}
			},
			readXml,
			tab: name,
			fetch: this.service.fetch,
			now: () => this.time,
			timeout: () => new AbortController().signal,
			newId: () => `id-${String((this.#ids += 1))}`,
			jitter: () => 0,
			sleep: (milliseconds) => {
				this.waited.push(milliseconds);
				this.time += milliseconds;
				return Promise.resolve();
			},
			...more
		};
	}

	/** The page of a tab goes. Returns what the tab keeps for itself. */
	leave(name: string): unknown {
		for (const [work, tab] of this.#lastWorks) {
			if (tab !== name) continue;
			work();
			this.#lastWorks.delete(work);
		}
		return this.#drawers.get(name);
	}

	/** Signs somebody in, from the first click to the stored tokens. */
	async signIn(client: Client, chosen: Wishes = wishes, again: string | null = null): Promise<Session> {
		const binding = await makeBinding();
		await client.depart(chosen, binding, again);
		return client.arrive(new URLSearchParams({ code: 'code-0', state: binding.state }));
	}
}

/** Something to wait for, and what ends the wait. Nothing comes of it: the fake service goes on as usual. */
export function gate(): { readonly closed: Promise<undefined>; readonly open: () => void } {
	let open = () => {};
	const closed = new Promise<undefined>((resolve) => (open = () => resolve(undefined)));
	return { closed, open: () => open() };
}

/** The code of the problem that a promise is rejected with; `none` where it is not. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
	try {
		await promise;
		return 'none';
	} catch (thrown) {
		return problemOf(thrown).code;
	}
}

/** A character call of a session. */
export function characterCall(
	session: string,
	more: { credential?: 'header' | 'query'; format?: 'json' | 'xml' } = {}
) {
	const address = 'https://service.example/ws/v2.0/character/Mara%20Vell';
	return { session, address, pattern: '/ws/v2.0/character/*', format: 'json', credential: 'header', ...more } as const;
}

/** The sentences of steps. */
export function sentences(steps: readonly Step[]): string[] {
	return steps.map(({ kind, what }) => `${kind}: ${what}`);
}

/** XML without a browser. */
export const readXml: XmlReader = (text) => {
	if (XMLValidator.validate(text) !== true) return undefined;
	const nodes: unknown = new XMLParser({
		preserveOrder: true,
		ignoreAttributes: false,
		attributeNamePrefix: '',
		parseTagValue: false,
		trimValues: false
	}).parse(text);
	return elementsOf(nodes).find(({ name }) => !name.startsWith('?'));
};

function elementsOf(nodes: unknown): XmlElement[] {
	return listOf(nodes).flatMap((node) => {
		const fields = fieldsOf(node);
		const named = fields.find(([key]) => key !== ':@' && key !== '#text');
		if (named === undefined) return [];
		const [name, inner] = named;
		const attributes = fieldsOf(fields.find(([key]) => key === ':@')?.[1]);
		const texts = listOf(inner).flatMap((part) => fieldsOf(part).filter(([key]) => key === '#text'));
		return [
			{
				name,
				attributes: new Map(attributes.map(([key, value]) => [key, String(value)])),
				children: elementsOf(inner),
				text: texts.map(([, value]) => String(value)).join('')
			}
		];
	});
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): [string, unknown][] {
	return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** A tab that has left for the service; `answer` makes what comes back with its state. */
export async function started(bench = new Workbench(), tab = 'tab-1') {
	const client = bench.tab(tab);
	const binding = await makeBinding();
	await client.depart(wishes, binding, null);
	const answer = (fields: Record<string, string>) => new URLSearchParams({ state: binding.state, ...fields });
	return { bench, client, binding, answer };
}
