import { vi } from 'vitest';

/** The `localStorage` of one tab, and what other tabs do to it. */
export class WebStorage {
	readonly values: Map<string, string>;
	readonly #listeners = new Set<(event: StorageEvent) => void>();

	/** Replaces the storage of the tab until the test has ended. */
	constructor(stored: Readonly<Record<string, string>> = {}) {
		this.values = new Map(Object.entries(stored));
		vi.stubGlobal('localStorage', {
			getItem: (key: string) => this.values.get(key) ?? null,
			setItem: (key: string, value: string) => void this.values.set(key, value),
			removeItem: (key: string) => void this.values.delete(key)
		});
		vi.stubGlobal('addEventListener', (_: string, listener: (event: StorageEvent) => void) =>
			this.#listeners.add(listener)
		);
		vi.stubGlobal('removeEventListener', (_: string, listener: (event: StorageEvent) => void) =>
			this.#listeners.delete(listener)
		);
	}

	/** Another tab writes a value. A key of null: it deletes all of them. */
	changeElsewhere(key: string | null, value = ''): void {
		if (key === null) this.values.clear();
		else this.values.set(key, value);
		const event = Object.assign(new Event('storage'), {
			key,
			newValue: value,
			oldValue: null,
			url: '',
			storageArea: null,
			initStorageEvent: () => undefined
		});
		for (const listener of this.#listeners) listener(event);
	}
}

/** Storage as it is where a browser blocks it. */
export function blockStorage(): void {
	const block = () => {
		throw new DOMException('The operation is insecure.', 'SecurityError');
	};
	vi.stubGlobal('localStorage', { getItem: block, setItem: block, removeItem: block });
}
