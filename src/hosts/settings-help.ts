import { settingsByName } from './settings.ts';

const width = 96;
const indent = '      ';

/**
 * The settings as text for a terminal.
 * @param defaults values that replace those of the table
 */
export function settingsHelp(defaults: Readonly<Record<string, string>> = {}): string {
	const blocks = [...settingsByName].map(([name, { fallback, otherwise = 'none', meaning, isSecret }]) => {
		const value = plain(defaults[name] ?? fallback ?? otherwise);
		const names = isSecret === true ? `${name}, ${name}_FILE` : name;
		return [`  ${names} (default: ${value})`, ...wrap(plain(meaning))].join('\n');
	});
	return `Settings (environment variables):\n${blocks.join('\n')}\n`;
}

/** Text without the marks of Markdown. */
function plain(markdown: string): string {
	return markdown.replaceAll('`', '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}

function wrap(text: string): string[] {
	const lines: string[] = [];
	let line = indent.trimEnd();
	for (const word of text.split(' ')) {
		if (line.trim() !== '' && line.length + 1 + word.length > width) {
			lines.push(line);
			line = '';
		}
		line = line.trim() === '' ? `${indent}${word}` : `${line} ${word}`;
	}
	return [...lines, line];
}
