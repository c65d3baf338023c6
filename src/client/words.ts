/** A noun with its article: `a character`, `an airship`. */
export function withArticle(noun: string): string {
	return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** A word at the beginning of a sentence: `Character`. */
export function capitalize(word: string): string {
	return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Words in a sentence, each once: `accounts, ships and tokens`. A world may call its resources by a word of ours. */
export function joinWords(...words: readonly string[]): string {
	const distinct = [...new Set(words)];
	const [last = ''] = distinct.slice(-1);
	const first = distinct.slice(0, -1).join(', ');
	return first === '' ? last : `${first} and ${last}`;
}
