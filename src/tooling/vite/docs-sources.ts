// What the documentation is made of besides its Markdown. The plugin imports it as a bundle: Vite runs the plugin before it can read
// these modules.
import { choiceSettings, numberGroups, switchSettings } from '#api/control/settings.ts';
import { spokenTitles } from '#api/dialect.ts';
import type { ProviderFile } from '#api/providers/provider-file.ts';
import { serviceErrors } from '#api/errors.ts';
import { cliErrors, exitCodes } from '#client/cli/cli-error.ts';
import { clientErrors } from '#client/errors.ts';
import { allRules } from '#evidence/all-rules.ts';
import { explanationOf } from '#evidence/rule-explanations.ts';
import { areaTitles } from '#evidence/rule.ts';
import type { LabContent } from '#course/labs/engine/lab-file.ts';
import { allLabs } from '#course/labs/labs.ts';
import { settingsByName, type Setting } from '#hosts/settings.ts';
import { operations } from '#service/openapi/operations.ts';
import {
	attacksText,
	clientErrorTable,
	cliErrorTable,
	conditionTable,
	exitCodeTable,
	lessonPartTable,
	rulesText,
	serviceErrorTable,
	standardRulesTable,
	surprisesTable,
	toolTable
} from './doc-tables.ts';
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as sandboxSettings from '#api/control/settings.ts';
import { typeOf } from './api-reference.ts';
import { Command } from 'commander';
import { addOptions } from '../program/client-exam/choices.ts';

const providers = import.meta.glob<ProviderFile>('../../content/providers/*.yaml', { eager: true, import: 'default' });
const labs = import.meta.glob<LabContent>('../../content/labs/*.yaml', { eager: true, import: 'default' });

export { openApi } from '#service/openapi/document.ts';
export { operationsOf } from './api-reference.ts';

/** The tables that are made of the sources, by the comment that each replaces. */
export const tables: Readonly<Record<string, () => string>> = {
	'<!-- settings -->': () => settingsTable(settingsByName),
	'<!-- sandbox settings -->': () => sandboxSettingsTable({ numberGroups, switchSettings, choiceSettings }),
	'<!-- exam options -->': examOptionsTable,
	'<!-- service errors -->': () => serviceErrorTable(serviceErrors),
	'<!-- client errors -->': () => clientErrorTable(clientErrors),
	'<!-- command line errors -->': () =>
		cliErrorTable(cliErrors, new Set(Object.keys({ ...serviceErrors, ...clientErrors }))),
	'<!-- rules -->': () => rulesText(allRules, areaTitles, explanationOf),
	'<!-- rules in standard -->': () => standardRulesTable(allRules),
	'<!-- attacks -->': () =>
		attacksText(
			allLabs.flatMap((one) => {
				const lab = labs[`../../content/labs/${one.id}.yaml`];
				return lab === undefined ? [] : [{ ...one, lab }];
			}),
			allRules
		),
	'<!-- surprises -->': () =>
		surprisesTable(
			Object.entries(spokenTitles).flatMap(([name, title]) => {
				const file = providers[`../../content/providers/${name}.yaml`];
				return file === undefined ? [] : [[title, file] as const];
			})
		),
	'<!-- lesson parts -->': lessonPartTable,
	'<!-- lesson tools -->': toolTable,
	'<!-- lesson conditions -->': conditionTable,
	'<!-- exit codes -->': () => exitCodeTable(exitCodes)
};

/** The endpoints of the control API. */
export const controlOperations = operations.filter(({ isControl }) => isControl);

/** The settings of the server as a table in Markdown. A secret has a second row, for its file. */
function settingsTable(settings: ReadonlyMap<string, Setting>): string {
	const rows = [...settings].flatMap(([name, { fallback, otherwise = 'none', meaning, isSecret }]) => {
		const value = fallback === undefined ? otherwise : `\`${fallback}\``;
		const file = `| \`${name}_FILE\` | none | A file with the value of \`${name}\`. Set one of the two. |`;
		return [`| \`${name}\` | ${value} | ${meaning} |`, ...(isSecret === true ? [file] : [])];
	});
	return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The settings of a sandbox as a table in Markdown. */
function sandboxSettingsTable({
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

/** The options of `tollgate exam` as a Markdown table. */
function examOptionsTable(): string {
	const rows = addOptions(new Command()).options.map(({ flags, description, defaultValue }) => {
		const standard = typeof defaultValue === 'string' ? ` Default: \`${defaultValue}\`.` : '';
		const sentence = description.charAt(0).toUpperCase() + description.slice(1);
		return `| \`${flags.replaceAll('|', '\\|')}\` | ${sentence}.${standard} |`;
	});
	return ['| Option | Meaning |', '| --- | --- |', ...rows].join('\n');
}
