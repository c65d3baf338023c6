import type { RecordKey } from '#store/store.ts';
import { findClientAddress, type AddressSource } from './address/client-address.ts';
import { formOf, sentAccessToken, takesAccessToken } from './sandbox/request-client.ts';
import type { Records } from './sandbox/records.ts';

/**
 * The records that a request will probably read first, so that a store outside of this process reads them together. The checks read what
 * is missing here, for example because the settings of the sandbox have changed.
 */
export function expectedRecords(source: AddressSource): RecordKey<Records>[] {
	const { route, options, sandbox } = source;
	const found: RecordKey<Records>[] = [];
	const address = sandbox.state.hasApplicationAddresses ? undefined : findClientAddress(source);
	if (typeof address === 'string') found.push(['blacklist_entry', address]);
	if (takesAccessToken(route)) {
		const token = sentAccessToken(source);
		if (token !== undefined) found.push(['access_token', options.digest(token)]);
	}
	if (route === 'token') {
		const form = formOf(source);
		for (const kind of ['code', 'refresh_token'] as const) {
			const credential = form.get(kind);
			if (credential !== undefined) found.push([kind, options.digest(credential)]);
		}
	}
	return found;
}
