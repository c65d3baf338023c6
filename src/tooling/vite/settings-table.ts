import type { Setting } from '#hosts/settings.ts';

/** The settings of the server as a table in Markdown. A secret has a second row, for its file. */
export function settingsTable(settings: ReadonlyMap<string, Setting>): string {
	const rows = [...settings].flatMap(([name, { fallback, otherwise = 'none', meaning, isSecret }]) => {
		const value = fallback === undefined ? otherwise : `\`${fallback}\``;
		const file = `| \`${name}_FILE\` | none | A file with the value of \`${name}\`. Set one of the two. |`;
		return [`| \`${name}\` | ${value} | ${meaning} |`, ...(isSecret === true ? [file] : [])];
	});
	return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
