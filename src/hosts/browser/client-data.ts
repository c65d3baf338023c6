import { promisifyRequest } from 'idb-keyval';

/**
 * The names of databases and keys in web storage of the app's clients: `tollgate-<client>`, then the base path. In
 * web storage a space and the rest of the key follow.
 */
const clientName = /^tollgate-[a-z]+(\S*)(?: .+)?$/;

/**
 * Empties the databases of the app's clients. Deleting them would wait for every tab that has one open.
 * @param base path of the app: other deployments on this origin keep their data
 */
export async function emptyClientDatabases(base: string): Promise<void> {
	for (const { name = '' } of await indexedDB.databases()) {
		if (!isClientName(name, base)) continue;
		const database = await promisifyRequest(indexedDB.open(name));
		const stores = [...database.objectStoreNames];
		if (stores.length > 0) {
			const transaction = database.transaction(stores, 'readwrite');
			for (const store of stores) transaction.objectStore(store).clear();
			await promisifyRequest(transaction);
		}
		database.close();
	}
}

/** Deletes what the clients keep in web storage. They write there until the page is left, so it follows them. */
export function clearWebStorage(base: string): void {
	const clear = () => {
		for (const storage of [sessionStorage, localStorage])
			for (const key of Object.keys(storage)) if (isClientName(key, base)) storage.removeItem(key);
	};
	addEventListener('pagehide', clear);
	document.addEventListener('visibilitychange', clear);
}

function isClientName(name: string, base: string): boolean {
	return clientName.exec(name)?.[1] === base;
}
