/** Values that are no words of a world: data, secrets, and names of fields and pages. */
const untouched =
	/^(?:\$schema|format|version|settings|provider|sandboxes|show|kinds|brand\.(?:logo|picture|accent)|resource\.fields|characters\.\d+\.fields|permissions\.\d+\.(?:opens|of)|applications\.\d+\.(?:kind|icon|secret)|accounts\.\d+\.password|guide\.steps\.\d+\.(?:path|target))(?:\.|$)/;

/** Values in which a word is in lowercase, with hyphens. */
const ids =
	/^(?:brand\.links\..+|resource\.path|permissions\.\d+\.scope|accounts\.\d+\.(?:username|email)|characters\.\d+\.player|applications\.\d+\.(?:client_id|(?:post_logout_)?redirect_uris\..+)|(?:viewer|companion)\.client_id)$/;

/** A shorter word could be part of any sentence. */
const shortest = 3;

/** Letters that are not another one with a mark. */
const plainLetters: Readonly<Record<string, string>> = {
	...{ ð: 'd', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th', ı: 'i' }
};

/** A text as part of an address or an id: `saint-brigid` for "Saint Brigid". Empty if it has no such characters. */
export function idOf(text: string): string {
	const letters = text.toLowerCase().replaceAll(/[ðøłđæœßþı]/g, (letter) => plainLetters[letter] ?? '');
	const plain = letters.normalize('NFKD').replaceAll(/\p{M}/gu, '');
	return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
}

/**
 * A copy of a world file in which a word is another one, in sentences, addresses and ids.
 * @param from as it is in sentences. Nothing changes if it is very short
 */
export function replaceWord(file: unknown, from: string, to: string): unknown {
	if (from.length < shortest || to === '' || from === to) return file;
	const inText = replacer(from, to);
	const [idFrom, idTo] = [idOf(from), idOf(to)];
	const inId = idFrom.length < shortest || idTo === '' ? (text: string) => text : replacer(idFrom, idTo);
	return replaceIn(file, [], inText, inId);
}

function replaceIn(
	value: unknown,
	path: readonly string[],
	inText: (text: string) => string,
	inId: (text: string) => string
): unknown {
	const place = path.join('.');
	if (untouched.test(place)) return value;
	if (typeof value === 'string') return ids.test(place) ? inId(value) : inText(value);
	if (Array.isArray(value)) return value.map((one: unknown, at) => replaceIn(one, [...path, String(at)], inText, inId));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, one]: [string, unknown]) => [name, replaceIn(one, [...path, name], inText, inId)])
	);
}

/** Replaces whole words. At the start of a sentence a word keeps its capital letter. */
function replacer(from: string, to: string): (text: string) => string {
	const escaped = from.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
	const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped}(?![\p{L}\p{N}])`, 'giu');
	return (text) =>
		text.replaceAll(pattern, (found) => (found === from || found === from.toLowerCase() ? to : capitalized(to)));
}

function capitalized(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
