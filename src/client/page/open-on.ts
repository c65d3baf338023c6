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
