import { blacklistApi } from '#api/control/blacklist.ts';
import { limitedIn, windowKey } from '../checks/rate-limit.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { implement } from './control-endpoint.ts';

export const blacklistEndpoints = implement(blacklistApi, {
	'GET /control/blacklist': async ({ sandbox }) => {
		const entries = await sandbox.store.list('blacklist_entry');
		return { blacklist: entries.map(([address, { since, reason }]) => ({ address, since, reason })) };
	},
	'DELETE /control/blacklist/{+address}': async (context, { path: { address } }) => {
		if (!(await unblock(context, address))) throw new ProtocolError('not_found', 'This address is not blacklisted.');
		return { unblocked: address };
	}
});

/**
 * Unblocks an address. Resets its counters too, or the next rejected request would blacklist it again.
 * @returns whether it was blacklisted
 */
export async function unblock(context: Context, address: string): Promise<boolean> {
	const entry = await context.store.delete('blacklist_entry', address);
	if (entry === undefined) return false;
	for (const resource of limitedIn(context))
		await context.store.delete('rate_limit_window', windowKey(resource, address));
	return true;
}
