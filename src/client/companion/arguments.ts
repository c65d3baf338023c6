import type { ArgsDef } from 'citty';
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
 * Refuses what citty lets pass: options that nobody knows, options without their value, and words that nobody asked for.
 * @param known the options of the command
 * @param most how many words it takes
 * @throws {Problem} `usage`
 */
export function checkArguments(args: Arguments, known: ArgsDef, most: number): void {
	for (const [name, value] of Object.entries(args)) {
		const option = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
		if (name === '_') continue;
		if (!(option in known)) throw new Problem('usage', `There is no option --${option}.`);
		if (value === '' && known[option]?.type === 'string') throw new Problem('usage', `--${option} takes a value.`);
	}
	const surplus = args._[most];
	if (surplus !== undefined) throw new Problem('usage', `There is a word too many: ${surplus}`);
}
