import { compile } from './compile.ts';

/** The client core, which programs import as `./tollgate-client`. */
const core = import.meta.glob<string>('../../client/{oauth,rate-limit}/*.ts', { query: '?raw', import: 'default' });
const coreName = 'tollgate-client';
const libraryName = 'oauth4webapi';

/**
 * The modules that a program imports besides its surroundings, compiled, by path. They are loaded when a program names them.
 * @throws TypeError where a file cannot be downloaded
 */
export async function modulesFor(source: string): Promise<Record<string, string>> {
	const usesCore = new RegExp(`from\\s*['"]\\./${coreName}['"]`).test(source);
	const usesLibrary = usesCore || new RegExp(`from\\s*['"]${libraryName}['"]`).test(source);
	return { ...(usesCore ? await loadCore() : {}), ...(usesLibrary ? await loadLibrary() : {}) };
}

async function loadCore(): Promise<Record<string, string>> {
	const files = await Promise.all(
		Object.entries(core).map(async ([file, load]) => [file.slice('../../client/'.length, -'.ts'.length), await load()])
	);
	const compiled = files.map(([path = '', text = '']) => [path, compile(text)] as const);
	const index = files.map(([path = '']) => `export * from './${path}.ts';`).join('\n');
	return Object.fromEntries([...compiled, [coreName, compile(index)]]);
}

async function loadLibrary(): Promise<Record<string, string>> {
	const { default: text } = await import('../../../node_modules/oauth4webapi/build/index.js?raw');
	return { [libraryName]: compile(text) };
}
