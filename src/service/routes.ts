import { memoize } from '#wire/memoize.ts';
import { decodePercent } from '#wire/percent.ts';

/** A row of the route table: everything that depends on the path, apart from the endpoint itself. */
export type Route = {
	/** Absent: any method. The endpoint rejects those that it does not support. */
	readonly method?: string;
	/** Segments below the base URL. `*` is any one segment, `**` any rest, which stays encoded. */
	readonly path: string;
	/** The name of the endpoint in the traffic log. */
	readonly name: string;
	/** The key of the endpoint in `createEndpoints`. */
	readonly endpoint: EndpointName;
	/** The longest body in the root sandbox, in bytes. See `bodyLimitOf`. */
	readonly bodyLimit: number;
	/** True: a browser gets an HTML page, errors too. */
	readonly isPage: boolean;
	/** False: only rejected requests are in the traffic log. */
	readonly isLogged: boolean;
	/** True: only a caller that controls the sandbox gets more than 403. */
	readonly needsKey: boolean;
};

const kibibyte = 1024;
const api = { bodyLimit: 64 * kibibyte, isPage: false, isLogged: true, needsKey: false } as const;
const page = { ...api, isPage: true } as const;
const control = { ...api, name: 'control', isLogged: false, needsKey: true } as const;
const publicControl = { ...control, needsKey: false } as const;
// A preset of 16 KiB and a name.
const newSandbox = { ...publicControl, bodyLimit: 17 * kibibyte } as const;
const snapshot = { ...control, bodyLimit: 4096 * kibibyte } as const;

/** Every path of the service, most specific first. */
const table = [
	{ ...api, isPage: true, method: 'POST', path: 'ws/oauth2/auth', name: 'auth', endpoint: 'submitInteraction' },
	{ ...api, isPage: true, path: 'ws/oauth2/auth', name: 'auth', endpoint: 'authorize' },
	{ ...api, bodyLimit: 16 * kibibyte, path: 'ws/oauth2/token', name: 'token', endpoint: 'token' },
	{ ...api, path: 'ws/oauth2/revoke', name: 'revoke', endpoint: 'revoke' },
	{ ...api, path: 'ws/v2.0/character/**', name: 'character', endpoint: 'character' },
	{ ...api, path: 'ws/v2.0/ratelimits', name: 'ratelimits', endpoint: 'ratelimits' },
	{ ...api, path: 'ratelimiting', name: 'ratelimiting', endpoint: 'ratelimiting' },
	{ ...page, method: 'POST', path: 'account', name: 'account', endpoint: 'changeAccount' },
	{ ...page, path: 'account', name: 'account', endpoint: 'account' },
	{ ...publicControl, method: 'GET', path: 'control/health', endpoint: 'health' },
	{ ...publicControl, method: 'GET', path: 'control/status', endpoint: 'readStatus' },
	{ ...publicControl, method: 'GET', path: 'control/world', endpoint: 'readWorld' },
	{ ...publicControl, method: 'GET', path: 'control/test-cards', endpoint: 'listTestCards' },
	{ ...newSandbox, method: 'POST', path: 'control/sandboxes', endpoint: 'createSandbox' },
	{ ...control, method: 'GET', path: 'control/sandboxes', endpoint: 'listSandboxes' },
	{ ...control, method: 'PATCH', path: 'control/sandboxes/*', endpoint: 'limitSandbox' },
	{ ...control, method: 'DELETE', path: 'control/sandboxes/*', endpoint: 'deleteSandboxById' },
	{ ...control, method: 'GET', path: 'control/sandbox', endpoint: 'showSandbox' },
	{ ...control, method: 'PATCH', path: 'control/sandbox', endpoint: 'renameSandbox' },
	{ ...control, method: 'DELETE', path: 'control/sandbox', endpoint: 'deleteSandbox' },
	{ ...control, method: 'POST', path: 'control/owner', endpoint: 'becomeOwner' },
	{ ...control, method: 'POST', path: 'control/owner-links', endpoint: 'createOwnerLink' },
	{ ...control, method: 'DELETE', path: 'control/owner-links', endpoint: 'revokeOwnerLinks' },
	{ ...control, method: 'POST', path: 'control/reset', endpoint: 'resetSandbox' },
	{ ...control, method: 'GET', path: 'control/clock', endpoint: 'readClock' },
	{ ...control, method: 'POST', path: 'control/clock', endpoint: 'moveClock' },
	{ ...control, method: 'DELETE', path: 'control/clock', endpoint: 'resetClock' },
	{ ...control, method: 'GET', path: 'control/events', endpoint: 'readEvents' },
	{ ...control, method: 'GET', path: 'control/settings', endpoint: 'readSettings' },
	{ ...control, method: 'PATCH', path: 'control/settings', endpoint: 'changeSettings' },
	{ ...control, method: 'GET', path: 'control/preset', endpoint: 'readPreset' },
	{ ...snapshot, method: 'GET', path: 'control/snapshot', endpoint: 'exportSnapshot' },
	{ ...snapshot, method: 'PUT', path: 'control/snapshot', endpoint: 'importSnapshot' },
	{ ...control, method: 'GET', path: 'control/faults', endpoint: 'listFaults' },
	{ ...control, method: 'POST', path: 'control/faults', endpoint: 'addFault' },
	{ ...control, method: 'DELETE', path: 'control/faults', endpoint: 'deleteFaults' },
	{ ...control, method: 'DELETE', path: 'control/faults/*', endpoint: 'deleteFault' },
	{ ...control, method: 'GET', path: 'control/traffic', endpoint: 'readTraffic' },
	{ ...control, method: 'DELETE', path: 'control/traffic', endpoint: 'clearTraffic' },
	{ ...control, method: 'GET', path: 'control/traffic/stream', endpoint: 'streamTraffic' },
	{ ...control, method: 'GET', path: 'control/traffic/*', endpoint: 'findTrafficEntry' },
	{ ...control, method: 'GET', path: 'control/blacklist', endpoint: 'listBlacklist' },
	{ ...control, method: 'DELETE', path: 'control/blacklist/**', endpoint: 'unblockAddress' },
	{ ...publicControl, method: 'GET', path: 'control/tickets', endpoint: 'listTickets' },
	{ ...publicControl, method: 'POST', path: 'control/tickets', endpoint: 'fileTicket' },
	{ ...control, method: 'POST', path: 'control/tickets/*', endpoint: 'decideTicket' },
	{ ...control, method: 'GET', path: 'control/credentials', endpoint: 'listCredentials' },
	{ ...control, method: 'DELETE', path: 'control/credentials/*/*', endpoint: 'endCredential' },
	{ ...control, method: 'POST', path: 'control/credentials/codes/*/replay', endpoint: 'replayCode' },
	{
		...control,
		method: 'POST',
		path: 'control/credentials/refresh_tokens/*/replay',
		endpoint: 'replayRefreshToken'
	},
	{ ...control, method: 'POST', path: 'control/authorizations', endpoint: 'authorizeAsUser' },
	{
		...publicControl,
		isLogged: true,
		method: 'GET',
		path: 'control/authorization-response',
		endpoint: 'openAuthorizationResponse'
	},
	{ ...control, method: 'GET', path: 'control/applications', endpoint: 'listApplications' },
	{ ...control, method: 'POST', path: 'control/applications', endpoint: 'registerApplication' },
	{ ...control, method: 'GET', path: 'control/applications/*', endpoint: 'readApplication' },
	{ ...control, method: 'PATCH', path: 'control/applications/*', endpoint: 'changeApplication' },
	{ ...control, method: 'DELETE', path: 'control/applications/*', endpoint: 'deleteApplication' },
	{ ...control, method: 'POST', path: 'control/applications/*/secret', endpoint: 'rotateSecret' },
	{ ...control, method: 'POST', path: 'control/applications/*/redirect-uri-test', endpoint: 'testRedirectUri' },
	{ ...control, method: 'GET', path: 'control/accounts', endpoint: 'listAccounts' },
	{ ...control, method: 'POST', path: 'control/accounts', endpoint: 'createAccount' },
	{ ...control, method: 'DELETE', path: 'control/accounts/*', endpoint: 'deleteAccount' },
	{ ...api, path: 'control/**', name: 'not_found', endpoint: 'unknownControl' }
] as const;

type Row = (typeof table)[number] | typeof unknownRoute;

/** The keys of `createEndpoints`. */
export type EndpointName = Row['endpoint'];

/** Every path of the service, most specific first. */
export const routes: readonly Route[] = table;

/** The longest body of a request in a sandbox other than the root, in bytes. All clients may create such sandboxes. */
const maxSandboxBody = 512 * kibibyte;

/**
 * The longest body of a request, in bytes.
 * @param isRoot whether it is in the root sandbox
 */
export function bodyLimitOf({ bodyLimit }: Route, isRoot: boolean): number {
	return isRoot ? bodyLimit : Math.min(bodyLimit, maxSandboxBody);
}

/** The route of every other path. */
export const unknownRoute = { ...api, path: '**', name: 'not_found', endpoint: 'unknownPath' } as const;

const patterns = routes.map((route) => ({ route, pattern: route.path.split('/') }));

/**
 * The route of a request. A path matches with and without one trailing slash, and in one letter case only.
 * @param path below the base URL, encoded
 * @param method absent: any
 */
export function findRoute(path: string, method?: string): Route {
	const segments = segmentsOf(path);
	for (const { route, pattern } of patterns) {
		const takesMethod = method === undefined || route.method === undefined || route.method === method;
		if (takesMethod && matches(pattern, segments)) return route;
	}
	return unknownRoute;
}

/**
 * The methods of the control API that a path supports.
 * @param path below the base URL, encoded
 */
export function methodsOf(path: string): string[] {
	const segments = segmentsOf(path);
	return patterns.flatMap(({ route, pattern }) =>
		route.method !== undefined && route.name === 'control' && matches(pattern, segments) ? [route.method] : []
	);
}

const segmentsOf = memoize((path): readonly string[] => path.replace(/\/$/, '').split('/').slice(1));

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
	for (let at = 0; at < pattern.length; at++) {
		const part = pattern[at];
		if (part === '**') return segments.length > at;
		const segment = segments[at];
		if (segment === undefined || (part === '*' ? segment === '' : decodePercent(segment, false) !== part)) return false;
	}
	return segments.length === pattern.length;
}
