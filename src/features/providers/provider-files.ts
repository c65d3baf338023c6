import * as v from 'valibot';
import type { ProviderFile } from '#api/providers/provider-file.ts';
import { ownProviderFile, type OwnProviderFile } from '#api/world/provider.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { isDialectName, ownProvider, spokenTitles } from '#api/dialect.ts';

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
	return provider && v.parse(ownProviderFile, provider);
}

/** What the list has of the provider that the world of a sandbox describes. */
export function aboutOwn({ title, surprises = [] }: OwnProviderFile): ProviderAbout {
	return { name: ownProvider, title, short: title, count: surprises.length };
}

/**
 * Loads the rest of a file.
 * @param own what the world of the sandbox describes
 * @throws RangeError where no file has the name
 */
export async function loadProvider(name: string, own?: OwnProviderFile): Promise<ProviderContent> {
	if (name === ownProvider && own !== undefined)
		return { version: 1, extends: 'standard', sources: [], surprises: [], notSimulated: [], ...own };
	const load = contents[pathOf(name)];
	if (load === undefined) throw new RangeError(`There is no file of ${name}.`);
	return load();
}

function pathOf(name: string): string {
	return `../../content/providers/${name}.yaml`;
}

/** What a dialect is called. */
export function titleOf(name: string): string {
	return spokenTitles[name] ?? name;
}

/** The sources of a fact: of itself, of what it is part of, and of its parts. */
export function sourcesOf({ sources }: Pick<ProviderContent, 'sources'>, fact: string): ProviderContent['sources'] {
	const isAbout = (one: string) => one === fact || fact.startsWith(`${one}.`) || one.startsWith(`${fact}.`);
	return sources.filter(({ facts }) => facts.some(isAbout));
}
