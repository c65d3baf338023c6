import { StoreUnavailable } from '#store/errors.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import type { Classes } from './classes.ts';

/** Stores what the seats have sent, and deletes seats whose joining failed. What the store does not accept now, it gets next time. */
export async function purgeClasses(classes: Classes, registry: SandboxRegistry): Promise<void> {
	try {
		await classes.counts.save();
		for (const [code, number] of await classes.unfinished()) {
			await registry.removeSeat({ code, number });
			await classes.deleteSeat(code, number);
		}
	} catch (fault) {
		if (!(fault instanceof StoreUnavailable)) throw fault;
	}
}
