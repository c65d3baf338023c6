import { parseArgs, type ArgsDef } from 'citty';
import { Problem } from '../problems.ts';

/** What citty made of a command line: values by name, and words in order. */
export type Arguments = { readonly _: readonly string[]; readonly [name: string]: unknown };

/** An option that takes a value; undefined where it was not given. */
export function textOf(args: Arguments, name: string): string | undefined {
	const value = args[name];
	return typeof value === 'string' ? value : undefined;
}

/** An option that is on or off. */
export function flagOf(args: Arguments, name: string): boolean {
	return args[name] === true;
}

/**
 * Refuses what citty lets pass: options that nobody knows, options without their value, words that nobody asked for, and
 * an empty name. Called before citty, which names a missing word first and leaves an unknown option unsaid.
 * @param words of the command line, after the command
 * @param known what the command takes; where a positional is among it, all words are its name
 * @throws {Problem} `usage`
 */
export function checkArguments(words: readonly string[], known: ArgsDef): void {
	const options = Object.fromEntries(Object.entries(known).filter(([, { type }]) => type !== 'positional'));
	const args: Arguments = parseArgs([...words], options);
	for (const [name, value] of Object.entries(args)) {
		const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
		if (name === '_') continue;
		if (!Object.hasOwn(options, option)) throw new Problem('usage', `There is no option ${dashed(name)}.`);
		if (value === '' && options[option]?.type === 'string') throw new Problem('usage', `--${option} takes a value.`);
	}
	if (Object.keys(options).length < Object.keys(known).length) {
		if (args._.join('').trim() === '') throw new Problem('usage', 'A name is missing.');
	} else if (args._[0] !== undefined) throw new Problem('usage', `There is a word too many: ${args._[0]}`);
}

/** An option as it is typed. */
function dashed(name: string): string {
	return name.length === 1 ? `-${name}` : `--${name}`;
}
