import type { CreatedSandbox, NewSandbox } from '#api/control/sandboxes.ts';
import type { SandboxStatus } from '#api/control/status.ts';
import { ControlApi, ControlError } from '#client/control-api/control-api.ts';
import { followStored, storedJson, storeText } from '#client/storage/web-storage.ts';

/** How many sandboxes a browser remembers. The oldest are dropped first. */
const maxRemembered = 50;

/** A sandbox that this browser created or got access to. */
export type MySandbox = {
	readonly id: string;
	readonly name?: string | undefined;
	readonly base_url: string;
	/** Milliseconds since 1970. */
	readonly created: number;
};

/** The sandboxes that this browser remembers. It stores no keys: cookies have those. */
export class MySandboxes {
	/** Newest first. */
	list: readonly MySandbox[] = $state.raw([]);
	/** The control API of the root sandbox. */
	readonly root: ControlApi;
	readonly #key: string;

	/** @param rootUrl base URL of the root sandbox */
	constructor(rootUrl: string) {
		this.root = new ControlApi(rootUrl);
		this.#key = `tollgate-sandboxes${new URL(rootUrl).pathname.replace(/\/$/, '')}`;
	}

	/** Reads the stored list, and follows changes in other tabs. Returns a function that stops it. */
	start(): () => void {
		this.#read();
		return followStored(this.#key, () => this.#read());
	}

	/** Creates a sandbox that this browser controls. */
	async create(body: NewSandbox = {}): Promise<CreatedSandbox> {
		const created = await this.root.request('POST /control/sandboxes', { body });
		this.remember(created);
		return created;
	}

	/**
	 * Creates a sandbox with the content of another one. If it cannot hold the content, nothing is created.
	 * @returns its base URL
	 */
	async fork(from: ControlApi, name: string): Promise<string> {
		const snapshot = await from.request('GET /control/snapshot');
		const { id, base_url } = await this.create({ name });
		const copy = new ControlApi(base_url);
		try {
			await copy.request('PUT /control/snapshot', { body: snapshot });
		} catch (thrown) {
			await copy.request('DELETE /control/sandbox');
			this.forget(id);
			throw thrown;
		}
		return base_url;
	}

	/**
	 * The sandbox of a visitor of the front page: the newest one that this browser still controls, or a new one.
	 * @returns its base URL
	 */
	async forVisitor(): Promise<string> {
		for (const { base_url } of this.list) {
			if ((await this.check(base_url))?.can_control === true) return base_url;
		}
		return (await this.create()).base_url;
	}

	/** Reads the status of a remembered sandbox. Forgets it if it no longer exists. */
	async check(baseUrl: string): Promise<SandboxStatus | undefined> {
		try {
			const status = await new ControlApi(baseUrl).request('GET /control/status');
			this.#write(this.list.map((one) => (one.id === status.id ? { ...one, name: status.name } : one)));
			return status;
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			if (thrown.status === 404) this.#write(this.list.filter(({ base_url }) => base_url !== baseUrl));
			return undefined;
		}
	}

	/** Adds a sandbox, or changes its name. */
	remember({ id, name, base_url }: Pick<CreatedSandbox, 'id' | 'name' | 'base_url'>): void {
		const known = this.list.find((one) => one.id === id);
		if (known) this.#write(this.list.map((one) => (one === known ? { ...one, name } : one)));
		else this.#write([{ id, name, base_url, created: Date.now() }, ...this.list].slice(0, maxRemembered));
	}

	forget(id: string): void {
		this.#write(this.list.filter((one) => one.id !== id));
	}

	#read(): void {
		const found: unknown = storedJson(this.#key);
		this.list = Array.isArray(found) && found.every(isMySandbox) ? found : [];
	}

	#write(list: readonly MySandbox[]): void {
		this.list = list;
		storeText(this.#key, JSON.stringify(list));
	}
}

/** Without a schema library, since each page loads this module. */
function isMySandbox(value: unknown): value is MySandbox {
	if (typeof value !== 'object' || value === null) return false;
	const hasTexts =
		'id' in value && typeof value.id === 'string' && 'base_url' in value && typeof value.base_url === 'string';
	const isNamed = !('name' in value) || typeof value.name === 'string';
	return hasTexts && isNamed && 'created' in value && typeof value.created === 'number';
}
