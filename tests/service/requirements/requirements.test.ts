import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Sandbox } from '../../conformance/sandbox.ts';
import { TestResponse } from '../../conformance/response.ts';
import type { Transport } from '../../conformance/transport.ts';
import { createTestService } from '../test-service.ts';
import { extensionRequirements } from './extensions.ts';
import { oauthRequirements } from './oauth.ts';
import { openidRequirements } from './openid.ts';
import { otherRequirements } from './others.ts';

const requirements = { ...openidRequirements, ...otherRequirements, ...oauthRequirements, ...extensionRequirements };

describe('the table of requirements in the documentation is true:', () => {
	it('it has the rows that are checked here', () => {
		const text = readFileSync('src/content/docs/standard-client.md', 'utf8');
		const [, table = ''] = text.split('## Requirement by requirement');
		const rows = [...table.matchAll(/^\| ((?:OIDC|CIMD|RFC|RP|Multiple|Form)[^|]*?) \| ([^|]*?) \| ([^|]*?) \|$/gm)];
		const names = rows.map(([, source, requirement = '']) => `${source}: ${requirement.replaceAll('`', '')}`);
		expect(names.sort()).toEqual(Object.keys(requirements).sort());
	});

	for (const [name, requirement] of Object.entries(requirements)) {
		if (typeof requirement === 'string') continue;
		it(name, async () => {
			const at = await Sandbox.create(describing(createTestService().transport));
			await at.changeSettings({ dialect: 'standard', dynamic_registration: true });
			await at.controlled('POST', 'signing_keys', { alg: 'ES256' });
			await requirement(at);
		});
	}
});

/** A transport that checks the description of every error of the OAuth endpoints (RFC 6749, sections 4.1.2.1 and 5.2). */
function describing(transport: Transport): Transport {
	return {
		...transport,
		send: async (sent) => {
			const received = await transport.send(sent);
			if (received === undefined || !sent.target.includes('/ws/')) return received;
			const response = new TestResponse(received);
			const [, inLocation] = /[?&]error_description=([^&]*)/.exec(response.header('location') ?? '') ?? [];
			const [, inBody] = /"error_description":("(?:[^"\\]|\\.)*")/.exec(response.text) ?? [];
			const description: unknown =
				inLocation === undefined ? JSON.parse(inBody ?? '""') : decodeURIComponent(inLocation);
			expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/);
			return received;
		}
	};
}
