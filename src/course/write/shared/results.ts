import type { TrafficEntry } from '#api/control/traffic.ts';
import { credentialId } from '#client/control-api/control-api.ts';
import { parseJson } from '#client/rate-limit/json-value.ts';
import { issued } from '#evidence/exchanges.ts';
import type { CallResult, Expected, WrongResult } from '../exercise.ts';

/** What a token looks like in a stored value, however the program wraps it. */
const likeToken = /[\w.~-]{20,}/g;
const mostTokens = 200;

/** The texts and numbers in a value, at any depth. */
function partsOf(value: unknown, depth = 0): readonly unknown[] {
	if (typeof value !== 'object' || value === null) return [value];
	if (depth > 4) return [];
	const inner: readonly unknown[] = value instanceof Map ? [...value.values()] : Object.values(value);
	return inner.flatMap((one) => partsOf(one, depth + 1));
}

/** The ids of all texts in the storage that look like tokens. */
async function keptIn(stored: ReadonlyMap<string, unknown>): Promise<Set<string>> {
	const texts = partsOf(stored).filter((part) => typeof part === 'string');
	const found = [...new Set(texts.flatMap((text) => text.match(likeToken) ?? []))].slice(0, mostTokens);
	return new Set(await Promise.all(found.map(credentialId)));
}

/** Whether a function threw. */
const thrown = ({ name, error }: CallResult): WrongResult | undefined =>
	error === undefined
		? undefined
		: {
				title: `an error in ${name}()`,
				text: `${name}() threw an error: ${/[.!?]$/.test(error) ? error : `${error}.`}`
			};

const latest = (entries: readonly TrafficEntry[]) =>
	entries.findLast((entry) => issued(entry, 'access_token') !== undefined);

/** The user is signed in: the access token that the service issued last is in the storage. */
export const signedIn: Expected = async (result, { stored, entries }) => {
	const error = thrown(result);
	if (error !== undefined) return error;
	const entry = latest(entries);
	const token = entry && issued(entry, 'access_token')?.id;
	if (entry === undefined || token === undefined)
		return {
			title: 'no token',
			text: `${result.name}() ended without an error, and the service issued no access token.`
		};
	if ((await keptIn(stored)).has(token)) return undefined;
	return {
		title: 'a token that is not kept',
		text: 'The service issued an access token. It is not in `storage`, so no later call can use it.',
		entries: [entry]
	};
};

/** Whether a value is an object with this name. */
const isNamed = (value: unknown, name: string): boolean => typeof value === 'object' && partsOf(value).includes(name);

/** Whether a value is the character of this name with something that the service sent of it, besides the name. */
const isCharacter = (value: unknown, name: string, entries: readonly TrafficEntry[]): boolean =>
	isNamed(value, name) &&
	entries.some(({ endpoint, response }) => {
		const sent = endpoint === 'character' && response?.status === 200 ? partsOf(parseJson(response.body)) : [];
		const others = sent.filter((part) => part !== name);
		return sent.includes(name) && (others.length === 0 || partsOf(value).some((part) => others.includes(part)));
	});

/** What a function returned, in words. */
const shownResult = ({ name, returned }: CallResult): string =>
	returned?.value === undefined ? `${name}() returned nothing` : `${name}() returned \`${returned.text.slice(0, 80)}\``;

/** The function returns the character of this name. */
export const character =
	(name: string): Expected =>
	async (result, { entries }) =>
		thrown(result) ??
		(isCharacter(result.returned?.value, name, entries)
			? undefined
			: { title: 'another result', text: `${shownResult(result)}. It should be the character ${name}.` });

/** The function returns all these characters in a list. */
export const allCharacters =
	(names: readonly string[]): Expected =>
	async (result, { entries }) => {
		const value = result.returned?.value;
		const list: readonly unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
		const found = names.filter((name) => list.some((one) => isCharacter(one, name, entries))).length;
		if (result.error !== undefined || found === names.length) return thrown(result);
		return {
			title: 'another result',
			text: `${result.name}() returned ${found} of ${names.length} characters. It should be a list of all of them.`
		};
	};

/** The function throws an error: the caller must not go on as after a success. */
export const anError: Expected = async (result) =>
	result.error === undefined
		? {
				title: 'no error',
				text: `${shownResult(result)}, as after a sign-in that worked. It should throw an error.`
			}
		: undefined;

/** The function returns or throws what it likes, but no character: there is no access. */
export const noCharacter =
	(name: string): Expected =>
	async (result) =>
		isNamed(result.returned?.value, name) && partsOf(result.returned?.value).length > 1
			? { title: 'a character without access', text: `There was no access, and ${shownResult(result)}.` }
			: undefined;

/** Nothing of the service is kept. Whether the function throws is free, if the service does not respond. */
export const signedOut =
	({ mayThrow = false } = {}): Expected =>
	async (result, { stored, entries }) => {
		const kept = await keptIn(stored);
		const issuedIds = entries.flatMap(({ credentials }) =>
			credentials.flatMap((event) => (event.type === 'issued' && event.kind !== 'code' ? event.id : []))
		);
		if (issuedIds.some((id) => kept.has(id)))
			return { title: 'a token that is kept', text: `A token is still in \`storage\` after ${result.name}().` };
		return mayThrow ? undefined : thrown(result);
	};

/** The function returns or throws what it likes: what the service saw decides. */
export const anything: Expected = async () => undefined;
