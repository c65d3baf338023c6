import type { Permission, PublicWorld as World } from '#api/control/world.ts';
import { outOfBandUri, type ClientRegistration } from './oauth/client-registration.ts';
import { ClientError } from './oauth/client-error.ts';
import { sendRequest, type Fetch } from './oauth/send-request.ts';
import { parseJson } from './rate-limit/json-value.ts';

export type { Permission, World };

/** A kind of resources beside the characters. */
export type Kind = NonNullable<World['kinds']>[number];

const known = new Map<string, Promise<World>>();

/**
 * Reads what a service is called and what it has: `GET /control/world`.
 * @param baseUrl of the service, without a trailing slash
 * @param share the id of a share link, for the world of the sandboxes that it creates
 * @throws {ClientError} as `sendRequest`; `unexpected_response` if it is not a world
 */
export async function fetchWorld(baseUrl: string, fetch: Fetch, share?: string): Promise<World> {
	const url = `${baseUrl}/control/world${share === undefined ? '' : `?share=${share}`}`;
	const { status, text } = await sendRequest(fetch, url, { headers: { accept: 'application/json' } });
	const data: unknown = status === 200 ? parseJson(text) : undefined;
	if (!isWorld(data)) throw new ClientError('unexpected_response', '', { status });
	return data;
}

/** The service is our own, and its conformance tests check every body. This only distinguishes a world from another document. */
function isWorld(data: unknown): data is World {
	return typeof data === 'object' && data !== null && 'brand' in data && 'permissions' in data;
}

/** As `fetchWorld`, once for each base URL. A failure is not remembered. */
export function fetchWorldOnce(baseUrl: string, fetch: Fetch): Promise<World> {
	const reading = known.get(baseUrl) ?? fetchWorld(baseUrl, fetch);
	known.set(baseUrl, reading);
	reading.catch(() => known.delete(baseUrl));
	return reading;
}

/** The permission that a lookup needs: the first one that is not only for own characters. Undefined: the world has none. */
export function lookupScope({ permissions }: World): string | undefined {
	return (permissions.find((permission) => permission.of === 'everybody') ?? permissions[0])?.scope;
}

/** The web application of a world. It runs in the page, so its secret is public, and it uses PKCE. */
export function viewerRegistration({ viewer }: World, baseUrl: string): ClientRegistration {
	const { client_id, client_secret = '' } = viewer;
	return { kind: 'web', client_id, client_secret, redirect_uri: `${baseUrl}/viewer/callback` };
}

/**
 * The installed application of a world. Its secret is in every copy of it, so it is public.
 * @param redirect_uri `outOfBandUri`, or `http://localhost` with a port (section 3.2)
 */
export function companionRegistration({ companion }: World, redirect_uri = outOfBandUri): ClientRegistration {
	const { client_id = '', client_secret = '' } = companion ?? {};
	return { kind: 'installed', client_id, client_secret, redirect_uri };
}

/** Whether the service has the name of this software, so that its pages may name the version and the license. */
export function isProduct({ brand }: World): boolean {
	return brand.name === 'Tollgate';
}
