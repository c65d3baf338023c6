import type { Command } from './commands.svelte.ts';

/**
 * The commands that contain every word of a query, best match first: the label begins with the query, one of its words does,
 * it contains the query, it contains all words. The group and the additional words of a command count last, and only from
 * the beginning of a word.
 * @param query empty for all commands in their own order
 */
export function findCommands(commands: readonly Command[], query: string): readonly Command[] {
	const wanted = plain(query.trim());
	if (wanted === '') return commands;
	const ranked = commands.map((command) => ({ command, rank: rankOf(command, wanted) }));
	return ranked
		.filter(({ rank }) => rank < ranks.none)
		.sort((one, other) => one.rank - other.rank)
		.map(({ command }) => command);
}

const ranks = { start: 0, word: 1, inside: 2, words: 3, context: 4, none: 5 };

function rankOf({ label, group, words = '' }: Command, query: string): number {
	const text = plain(label);
	const context = plain(`${label} ${group} ${words}`).split(/\s+/);
	const parts = query.split(/\s+/);
	if (text.startsWith(query)) return ranks.start;
	if (text.includes(` ${query}`)) return ranks.word;
	if (text.includes(query)) return ranks.inside;
	if (parts.every((part) => text.includes(part))) return ranks.words;
	return parts.every((part) => context.some((word) => word.startsWith(part))) ? ranks.context : ranks.none;
}

/** Codes such as `invalid_grant` are words here. */
function plain(text: string): string {
	return text.toLowerCase().replaceAll('_', ' ');
}
