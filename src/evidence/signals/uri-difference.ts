const parts = /^([^:/?#]*:)(?:\/\/([^/?#:]*|\[[^\]]*\])(?::(\d*))?)?([^?#]*)(\?[^#]*)?(#.*)?$/s;
const names = ['scheme', 'host', 'port', 'path', 'query', 'fragment'];

/** Longer values are left out of the sentence. */
const longest = 20;

function partsOf(uri: string): readonly string[] {
	return (parts.exec(uri) ?? []).slice(1).map((part: string | undefined) => part ?? '');
}

/** How alike two URIs are: the characters that they have in common at both ends. */
function similarity(one: string, other: string): number {
	const shorter = Math.min(one.length, other.length);
	let begin = 0;
	while (begin < shorter && one[begin] === other[begin]) begin++;
	let end = 0;
	while (end < shorter - begin && one.at(-1 - end) === other.at(-1 - end)) end++;
	return begin + end;
}

/**
 * How a redirect URI differs from the most similar expected one, in all parts that differ: `port 3001, not 3000`.
 * Undefined if it cannot be said briefly.
 * @param expected may be empty
 */
export function uriDifference(found: string, expected: readonly string[]): string | undefined {
	const [nearest] = [...expected].sort((one, other) => similarity(other, found) - similarity(one, found));
	if (nearest === undefined || nearest === '') return undefined;
	if (found === `${nearest}/` || nearest === `${found}/`) return 'one slash at the end';
	if (found.toLowerCase() === nearest.toLowerCase()) return 'upper and lower case';
	const [is, was] = [partsOf(found), partsOf(nearest)];
	const differing = names.flatMap((name, index) => {
		const [found = '', wanted = ''] = [is[index], was[index]];
		return found === wanted ? [] : [partText(name, found, wanted)];
	});
	return differing.length === 0 ? undefined : differing.join(', and ');
}

function partText(name: string, ...values: readonly string[]): string {
	const shown = values.map((part) => part.replace(/:$/, '') || 'none');
	return shown.every((part) => part.length <= longest) ? `${name} ${shown.join(', not ')}` : `the ${name}`;
}
