import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documentedFlows, flows } from '../../client-flows.ts';

test('tests run each flow of each client that the documentation names, and no other', () => {
	const shown = new Map<string, Set<string>>();
	const files = ['tests/conformance', 'tests/nightly'].flatMap((folder) =>
		readdirSync(folder).flatMap((name) => (name.endsWith('.test.ts') ? `${folder}/${name}` : []))
	);
	for (const file of files) {
		const calls = readFileSync(file, 'utf8').matchAll(/showsFlows\(\s*'([^']+)',([^)]+)\)/g);
		for (const [, client = '', names = ''] of calls) {
			const known = shown.get(client) ?? new Set();
			for (const [, flow = ''] of names.matchAll(/'([^']+)'/g)) known.add(flow);
			shown.set(client, known);
		}
	}
	const sorted = [...shown].map(([client, names]) => [client, flows.filter((flow) => names.has(flow))]);
	expect(Object.fromEntries(sorted)).toEqual(Object.fromEntries(documentedFlows()));
});
