/** Why the store at STORE cannot be used. Its message is for the user who started the server. */
export class RedisError extends Error {
	override name = 'RedisError';

	/**
	 * What went wrong with a connection.
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
		return new RedisError(
			`The store at ${place} (STORE) cannot be reached (${message || 'no response'}). Start it, or correct the address in STORE.`
		);
	}
}

/** The address of a store without its password. */
export function placeOf(url: string): string {
	if (!URL.canParse(url)) return 'this address';
	const { protocol, host, pathname } = new URL(url);
	return `${protocol}//${host}${pathname}`;
}
