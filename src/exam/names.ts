/** How long a client may keep what it has read, in milliseconds (section 8.9). */
const cacheTime = 60_000;

/** The names that the exam reads. None repeats within a minute: a client may keep responses, and share them between its users. */
export class Names {
	/** When each name was read last, the longest ago first. They exist. */
	readonly #readAt: Map<string, number>;
	readonly #now: () => number;
	#made = 0;

	/** @param characters names that exist @param now milliseconds */
	constructor(characters: readonly string[], now: () => number) {
		this.#readAt = new Map(characters.map((name) => [name, -Infinity]));
		this.#now = now;
	}

	/** A name that was not read for a minute. It does not exist if all that exist were. */
	next(): string {
		const [oldest] = this.#readAt;
		if (oldest === undefined || this.#now() - oldest[1] < cacheTime) return this.unknown();
		const [name] = oldest;
		this.#readAt.delete(name);
		this.#readAt.set(name, this.#now());
		return name;
	}

	/** A name that does not exist, another one each time. */
	unknown(): string {
		return `Unknown ${++this.#made}`;
	}
}

/** The URL of a page that reads a character: its name is in place of `{name}`, or in the parameter `name`. */
export function withName(url: string, name: string): string {
	if (url.includes('{name}')) return url.replaceAll('{name}', encodeURIComponent(name));
	const target = new URL(url);
	target.searchParams.set('name', name);
	return target.href;
}
