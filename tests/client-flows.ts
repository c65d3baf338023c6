import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** What a client does, in the order of the columns of the table. */
export const flows = [
	'discovery',
	'code',
	'refresh',
	'credentials',
	'device',
	'PAR',
	'DPoP',
	'assertion',
	'exchange',
	'revocation',
	'sign-out'
] as const;

export type Flow = (typeof flows)[number];

/**
 * The flows of each client, by the table of the documentation. A client has those with `yes`. Tests run each of them with a client that
 * was not changed, and call `showsFlows` then. `tests/features/docs/client-flows.test.ts` compares their calls with the table.
 */
export function documentedFlows(): ReadonlyMap<string, readonly Flow[]> {
	const text = readFileSync('src/content/docs/standard-client.md', 'utf8');
	const [, section = ''] = text.split('## Clients and flows\n');
	const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
	return new Map(
		rows.slice(2).map((row) => {
			const [name = '', ...cells] = row.split('|').slice(1, -1);
			return [name.trim(), flows.filter((_, at) => cells[at]?.trim() === 'yes')];
		})
	);
}

/** Says that a test has run these flows with a client. @throws if the documentation does not say that the client has them */
export function showsFlows(client: string, ...shown: readonly Flow[]): void {
	const documented = documentedFlows().get(client) ?? [];
	expect(
		shown.filter((flow) => !documented.includes(flow)),
		`flows of ${client} that the documentation does not name`
	).toEqual([]);
}
