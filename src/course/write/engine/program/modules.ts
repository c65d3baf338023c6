import { toFunctionBody } from './compile.ts';

/** The client core, which programs import as `./tollgate-client`. */
const core = import.meta.glob<string>('../../../../client/{oauth,rate-limit}/*.ts', {
	query: '?raw',
	import: 'default'
});
export const coreName = 'tollgate-client';
export const libraryName = 'oauth4webapi';

/** A file of this site could not be downloaded: without a network, or because the server has a newer version. */
export class PartMissing extends Error {
	override name = 'PartMissing';

	constructor() {
		super('A part of this page could not be loaded. Reload; your text is kept.');
	}
}

type Modules = Readonly<Record<string, string>>;

/** Each is loaded and compiled once. */
const loaded: { core?: Promise<Modules>; library?: Promise<Modules> } = {};

/**
 * The modules that a program imports besides its surroundings, compiled, by path. They are loaded when a program names them.
 * @throws PartMissing
 */
export async function modulesFor(source: string): Promise<Record<string, string>> {
	const usesCore = new RegExp(`from\\s*['"]\\./${coreName}['"]`).test(source);
	const usesLibrary = usesCore || new RegExp(`from\\s*['"]${libraryName}['"]`).test(source);
	try {
		return {
			...(usesCore ? await (loaded.core ??= loadCore()) : {}),
			...(usesLibrary ? await (loaded.library ??= loadLibrary()) : {})
		};
	} catch {
		delete loaded.core;
		delete loaded.library;
		throw new PartMissing();
	}
}

async function loadCore(): Promise<Modules> {
	const files = await Promise.all(
		Object.entries(core).map(async ([file, load]) => [
			file.slice('../../../../client/'.length, -'.ts'.length),
			await load()
		])
	);
	const compiled = files.map(([path = '', text = '']) => [path, toFunctionBody(text)] as const);
	const index = files.map(([path = '']) => `export * from './${path}.ts';`).join('\n');
	return Object.fromEntries([...compiled, [coreName, toFunctionBody(index)]]);
}

async function loadLibrary(): Promise<Modules> {
	const { default: text } = await import('../../../../../node_modules/oauth4webapi/build/index.js?raw');
	return { [libraryName]: toFunctionBody(text) };
}
