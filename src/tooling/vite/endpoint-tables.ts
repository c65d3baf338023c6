import type { Operation } from '#service/openapi/operations.ts';

const mark = /^<!-- endpoints: (.+) -->$/gm;

type Endpoint = Pick<Operation, 'method' | 'path' | 'description' | 'access'>;

/** Whether a page has tables of endpoints. */
export function hasEndpointTables(source: string): boolean {
	return source.search(mark) >= 0;
}

/**
 * Puts tables of the control API in place of `<!-- endpoints: clock events -->`, which names the first segments below `/control/`.
 * @param source Markdown
 * @param endpoints all endpoints of the control API
 * @throws {Error} where a mark names no endpoint, or an endpoint has no description, or is in no table or in two
 */
export function withEndpointTables(source: string, endpoints: readonly Endpoint[]): string {
	const missing = new Set(endpoints);
	const rowsOf = (group: string) => {
		const found = [...missing].filter(({ path }) => path.split('/')[2] === group);
		if (found.length === 0) throw new Error(`No endpoint is left for the table “${group}”.`);
		for (const endpoint of found) missing.delete(endpoint);
		return found.map(rowOf);
	};
	const written = source.replace(mark, (_, groups: string) =>
		['| Request | Effect |', '| --- | --- |', ...groups.split(' ').flatMap(rowsOf)].join('\n')
	);
	const [left] = missing;
	if (left !== undefined) throw new Error(`No table has ${left.method} ${left.path}.`);
	return written;
}

function rowOf({ method, path, description, access }: Endpoint): string {
	if (description === undefined) throw new Error(`${method} ${path} needs a description for its table.`);
	const effect = access === 'everybody' ? `${description} Needs no key.` : description;
	return `| \`${method} ${path}\` | ${effect.replaceAll('|', '\\|')} |`;
}
