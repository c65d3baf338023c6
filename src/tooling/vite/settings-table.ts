import { toJsonSchema } from '@valibot/to-json-schema';
import type * as sandboxSettings from '#api/control/settings.ts';
import type { Setting } from '#hosts/settings.ts';
import { typeOf } from './schema-fields.ts';

/** The settings of the server as a table in Markdown. A secret has a second row, for its file. */
export function settingsTable(settings: ReadonlyMap<string, Setting>): string {
	const rows = [...settings].flatMap(([name, { fallback, otherwise = 'none', meaning, isSecret }]) => {
		const value = fallback === undefined ? otherwise : `\`${fallback}\``;
		const file = `| \`${name}_FILE\` | none | A file with the value of \`${name}\`. Set one of the two. |`;
		return [`| \`${name}\` | ${value} | ${meaning} |`, ...(isSecret === true ? [file] : [])];
	});
	return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The settings of a sandbox as a table in Markdown. */
export function sandboxSettingsTable({
	numberGroups,
	switchSettings,
	choiceSettings
}: Pick<typeof sandboxSettings, 'numberGroups' | 'switchSettings' | 'choiceSettings'>): string {
	const numbers = numberGroups.flatMap(({ settings }) =>
		settings.map((setting) => ({ ...setting, values: typeOf(toJsonSchema(setting.schema)) }))
	);
	const switches = switchSettings.map((setting) => ({ ...setting, values: 'boolean' }));
	const choices = choiceSettings.map((setting) => ({ ...setting, values: Object.keys(setting.options).join(', ') }));
	const rows = [...numbers, ...switches, ...choices].map(
		({ path, initial, values, description, details = '' }) =>
			`| \`${path}\` | \`${String(initial)}\` | ${values} | ${`${description} ${details}`.trim()} |`
	);
	return ['| Setting | Default | Values | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
