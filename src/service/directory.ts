import { base64url } from './encoding.ts';
import { demoPasswordOf, type DemoPassword } from './demo-world.ts';
import { rootSandbox, Sandbox, sandboxLifetime } from './sandbox.ts';
import type { ServiceOptions } from './service.ts';

/** How long a use of a sandbox goes unnoted, in milliseconds: its entry is not written at every call. */
const noteInterval = 60_000;

/** The sandboxes of one service. */
export class Directory {
	readonly #options: ServiceOptions;
	readonly #password: DemoPassword;
	readonly #root: Sandbox;
	readonly #open = new Map<string, Sandbox>();

	constructor(options: ServiceOptions) {
		this.#options = options;
		this.#password = demoPasswordOf(options);
		this.#root = new Sandbox(rootSandbox, options);
	}

	/**
	 * A sandbox by its id, with its settings as they are now; undefined for one that never was or is gone.
	 * @param id undefined for the root
	 */
	async find(id: string | undefined): Promise<Sandbox | undefined> {
		if (id === undefined) return this.#root.load(this.#password);
		const now = this.#options.now();
		const entry = await this.#root.area.get('sandbox', id);
		if (entry === undefined) return undefined;
		if (entry.expires - now < sandboxLifetime - noteInterval) {
			const expires = now + sandboxLifetime;
			await this.#root.area.update('sandbox', id, (known) => known && { expires });
		}
		return this.#sandbox(id).load(this.#password);
	}

	/** The root sandbox, as it was last loaded. */
	get root(): Sandbox {
		return this.#root;
	}

	/**
	 * Makes a sandbox with the demo world in it. Its id has 120 random bits and is the capability to use it.
	 * @param key digest of the key that controls it
	 */
	async create(key: string): Promise<Sandbox> {
		const id = base64url(this.#options.random(15));
		const expires = this.#options.now() + sandboxLifetime;
		await this.#root.area.update('sandbox', id, () => ({ expires }));
		const sandbox = this.#sandbox(id);
		await sandbox.fill(this.#password, key);
		return sandbox;
	}

	/** Puts a sandbox back to its beginning. */
	async reset(sandbox: Sandbox): Promise<void> {
		await sandbox.reset(this.#password);
	}

	/** Deletes a sandbox with everything in it. */
	async remove(id: string): Promise<void> {
		await this.#root.area.delete('sandbox', id);
		this.#open.delete(id);
		await this.#options.store.drop(id);
	}

	/** Deletes what has expired: records everywhere, and whole sandboxes that nobody has called for long. */
	async purge(): Promise<void> {
		await this.#root.area.purge();
		for (const [id, sandbox] of this.#open) {
			if ((await this.#root.area.get('sandbox', id)) === undefined) await this.remove(id);
			else await sandbox.area.purge();
		}
	}

	#sandbox(id: string): Sandbox {
		const known = this.#open.get(id);
		if (known !== undefined) return known;
		const sandbox = new Sandbox(id, this.#options);
		this.#open.set(id, sandbox);
		return sandbox;
	}
}
