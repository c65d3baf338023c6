/**
 * The records of all files of a folder of `src/content`, by their ids.
 * @param files by their paths
 */
export function recordsIn<Records extends object>(files: Readonly<Record<string, Records>>): Records {
	return Object.values(files).reduce((all, records) => ({ ...all, ...records }));
}
