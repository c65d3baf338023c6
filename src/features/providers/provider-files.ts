import * as v from 'valibot';
import type { DialectData, DialectPart } from '#api/providers/dialect-schema.ts';
import type { ProviderFile } from '#api/providers/provider-file.ts';
import type { OwnProviderFile } from '#api/world/provider.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { dialects, dialectTitles, isDialectName, ownProvider, spokenTitles } from '#api/dialect.ts';
import type { ExamProvider } from '#exam/sandbox.ts';

/** What a list needs of a file. */
export type ProviderAbout = Pick<ProviderFile, 'title' | 'short' | 'owner'> & {
	readonly name: string;
	/** How many surprises it has. */
	readonly count: number;
};

/** The rest of a file. */
export type ProviderContent = Omit<ProviderFile, 'title' | 'short' | 'owner'>;

const abouts = import.meta.glob<Omit<ProviderAbout, 'name'>>('../../content/providers/*.yaml', {
	eager: true,
	import: 'default',
	query: '?about'
});
const contents = import.meta.glob<ProviderContent>('../../content/providers/*.yaml', { import: 'default' });

/** Both dialects of our own, and all providers in alphabetical order: none is ranked. */
export const providerList: readonly ProviderAbout[] = Object.keys(spokenTitles).flatMap((name) => {
	const about = abouts[pathOf(name)];
	return about === undefined ? [] : [{ ...about, name }];
});

/** Whether a file is that of a provider, and not of a dialect of our own. */
export function isProvider(name: string): boolean {
	return !isDialectName(name);
}

/** The provider that the world of a sandbox describes. Undefined: it describes none. */
export async function readOwn(api: ControlApi): Promise<OwnProviderFile | undefined> {
	const { provider } = await api.request('GET /control/provider');
	if (provider === undefined) return undefined;
	// Few sandboxes have one.
	const { ownProviderFile } = await import('#api/world/provider.ts');
	return v.parse(ownProviderFile, provider);
}

/** What the list has of it. */
export function aboutOwn({ title, surprises = [] }: OwnProviderFile): ProviderAbout {
	return { name: ownProvider, title, short: title, count: surprises.length };
}

/**
 * Loads the rest of a file, or of what a world describes.
 * @param api of the sandbox, whose world may describe a provider
 * @throws RangeError where no file has the name
 */
export async function loadProvider(name: string, api: ControlApi): Promise<ProviderContent> {
	const own = name === ownProvider ? await readOwn(api) : undefined;
	return own === undefined ? loadProviderFile(name) : ownContent(own);
}

/** What a world describes, as the file of a provider has it. */
export function ownContent(own: OwnProviderFile): ProviderContent {
	return { version: 1, extends: 'standard', sources: [], surprises: [], notSimulated: [], ...own };
}

/**
 * Loads the rest of a file.
 * @throws RangeError where no file has the name
 */
export async function loadProviderFile(name: string): Promise<ProviderContent> {
	const load = contents[pathOf(name)];
	if (load === undefined) throw new RangeError(`There is no file of ${name}.`);
	return load();
}

/** The dialect of a provider, with what its file does not say. */
export function wholeDialect(own: DialectPart): DialectData {
	const said = Object.entries(own).filter(([, value]) => value !== undefined);
	return { ...dialects.standard, ...Object.fromEntries(said) };
}

/**
 * Loads what judges the clients of a provider. Undefined for a dialect of our own.
 * @param api of the sandbox
 * @throws RangeError where no file has the name
 */
export async function loadJudged(name: string | undefined, api: ControlApi): Promise<ExamProvider | undefined> {
	if (name === undefined || !isProvider(name)) return undefined;
	if (name !== ownProvider) {
		const { dialect } = await loadProviderFile(name);
		return { name, short: abouts[pathOf(name)]?.short ?? name, dialect: wholeDialect(dialect) };
	}
	const own = await readOwn(api);
	return own && { name, short: own.title, dialect: wholeDialect(own.dialect), own };
}

function pathOf(name: string): string {
	return `../../content/providers/${name}.yaml`;
}

/** What a dialect is called. */
export function titleOf(name: string): string {
	return dialectTitles[name] ?? name;
}

/** How long a source counts after it was read, in milliseconds. */
const freshness = 365 * 86_400_000;

/** Whether a source was read more than a year ago. @param now milliseconds since 1970 */
export function isStale({ read }: Pick<ProviderContent['sources'][number], 'read'>, now: number): boolean {
	return now - Date.parse(read) > freshness;
}

/** The sources of a fact: of itself, of what it is part of, and of its parts. */
export function sourcesOf({ sources }: Pick<ProviderContent, 'sources'>, fact: string): ProviderContent['sources'] {
	const isAbout = (one: string) => one === fact || fact.startsWith(`${one}.`) || one.startsWith(`${fact}.`);
	return sources.filter(({ facts }) => facts.some(isAbout));
}
