import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import type { Application } from '../sandbox/records.ts';

/** How many clients of a sandbox may have registered themselves, or have come with a document. */
const maxClients = 20;
/** How long such a client stays that is not used, in milliseconds of the sandbox clock. The first code makes it last. */
export const unusedLifetime = 60 * 60 * 1000;
/** What the ids of clients that registered themselves begin with. */
export const idPrefix = 'dynamic-';

type Clients = readonly (readonly [client_id: string, application: Application])[];

/**
 * Makes room for one more client that the owner did not register: an unused one is removed.
 * @returns what happened, for the trace
 * @throws ProtocolError `too_many_attempts`, `limit_reached`
 */
export async function makePlace(context: Context): Promise<string> {
	await recordFailedAttempt(context, 'register_client');
	const clients = (await context.store.list('application')).filter(
		([id, { document_until }]) => id.startsWith(idPrefix) || document_until !== undefined
	);
	if (clients.length < maxClients) return `${clients.length} of ${maxClients} clients have registered`;
	const victim = unusedToRemove(clients, context.networkAddress);
	if (victim === undefined) throw tooMany(clients, context.networkAddress);
	await context.store.delete('application', victim);
	return `${clients.length} clients have registered: ${victim}, which was never used, is removed`;
}

/**
 * The client that is removed for a new one: the oldest unused one of the address that has registered the most, if that address has more
 * than the one that registers, or is the same.
 */
function unusedToRemove(clients: Clients, address: string): string | undefined {
	const own = countOf(clients, address);
	const removable = clients.filter(
		([, { createdBy, expires }]) =>
			expires !== undefined && (createdBy === address || countOf(clients, createdBy) > own)
	);
	const most = Math.max(...removable.map(([, { createdBy }]) => countOf(clients, createdBy)));
	return removable.find(([, { createdBy }]) => countOf(clients, createdBy) === most)?.[0];
}

function countOf(clients: Clients, address: string | undefined): number {
	return clients.filter(([, { createdBy }]) => createdBy === address).length;
}

function tooMany(clients: Clients, address: string): ProtocolError {
	const own = countOf(clients, address);
	if (clients.every(([, { createdBy }]) => countOf(clients, createdBy) <= own))
		return new ProtocolError(
			'too_many_attempts',
			`Your address has registered ${own} clients that are used in this sandbox. Use one of them again.`,
			{ cause: 'too_many_clients' }
		);
	return new ProtocolError(
		'limit_reached',
		`${maxClients} clients have registered in this sandbox, and all are used. Its owner can delete some in the console.`,
		{ cause: 'too_many_clients' }
	);
}
