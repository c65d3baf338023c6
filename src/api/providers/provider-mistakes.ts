import type { FileMistake } from '#lib/file/read-json.ts';
import type { DialectPart, ProviderErrors } from './dialect-schema.ts';
import type { Surprise } from './provider-file.ts';

type Described = { readonly dialect: DialectPart; readonly surprises?: readonly Surprise[] };

/**
 * What the schema of a provider cannot find: facts, checks and paths that are not there, or twice.
 * @param checks all checks by their ids
 */
export function providerMistakes({ dialect, surprises = [] }: Described, checks: object): FileMistake[] {
	const mistakesOf = (id: string, place: string): FileMistake[] =>
		Object.hasOwn(checks, id) ? [] : [{ place, reason: `Use the id of a check. Found "${id}".` }];
	const places = factsOf(dialect);
	return [
		...surprises.flatMap(({ fact, check }, at) => [
			...(places.some((place) => covers(fact, place) || covers(place, fact))
				? []
				: [{ place: `surprises.${at}.fact`, reason: `Use a place in dialect. Found "${fact}".` }]),
			...mistakesOf(check, `surprises.${at}.check`)
		]),
		...endpointMistakes(dialect),
		...errorsIn(dialect).flatMap(([place, { cases = [] }]) =>
			cases.flatMap((one, at) =>
				one.checks.flatMap((check, index) =>
					mistakesOf(check.replace(/ .*/, ''), `${place}.cases.${at}.checks.${index}`)
				)
			)
		)
	];
}

/** The errors of a dialect, and those of single endpoints, with their places. */
function errorsIn({ errors = {}, endpoints = [] }: DialectPart): (readonly [place: string, errors: ProviderErrors])[] {
	return [
		...Object.entries(errors).map(([kind, one]) => [`dialect.errors.${kind}`, one] as const),
		...endpoints.flatMap((one, at) => (one.errors ? [[`dialect.endpoints.${at}.errors`, one.errors] as const] : []))
	];
}

/** The places of the facts of a dialect: a name, or a name of an object. What a template contains is one fact. */
export function factsOf(value: object, depth = 0): string[] {
	return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
		const isGroup = depth < 2 && name !== 'body' && name !== 'refreshBody' && isGroupOfFacts(part);
		return isGroup ? factsOf(part, depth + 1).map((place) => `${name}.${place}`) : [name];
	});
}

/** Whether a fact is at a place, or around it. */
export function covers(fact: string, place: string): boolean {
	return place === fact || place.startsWith(`${fact}.`);
}

function isGroupOfFacts(part: unknown): part is object {
	return typeof part === 'object' && part !== null && !Array.isArray(part) && Object.keys(part).length > 0;
}

/** Below `/as/NAME` the paths of all hosts of a provider are one list, so a path belongs to one host. */
function endpointMistakes({ endpoints = [] }: DialectPart): FileMistake[] {
	const paths = endpoints.map(({ url }) => url.replace(/^https:\/\/[^/]*/, ''));
	return paths.flatMap((path, at) =>
		paths.indexOf(path) === at
			? []
			: { place: `dialect.endpoints.${at}.url`, reason: `Write each path once. Found "${path}" twice.` }
	);
}
