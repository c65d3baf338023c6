import type { Browser } from '../browser/surroundings.ts';
import { MemoryShelf } from '../shelf.ts';

/**
 * Opens something on what this browser keeps; where storage breaks meanwhile, on memory, so that nobody waits for ever.
 * @param browser with its storage
 * @param open reads what is kept, and makes what is to be opened of it; done a second time where the first one fails
 */
export async function openOn<T>(browser: Browser, open: (browser: Browser) => Promise<T>): Promise<T> {
	try {
		return await open(browser);
	} catch {
		return open({ ...browser, shelf: new MemoryShelf(), persistent: false });
	}
}

/**
 * Opens something once for each service: whoever asks again gets the same, so that it survives going to another page.
 * @param open takes the base URL of the service, and the path that the application stands at
 */
export function oncePerService<T>(
	open: (base_url: string, path: string) => Promise<T>
): (base_url: string, path: string) => Promise<T> {
	const opened = new Map<string, Promise<T>>();
	return (base_url, path) => {
		const opening = opened.get(base_url) ?? open(base_url, path);
		opened.set(base_url, opening);
		return opening;
	};
}
