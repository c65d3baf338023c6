/**
 * A pattern with the path that a world has beside the specification's: `/ws/v2.0/ship/*`.
 * @param pattern of the specification, or code with its path
 * @param resource the segment of the world; undefined: it has none
 */
export function patternIn(pattern: string, resource: string | undefined): string {
	return resource === undefined ? pattern : pattern.replace('/character/', `/${resource}/`);
}
