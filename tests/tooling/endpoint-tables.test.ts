import { expect, test } from 'vitest';
import { hasEndpointTables, withEndpointTables } from '#tooling/vite/docs.ts';

const clock = { method: 'GET', path: '/control/clock', description: 'Reads the clock.' };
const events = { ...clock, path: '/control/events', description: 'Lists `a|b`.', access: 'everybody' as const };
const fault = { ...clock, method: 'DELETE', path: '/control/faults/{id}', description: 'Deletes a fault.' };
const page = '# Page\n\n<!-- endpoints: events clock -->\n\n## Faults\n\n<!-- endpoints: faults -->\n';

test('writes a table of the endpoints that a mark names, in its order', () => {
	expect(hasEndpointTables(page)).toBe(true);
	expect(hasEndpointTables('# Page')).toBe(false);
	expect(withEndpointTables(page, [clock, events, fault])).toBe(`# Page

| Request | Effect |
| --- | --- |
| \`GET /control/events\` | Lists \`a\\|b\`. Needs no key. |
| \`GET /control/clock\` | Reads the clock. |

## Faults

| Request | Effect |
| --- | --- |
| \`DELETE /control/faults/{id}\` | Deletes a fault. |
`);
});

test.each([
	[
		'an endpoint that no table has',
		[clock, events, fault, { ...clock, path: '/control/reset' }],
		'No table has GET /control/reset.'
	],
	[
		'an endpoint without a description',
		[{ method: 'GET', path: '/control/clock' }, events, fault],
		'GET /control/clock needs a description for its table.'
	],
	['a mark without an endpoint', [clock, events], 'No endpoint is left for the table “faults”.']
])('rejects %s', (_, endpoints, message) => {
	expect(() => withEndpointTables(page, endpoints)).toThrow(message);
});
