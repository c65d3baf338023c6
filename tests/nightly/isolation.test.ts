import { describe, test } from 'vitest';
import { cases } from '../conformance/cases.ts';
import { startKit } from '../conformance/hosts/kit.ts';
import { startMswNode } from '../conformance/hosts/msw-node.ts';
import { startNode } from '../conformance/hosts/node.ts';
import { runCase } from '../conformance/run-case.ts';

// Every credential on every route, on the hosts where `npm test` combines each credential with some routes.

const one = cases.find(({ name }) => name.startsWith('RM-01 treats every credential'));

describe('RM-01 with every combination', () => {
	test.each([
		{ name: 'node host', start: startNode },
		{ name: 'kit host', start: startKit },
		{ name: 'msw/node', start: startMswNode }
	])('$name', async ({ start }) => {
		if (one === undefined) throw new Error('There is no such case.');
		const transport = await start();
		try {
			await runCase(one, { ...transport, isExhaustive: true });
		} finally {
			await transport.close();
		}
	});
});
