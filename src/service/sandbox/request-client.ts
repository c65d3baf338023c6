import { headerValue } from '#api/headers.ts';
import { basicCredentials, decodeUtf8 } from '../core/encoding.ts';
import { FormFields } from '../core/form-fields.ts';
import type { ServiceOptions } from '../core/options.ts';
import type { Sandbox } from './sandbox.ts';

/** What of a request may name its application. */
export type ClientSource = {
	readonly sandbox: Sandbox;
	readonly options: Pick<ServiceOptions, 'digest'>;
	readonly route: string;
	/** The raw query, without the `?`. */
	readonly query: string;
	readonly headers: readonly string[];
	/** Undefined where it has not been read. */
	readonly body: Uint8Array | undefined;
};

/**
 * The `client_id` of the application that a request says it comes from, before any check has run: as a parameter, by its pending
 * authorization, or by its access token. Undefined where it names none.
 */
export async function findClientId(source: ClientSource): Promise<string | undefined> {
	const { sandbox, options, route, headers } = source;
	const query = new FormFields(source.query);
	const authorization = headerValue(headers, 'authorization');
	const isForm = ['token', 'introspect', 'device_authorization', 'par'].includes(route);
	if (route === 'revoke' && query.has('client_id')) return query.get('client_id');
	if (isForm || route === 'revoke') {
		const basic = basicCredentials(authorization);
		return typeof basic === 'object' ? basic.client_id : formOf(source).get('client_id');
	}
	if (route === 'auth') {
		const pending = query.get('interaction') ?? formOf(source).get('interaction');
		if (pending === undefined || query.has('client_id')) return query.get('client_id');
		return (await sandbox.store.get('pending_authorization', options.digest(pending)))?.client_id;
	}
	if (!takesAccessToken(route)) return undefined;
	const token = sentAccessToken(source);
	return token === undefined ? undefined : (await sandbox.store.get('access_token', options.digest(token)))?.client_id;
}

/** Whether the requests of a route have an access token. */
export function takesAccessToken(route: string): boolean {
	return (
		route === 'character' || route === 'ratelimits' || route === 'records' || route === 'userinfo' || route === 'mcp'
	);
}

/** The access token of a request to a resource, in the header or in the query. Undefined where it has none. */
export function sentAccessToken({ headers, query }: Pick<ClientSource, 'headers' | 'query'>): string | undefined {
	const authorization = headerValue(headers, 'authorization')?.trim() ?? '';
	return /^\S+ +(\S+)$/.exec(authorization)?.[1] ?? new FormFields(query).get('access_token');
}

/** The fields of a form. */
export function formOf({ body }: Pick<ClientSource, 'body'>): FormFields {
	return new FormFields((body && decodeUtf8(body)) ?? '');
}
