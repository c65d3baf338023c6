import type { Declaration } from '#api/declare.ts';
import { endpointList, type ServiceEndpoint } from '#api/endpoints.ts';
import { memoize } from '#lib/memoize.ts';
import { decodePercent } from '#lib/percent.ts';

/** Where requests go: an endpoint with everything that its path decides. */
export type Route = {
	/** The key of the declaration, which `createEndpoints` implements. */
	readonly endpoint: ServiceEndpoint | 'unknown control' | 'unknown path';
	/** Absent: any method. The endpoint rejects those that it does not support. */
	readonly method?: string;
	/** The name of the endpoint in the traffic log. */
	readonly name: string;
	/** The longest body in the root sandbox, in bytes. See `bodyLimitOf`. */
	readonly bodyLimit: number;
	/** True: a browser gets an HTML page, errors too. */
	readonly isPage: boolean;
	/** False: only rejected requests are in the traffic log. */
	readonly isLogged: boolean;
};

const kibibyte = 1024;
const defaults = { bodyLimit: 64 * kibibyte, isPage: false, isLogged: true };
/** The longest body of a request in a sandbox other than the root, in bytes. All clients may create such sandboxes. */
const maxSandboxBody = 512 * kibibyte;

const unknownRoute: Route = { ...defaults, name: 'not_found', endpoint: 'unknown path' };
const unknownControlRoute: Route = { ...unknownRoute, endpoint: 'unknown control' };

/** A path and its routes, one for each method. */
type Place = { readonly pattern: readonly string[]; readonly routes: Route[] };

const nowhere: Place = { pattern: [], routes: [] };
const places = createPlaces();

/**
 * The longest body of a request, in bytes.
 * @param isRoot whether it is in the root sandbox
 */
export function bodyLimitOf({ bodyLimit }: Route, isRoot: boolean): number {
	return isRoot ? bodyLimit : Math.min(bodyLimit, maxSandboxBody);
}

/**
 * The route of a request. A path matches with and without one trailing slash, and in one letter case only.
 * @param path below the base URL, encoded
 * @param kinds of the world. The path of any other kind is unknown
 */
export function findRoute(path: string, method: string, kinds: readonly { readonly name: string }[] = []): Route {
	const place = findPlace(path);
	const ofKind = place.pattern.includes('{record_kind}') ? pathParameters(path).record_kind : undefined;
	const isKnown = ofKind === undefined || kinds.some(({ name }) => name === ofKind);
	const [first, ...others] = isKnown ? place.routes : [];
	if (first === undefined) return /^\/control\/./.test(path) ? unknownControlRoute : unknownRoute;
	if (first.method === method) return first;
	const route = others.find((route) => route.method === method);
	// Endpoints outside of the control API reject other methods themselves.
	return route ?? (first.name === 'control' ? unknownControlRoute : first);
}

/**
 * The methods of the control API that a path supports.
 * @param path below the base URL, encoded
 */
export function methodsOf(path: string): string[] {
	return findPlace(path).routes.flatMap(({ name, method }) =>
		name === 'control' && method !== undefined ? [method] : []
	);
}

/**
 * The variable segments of a path, decoded, by their names in the declaration. One that cannot be decoded is empty.
 * @param path below the base URL, encoded
 */
export function pathParameters(path: string): Readonly<Record<string, string>> {
	const segments = segmentsOf(path).map((segment) => decodePercent(segment, false) ?? '');
	const parameters: Record<string, string> = {};
	findPlace(path).pattern.forEach((part, at) => {
		if (part.startsWith('{+')) parameters[part.slice(2, -1)] = segments.slice(at).join('/');
		else if (part.startsWith('{')) parameters[part.slice(1, -1)] = segments[at] ?? '';
	});
	return parameters;
}

function createPlaces(): readonly Place[] {
	const byPath = new Map<string, Place>();
	for (const [key, declaration] of endpointList) {
		const [method = '', path = ''] = key.split(' ');
		const pattern = segmentsOf(path);
		const place = byPath.get(path) ?? { pattern, routes: [] };
		place.routes.push(toRoute(key, method, pattern, declaration));
		byPath.set(path, place);
	}
	// Fixed segments before variable ones: the first match is the most specific.
	return [...byPath.values()].sort((one, other) => countVariables(one) - countVariables(other));
}

function countVariables({ pattern }: Place): number {
	return pattern.filter((part) => part.startsWith('{')).length;
}

function toRoute(
	endpoint: ServiceEndpoint,
	method: string,
	pattern: readonly string[],
	{ bodyLimit, isPage, isLogged, logName }: Declaration
): Route {
	const isControl = pattern[0] === 'control';
	return {
		endpoint,
		method,
		name: isControl ? 'control' : (logName ?? pattern.findLast((part) => !part.startsWith('{')) ?? ''),
		bodyLimit: bodyLimit ?? defaults.bodyLimit,
		isPage: isPage ?? false,
		isLogged: isLogged ?? !isControl
	};
}

const findPlace = memoize((path) => {
	const segments = segmentsOf(path);
	return places.find(({ pattern }) => matches(pattern, segments)) ?? nowhere;
});

function segmentsOf(path: string): readonly string[] {
	return path.replace(/\/$/, '').split('/').slice(1);
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
	for (let at = 0; at < pattern.length; at++) {
		const part = pattern[at] ?? '';
		if (part.startsWith('{+')) return segments.length > at;
		const segment = segments[at];
		if (segment === undefined) return false;
		if (part.startsWith('{') ? segment === '' : decodePercent(segment, false) !== part) return false;
	}
	return segments.length === pattern.length;
}
