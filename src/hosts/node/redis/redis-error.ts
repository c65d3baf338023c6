import { placeOf } from './redis-address.ts';

/** Why the store at STORE cannot be used. Its message is for the user who started the server. */
export class RedisError extends Error {
	override name = 'RedisError';

	/**
	 * What went wrong with a connection or a change.
	 * @param url its password is not part of the message
	 */
	static at(url: string, cause: unknown): RedisError {
		const message = cause instanceof Error ? cause.message : '';
		const place = placeOf(url);
		if (/^Protocol error/i.test(message))
			return new RedisError(
				`The server at ${place} (STORE) is neither Redis nor Valkey. Correct the address in STORE.`
			);
		if (/NOAUTH|WRONGPASS|invalid password|without any password/i.test(message))
			return new RedisError(
				`The store at ${place} (STORE) does not accept the password. Write it into the address: redis://user:password@host:6379`
			);
		if (isRejection(cause)) return new RedisError(rejectedBy(place, message));
		return new RedisError(
			`The store at ${place} (STORE) cannot be reached (${message || 'no response'}). Start it, or correct the address in STORE.`
		);
	}
}

/** Whether an error of Redis says that it accepts no changes. */
export function isRejection(error: unknown): boolean {
	return error instanceof Error && /\b(?:OOM|READONLY|MISCONF|NOREPLICAS) /.test(error.message);
}

function rejectedBy(place: string, message: string): string {
	if (message.includes('READONLY '))
		return `The store at ${place} (STORE) is a read-only replica. Set STORE to the address of its primary.`;
	if (message.includes('OOM '))
		return `The store at ${place} (STORE) rejects changes, because its memory is full (OOM). Raise its maxmemory.`;
	if (message.includes('MISCONF '))
		return `The store at ${place} (STORE) rejects changes, because it cannot write to its disk (MISCONF). Free some space there.`;
	return `The store at ${place} (STORE) rejects changes (${message}). Correct its settings.`;
}
