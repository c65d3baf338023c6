import fc from 'fast-check';
import { expect, it } from 'vitest';
import { traffic, type TrafficEntry } from '#api/control/traffic.ts';
import { formType, type Sandbox } from '../conformance/sandbox.ts';
import { valuePlaces } from '../conformance/value-places.ts';
import { namedWays, unnamedWays } from './misplaced-credentials.ts';
import { createTestService } from './test-service.ts';

async function entriesOf(at: Sandbox): Promise<TrafficEntry[]> {
	return (await at.controlled('GET', 'traffic?limit=500')).as(traffic).entries;
}

it('refers to a value wherever it was sent, and shows its preview there', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ limits: { ratelimits: 100_000, character: 100_000 } });
	const app = await at.register('web', ['https://client.example/cb']);
	const { access_token } = await at.user().tokens();
	await at.controlled('DELETE', 'traffic');
	const ways = Object.entries({ ...namedWays, ...unnamedWays });
	for (const [, way] of ways) await at.send(way(access_token, app));
	const entries = await entriesOf(at);
	expect(entries.length).toBeGreaterThan(60);
	for (const entry of entries) {
		const shown = entry.references.map(({ value }) => entry.values[value]);
		const expected = entry.references.map(
			({ pointer }, at) => `${shown[at]?.label ?? ''} in ${pointer}: ${shown[at]?.preview || '••••'}`
		);
		expect(valuePlaces(entry)).toEqual(expected);
	}
	const withToken = entries.filter(({ values }) =>
		values.some(({ preview }) => access_token.startsWith(preview.slice(0, 6) || '-'))
	);
	expect(withToken.length).toBeGreaterThan(15);
});

/** Texts that look like what the log writes or once wrote in place of a value, in several notations. */
const lookalike = fc.constantFrom(
	'\uF8D0',
	'\uF8D1\uF8F7',
	'%EF%A3%90',
	'%25EF%25A3%2590',
	'\\uf8d0',
	'\\u005cuf8d0',
	'&#xf8d0;',
	'&#63696;',
	'‹code 1›',
	'‹code 1 AAAAAA…›',
	'••••'
);

it('takes no text of a client for a reference', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ limits: { ratelimits: 100_000 } });
	await fc.assert(
		fc.asyncProperty(lookalike, lookalike, fc.constantFrom('', 'x'), async (one, other, text) => {
			const secret = 'A'.repeat(43);
			await at.controlled('DELETE', 'traffic');
			const body = `note=${one}${text}&code=${secret}&${other}&a="${one}"`;
			await at.send({ method: 'POST', target: '/ws/oauth2/token/', headers: formType, body });
			await at.send({
				method: 'POST',
				target: `/ws/oauth2/token/?note=${encodeURIComponent(one + other)}`,
				headers: ['Content-Type', 'application/json', 'X-Note', '%EF%A3%90'],
				body: `{"note":"${one}","code":"${secret}","text":"${other}${text}"}`
			});
			const entries = await entriesOf(at);
			expect(entries.map(valuePlaces)).toEqual([
				['code 1 in /request/body: AAAAAA…'],
				['code 1 in /request/body: AAAAAA…']
			]);
			expect(JSON.stringify(entries)).not.toMatch(/[\uF8D0-\uF8F7]/);
		}),
		{ numRuns: 60 }
	);
});

it('refers to at most 200 places of a request, and hides the value in all others, too', async () => {
	const at = await createTestService().sandbox();
	const body = Array.from({ length: 300 }, () => 'code=abcdef').join('&');
	await at.send({ method: 'POST', target: '/ws/oauth2/token/', headers: formType, body });
	const [entry] = await entriesOf(at);
	expect(entry?.references).toHaveLength(200);
	expect(entry?.request.body).not.toContain('abcdef');
});
