/** A noun with its article: `a character`, `an airship`. */
export function withArticle(noun: string): string {
	return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** A word at the beginning of a sentence: `Character`. */
export function capitalize(word: string): string {
	return word.slice(0, 1).toUpperCase() + word.slice(1);
}
