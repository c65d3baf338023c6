import { noResponse } from '#api/message.ts';
import { check } from '../core/runner.ts';
import type { Context } from '../core/context.ts';

/** A blacklisted address gets no response (specification, sections 3.3 and 7). */
export const rejectBlacklisted = check<Context>('address.not_blacklisted', async (context) => {
	const { networkAddress, clientAddress } = context;
	const entry = await context.store.get('blacklist_entry', clientAddress);
	const shown =
		clientAddress === networkAddress ? clientAddress : `${clientAddress} (virtual address of ${networkAddress})`;
	context.note(entry === undefined ? shown : `${shown} is blacklisted: ${entry.reason}`);
	return entry === undefined ? undefined : noResponse;
});

/** Blacklists an address. The entry does not expire. */
export async function blacklistAddress(context: Context, reason: string): Promise<void> {
	const entry = { since: context.sandbox.seconds(), reason, ...ownerOfVirtual(context) };
	await context.store.update('blacklist_entry', context.clientAddress, (known) => known ?? entry);
}

/** The owner of a record about the counted address. A client has one network address, and can choose among many virtual ones. */
export function ownerOfVirtual({ networkAddress, clientAddress }: Context): { readonly createdBy?: string } {
	return clientAddress === networkAddress ? {} : { createdBy: networkAddress };
}
