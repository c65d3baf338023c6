import { headerValue, headerValues } from '#api/headers.ts';
import { check, when } from '../core/runner.ts';
import { readVirtualAddress } from './network-address.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { type ClientSource, findClientId } from '../sandbox/sandbox.ts';

/** The header in which a client says which virtual address its request counts for. Responses name the counted address in it. */
export const addressHeader = 'X-Tollgate-Address';
const lowerCase = addressHeader.toLowerCase();

/** What decides which address a request counts for. */
export type AddressSource = ClientSource & {
	readonly networkAddress: string;
};

/**
 * The address that a request counts for (specification, section 8.2): the virtual one of its header, else that of its application,
 * else the network address. Invalid headers are ignored here, see `validateAddressHeader`.
 * @returns undefined where the application is named in the body, and the body has not been read
 */
export function findClientAddress(source: AddressSource): string | Promise<string | undefined> {
	const { sandbox, headers, networkAddress } = source;
	const { settings, hasApplicationAddresses } = sandbox.state;
	if (!settings.virtual_addresses) return networkAddress;
	const sent = sentAddress(headers);
	if (sent !== undefined) return sent;
	return hasApplicationAddresses ? addressOfApplication(source) : networkAddress;
}

/** Rejects a header that names no virtual address, where virtual addresses are on. */
export const validateAddressHeader = when<Context>(
	({ request }) => headerValue(request.headers, lowerCase) !== undefined,
	[
		check<Context>('address.header_is_valid', (context) => {
			if (!context.sandbox.state.settings.virtual_addresses) return context.note('Ignored: virtual addresses are off');
			if (sentAddress(context.request.headers) === undefined) {
				throw new ProtocolError(
					'invalid_request',
					`${addressHeader} must be one address in 192.0.2.0/24 or 2001:db8::/32. Example: 192.0.2.7. Correct the header, or don't send it.`,
					{
						received: headerValues(context.request.headers, lowerCase),
						expected: ['an address in 192.0.2.0/24 or 2001:db8::/32']
					}
				);
			}
			context.note(context.clientAddress);
		})
	]
);

function sentAddress(headers: readonly string[]): string | undefined {
	return readVirtualAddress(headerValues(headers, lowerCase).join());
}

async function addressOfApplication(source: AddressSource): Promise<string | undefined> {
	const { sandbox, route, body, networkAddress } = source;
	if (route === 'token' && body === undefined) return undefined;
	const client_id = await findClientId(source);
	const application = client_id === undefined ? undefined : await sandbox.store.get('application', client_id);
	return readVirtualAddress(application?.address ?? '') ?? networkAddress;
}
