import { Command } from 'commander';
import { addOptions } from '../program/client-exam/choices.ts';

/** The options of `tollgate exam` as a Markdown table. */
export function examOptionsTable(): string {
	const rows = addOptions(new Command()).options.map(({ flags, description, defaultValue }) => {
		const standard = typeof defaultValue === 'string' ? ` Default: \`${defaultValue}\`.` : '';
		const sentence = description.charAt(0).toUpperCase() + description.slice(1);
		return `| \`${flags.replaceAll('|', '\\|')}\` | ${sentence}.${standard} |`;
	});
	return ['| Option | Meaning |', '| --- | --- |', ...rows].join('\n');
}
