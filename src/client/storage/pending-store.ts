import type { PendingAuthorization } from '../oauth/pending-authorizations.ts';
import type { AtomicStore } from '../oauth/atomic-store.ts';
import type { SharedStorage } from './shared-storage.ts';

/** The most pending authorizations that are kept; the oldest is evicted. */
const capacity = 20;

/** Stores pending authorizations for the client core, of all tabs and services. */
export function pendingStore(storage: SharedStorage): AtomicStore<PendingAuthorization> {
	return {
		get: async (state) => (await storage.get('pending')).find((pending) => pending.state === state),
		async update(state, change) {
			const all = await storage.update('pending', (found) => {
				const next = change(found.find((pending) => pending.state === state));
				const others = found.filter((pending) => pending.state !== state);
				return next === undefined ? others : [...others, next].slice(-capacity);
			});
			return all.find((pending) => pending.state === state);
		}
	};
}
