import app from '#content/exercises/project/app.ts.txt?raw';
import readme from '#content/exercises/project/README.md.txt?raw';
import surroundings from '#content/exercises/project/surroundings.ts.txt?raw';
import test from '#content/exercises/project/test.js.txt?raw';
import type { ArchivedFile } from '#client/zip.ts';

const core = import.meta.glob<string>('../../../client/{oauth,rate-limit}/*.ts', { query: '?raw', import: 'default' });

/** What a project is made of. */
export type ProjectOptions = {
	readonly title: string;
	/** The text of `client.ts`. */
	readonly source: string;
	/** Ids of the rules of the exam that its test judges. Empty: all. */
	readonly rules: readonly string[];
	readonly dialect: 'specification' | 'standard';
};

/** The files of a project for Node that runs a program, and tests it by the exam command. */
export async function projectFiles({ title, source, rules, dialect }: ProjectOptions): Promise<ArchivedFile[]> {
	const options = [
		...(rules.length === 0 ? [] : ['--only', rules.join(',')]),
		...(dialect === 'standard' ? ['--dialect', 'standard'] : [])
	];
	const description = {
		name: 'my-client',
		private: true,
		type: 'module',
		scripts: { start: 'tsx app.ts', test: 'node test.js' },
		dependencies: { oauth4webapi: '^3.8.8' },
		devDependencies: { tsx: '^4.20.0' }
	};
	const modules = await Promise.all(
		Object.entries(core).map(async ([file, load]) => ({
			path: file.replace('../../../client/', ''),
			text: await load()
		}))
	);
	const all = modules.map(({ path }) => `export * from './${path}';`).join('\n');
	return [
		{ path: 'package.json', text: `${JSON.stringify(description, null, 2)}\n` },
		{ path: 'client.ts', text: source.replaceAll("'./tollgate-client'", "'./tollgate-client/index.ts'") },
		{ path: 'app.ts', text: app },
		{ path: 'surroundings.ts', text: surroundings },
		{ path: 'test.js', text: test.replace('OPTIONS', JSON.stringify(options)) },
		{ path: 'README.md', text: readme.replaceAll('TITLE', title) },
		{ path: 'tollgate-client/index.ts', text: `${all}\n` },
		...modules.map(({ path, text }) => ({ path: `tollgate-client/${path}`, text }))
	];
}
