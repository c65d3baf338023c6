import { headerValue, headerValues } from '#wire/headers.ts';
import type { WireRequest } from '#wire/message.ts';
import { check, when } from './check.ts';
import { virtualAddress } from './client-address.ts';
import type { Context } from './context.ts';
import { decodeBase64, decodeUtf8 } from './encoding.ts';
import { ProtocolError } from './errors.ts';
import { FormFields } from './form-fields.ts';
import type { Sandbox } from './sandbox.ts';
import type { ServiceOptions } from './service.ts';

/** The header in which a client says which virtual address its request counts for. Responses name the counted address in it. */
export const addressHeader = 'X-Tollgate-Address';
const lowerCase = addressHeader.toLowerCase();

/** What decides which address a request counts for. */
export type AddressSource = {
	readonly sandbox: Sandbox;
	readonly options: Pick<ServiceOptions, 'digest'>;
	/** The name of the route. */
	readonly route: string;
	/** The raw query, without the `?`. */
	readonly query: string;
	readonly headers: readonly string[];
	/** Undefined where it has not been read. */
	readonly body: WireRequest['body'] | undefined;
	/** The network address of the client. */
	readonly address: string;
};

/**
 * The address that a request counts for (specification, section 8.2): the virtual one of its header, else that of its application,
 * else the network address. Invalid headers are ignored here, see `validateAddressHeader`.
 * @returns undefined where the application is named in the body, and the body has not been read
 */
export function countedAddress(source: AddressSource): string | Promise<string | undefined> {
	const { sandbox, headers, address } = source;
	const { settings, hasApplicationAddresses } = sandbox.state;
	if (!settings.virtual_addresses) return address;
	const sent = sentAddress(headers);
	if (sent !== undefined) return sent;
	return hasApplicationAddresses ? addressOfApplication(source) : address;
}

/** Rejects a header that names no virtual address, where virtual addresses are on. */
export const validateAddressHeader = when<Context>(
	({ request }) => headerValue(request.headers, lowerCase) !== undefined,
	[
		check<Context>('address.header_is_valid', 'The address header names a virtual address', '8.2', (context) => {
			if (!context.sandbox.state.settings.virtual_addresses) return context.note('Ignored: virtual addresses are off');
			if (sentAddress(context.request.headers) === undefined) {
				throw new ProtocolError(
					'invalid_request',
					`${addressHeader} must be one address in 192.0.2.0/24 or 2001:db8::/32. Example: 192.0.2.7. Correct the header, or don't send it.`
				);
			}
			context.note(context.countedAddress);
		})
	]
);

function sentAddress(headers: readonly string[]): string | undefined {
	return virtualAddress(headerValues(headers, lowerCase).join());
}

async function addressOfApplication(source: AddressSource): Promise<string | undefined> {
	const { sandbox, route, body, address } = source;
	if (route === 'token' && body === undefined) return undefined;
	const client_id = await clientOf(source);
	const application = client_id === undefined ? undefined : await sandbox.store.get('application', client_id);
	return virtualAddress(application?.address ?? '') ?? address;
}

/** The application that a request says it comes from. */
async function clientOf({ sandbox, options, route, query, headers, body }: AddressSource): Promise<string | undefined> {
	const authorization = headerValue(headers, 'authorization') ?? '';
	if (route === 'auth' || route === 'revoke') return new FormFields(query).get('client_id');
	if (route === 'token') {
		const basic = /^basic +(\S+)$/i.exec(authorization)?.[1];
		if (basic !== undefined) return decodeBase64(basic)?.split(':')[0];
		return new FormFields(decodeUtf8(body ?? new Uint8Array(0)) ?? '').get('client_id');
	}
	if (route !== 'character' && route !== 'ratelimits') return undefined;
	const token = /^\S+ +(\S+)$/.exec(authorization)?.[1] ?? new FormFields(query).get('access_token');
	return token === undefined ? undefined : (await sandbox.store.get('access_token', options.digest(token)))?.client_id;
}
