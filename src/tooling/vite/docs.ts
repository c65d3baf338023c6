import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport, type Plugin } from 'vite';
import type * as sandboxSettings from '#api/control/settings.ts';
import type * as serviceSource from '#api/errors.ts';
import type * as cliSource from '#client/cli/cli-errors.ts';
import type * as clientSource from '#client/errors.ts';
import type * as rulesSource from '#evidence/all-rules.ts';
import type * as explanationSource from '#evidence/explanations/explanation-of.ts';
import type * as ruleSource from '#evidence/rule.ts';
import type { Setting } from '#hosts/settings.ts';
import type { OpenApi } from '#service/openapi/document-types.ts';
import type { Operation } from '#service/openapi/operations.ts';
import type { DocOperation } from '#features/docs/doc-page.ts';
import { operationsOf } from './api-reference.ts';
import { compileMarkdown } from './compile-markdown.ts';
import { hasEndpointTables, withEndpointTables } from './endpoint-tables.ts';
import { clientErrorTable, cliErrorTable, exitCodeTable, serviceErrorTable } from './error-tables.ts';
import { rulesText, standardRulesTable } from './rules-text.ts';
import type * as examOptions from './exam-options-table.ts';
import { sandboxSettingsTable, settingsTable } from './settings-table.ts';

/** The tables that are made of the sources, by the comment that each replaces. */
const tables: Readonly<Record<string, (root: string) => Promise<string>>> = {
	'<!-- settings -->': async (root) => settingsTable(await loadSettings(root)),
	'<!-- sandbox settings -->': async (root) =>
		sandboxSettingsTable(await loadSource<typeof sandboxSettings>(root, 'src/api/control/settings.ts')),
	'<!-- exam options -->': async (root) =>
		(await loadSource<typeof examOptions>(root, 'src/tooling/vite/exam-options-table.ts')).examOptionsTable(),
	'<!-- service errors -->': async (root) => serviceErrorTable((await loadServiceErrors(root)).serviceErrors),
	'<!-- client errors -->': async (root) => clientErrorTable((await loadClientErrors(root)).clientErrors),
	'<!-- command line errors -->': async (root) => {
		const { serviceErrors } = await loadServiceErrors(root);
		const { clientErrors } = await loadClientErrors(root);
		const others = new Set(Object.keys({ ...serviceErrors, ...clientErrors }));
		return cliErrorTable((await loadCliErrors(root)).cliErrors, others);
	},
	'<!-- rules -->': async (root) => {
		const { allRules } = await loadSource<typeof rulesSource>(root, 'src/evidence/all-rules.ts');
		const { areaTitles } = await loadSource<typeof ruleSource>(root, 'src/evidence/rule.ts');
		const source = 'src/evidence/explanations/explanation-of.ts';
		const { explanationOf } = await loadSource<typeof explanationSource>(root, source);
		return rulesText(allRules, areaTitles, explanationOf);
	},
	'<!-- rules in standard -->': async (root) => {
		const { allRules } = await loadSource<typeof rulesSource>(root, 'src/evidence/all-rules.ts');
		return standardRulesTable(allRules);
	},
	'<!-- exit codes -->': async (root) => exitCodeTable((await loadCliErrors(root)).exitCodes)
};
const content = /\/src\/features\/docs\/content\/([\w-]+)\.md(\?index)?$/;

/**
 * Vite's plugin for the documentation: a Markdown file imports as a compiled `DocPage`, and with `?index` as what the search
 * index lists of it. The Markdown compiler and the OpenAPI document stay out of the browser.
 * @param root the project's folder
 */
export function docs(root: string): Plugin {
	let loading: Promise<OpenApi> | undefined;
	const noOperations = (): readonly DocOperation[] => [];
	return {
		name: 'tollgate-docs',
		enforce: 'pre',
		load: {
			filter: { id: content },
			async handler(id) {
				const [path = id, query] = id.split('?');
				const readFile = (file: string) => {
					this.addWatchFile(join(root, file));
					return readFileSync(join(root, file), 'utf8');
				};
				this.addWatchFile(path);
				let source = readFileSync(path, 'utf8');
				for (const [mark, table] of Object.entries(tables)) {
					if (source.includes(mark)) source = source.replace(mark, await table(root));
				}
				if (hasEndpointTables(source)) source = withEndpointTables(source, await loadControlOperations(root));
				const document = source.includes('<!-- operations:') ? await (loading ??= loadDocument(root)) : undefined;
				const operations = document === undefined ? noOperations : (tag: string) => operationsOf(document, tag);
				const { page, entries } = compileMarkdown(source, readFile, operations);
				return `export default ${JSON.stringify(query === 'index' ? entries : page)};`;
			}
		}
	};
}

/** The document that is built from the sources. */
async function loadDocument(root: string): Promise<OpenApi> {
	const { openApi } = await loadSource<{ openApi: OpenApi }>(root, 'src/service/openapi/document.ts');
	return openApi;
}

async function loadSettings(root: string): Promise<ReadonlyMap<string, Setting>> {
	type Module = { settingsByName: ReadonlyMap<string, Setting> };
	return (await loadSource<Module>(root, 'src/hosts/settings.ts')).settingsByName;
}

async function loadControlOperations(root: string): Promise<readonly Operation[]> {
	type Module = { readonly operations: readonly Operation[] };
	const { operations } = await loadSource<Module>(root, 'src/service/openapi/operations.ts');
	return operations.filter(({ isControl }) => isControl);
}
const loadServiceErrors = (root: string) => loadSource<typeof serviceSource>(root, 'src/api/errors.ts');
const loadClientErrors = (root: string) => loadSource<typeof clientSource>(root, 'src/client/errors.ts');
const loadCliErrors = (root: string) => loadSource<typeof cliSource>(root, 'src/client/cli/cli-errors.ts');

async function loadSource<T>(root: string, file: string): Promise<T> {
	const options = { root, configFile: false as const, logLevel: 'error' as const };
	return (await runnerImport<T>(join(root, file), options)).module;
}
