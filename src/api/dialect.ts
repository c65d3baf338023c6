import type { DialectData } from './providers/dialect-schema.ts';

/** The dialects that no file of a provider extends. A provider speaks that of today's standards, and differs where its file says so. */
export const dialectNames = ['specification', 'standard'] as const;
export type DialectName = (typeof dialectNames)[number];

/** A dialect, with the name of the one that it is or extends. */
export type Dialect = DialectData & { readonly name: DialectName };

const files = import.meta.glob<{ readonly dialect: DialectData }>(
	'../content/providers/{specification,standard}.yaml',
	{
		eager: true,
		import: 'default',
		query: '?dialect'
	}
);

function read(name: DialectName): Dialect {
	const file = files[`../content/providers/${name}.yaml`];
	if (file === undefined) throw new Error(`src/content/providers/${name}.yaml is missing.`);
	return { name, ...file.dialect };
}

const specification = read('specification');
const standard = read('standard');

export const dialects: Readonly<Record<DialectName, Dialect>> = { specification, standard };

/** The specification as a sandbox speaks it that is not strict. */
const lenient: Dialect = {
	...specification,
	schemes: ['OAuth', 'Bearer'],
	tokenType: 'Bearer',
	authentication: ['post', 'basic']
};

/** Titles by the paths of files, for the list of the setting. Nothing else of a file is where only the list is needed. */
const titles = import.meta.glob<string>('../content/providers/*.yaml', {
	eager: true,
	import: 'default',
	query: '?title'
});

/** What a sandbox speaks with the provider that its world describes, and the name of that one below the base URL. */
export const ownProvider = 'own';

/** What every sandbox can speak, with titles: both dialects, and the simulated providers in alphabetical order. */
export const spokenTitles: Readonly<Record<string, string>> = Object.fromEntries(
	Object.entries(titles)
		.map(([path, title]) => [path.replace(/^.*\/|\.yaml$/g, ''), title] as const)
		.sort(([one, title], [other, otherTitle]) => rank(one) - rank(other) || title.localeCompare(otherTitle))
);

/** What the setting can be, with titles. */
export const dialectTitles: Readonly<Record<string, string>> = { ...spokenTitles, [ownProvider]: 'Your own API' };

/** The two dialects come first. */
function rank(name: string): number {
	return isDialectName(name) ? dialectNames.indexOf(name) : dialectNames.length;
}

/** Whether a name is that of a dialect which no file of a provider extends. */
export function isDialectName(name: string): name is DialectName {
	return Object.hasOwn(dialects, name);
}

/** The dialect that a name of `spokenTitles` is or extends. */
export function dialectNameOf(spoken = 'specification'): DialectName {
	return spoken === 'specification' ? 'specification' : 'standard';
}

/** The dialect that settings choose, without what a provider changes. Settings of earlier versions have no `dialect`. */
export function dialectOf(settings: { readonly dialect?: string; readonly strict: boolean }): Dialect {
	if (dialectNameOf(settings.dialect) === 'standard') return standard;
	return settings.strict ? specification : lenient;
}
