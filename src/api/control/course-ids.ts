/** Titles by the paths of files. The plugin of `src/content` reads them at the build, so nothing else of a file is in the service. */
const titles = import.meta.glob<string>('../../content/{lessons,exercises,labs}/*.yaml', {
	eager: true,
	import: 'default',
	query: '?title'
});
const folders = { lessons: '', exercises: 'write/', labs: 'labs/' } as const;

/**
 * The ids of the lessons, exercises and labs that classes can have and pages of seats can report, after the names of their files,
 * with their titles.
 */
export const courseTitles: ReadonlyMap<string, string> = new Map(
	Object.entries(folders).flatMap(([folder, prefix]) =>
		Object.entries(titles).flatMap(([path, title]): readonly [string, string][] => {
			const [, found, name = ''] = /([\w-]+)\/([\w-]+)\.yaml$/.exec(path) ?? [];
			return found === folder ? [[prefix + name, title]] : [];
		})
	)
);
