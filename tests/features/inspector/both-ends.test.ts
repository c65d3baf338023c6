import { describe, expect, test } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import {
	countNotRun,
	expectedFrom,
	linksOf,
	readBothEnds,
	returnedFields
} from '#features/inspector/both-ends/check-groups.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';
import { createTestService } from '../../service/test-service.ts';
import { readEntries } from './entries.ts';

const challenge = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM';
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };

/** The log after an exchange, and the exchange. */
async function exchanged(
	at: Sandbox,
	code_verifier: string
): Promise<{ readonly entries: TrafficEntry[]; readonly last: TrafficEntry }> {
	await at.exchange(await at.user().code(at.viewer, pkce), at.viewer, { code_verifier });
	const entries = await readEntries(at);
	const last = entries.at(-1);
	if (last === undefined) throw new Error('The log is empty.');
	return { entries, last };
}

const names = (groups: ReturnType<typeof readBothEnds>['groups']) =>
	groups.map(({ kind, parts, lines }) => [kind, parts.map(({ name }) => name).join(' '), lines.length]);

describe('both ends of an exchange', () => {
	test('are its parameters in the order sent, and its checks in the order run', async () => {
		const { last } = await exchanged(await createTestService().sandbox(), 'v'.repeat(43));
		const ends = readBothEnds(last);
		expect(ends.parts.map(({ name }) => name)).toEqual([
			'grant_type',
			'code',
			'client_id',
			'client_secret',
			'redirect_uri',
			'code_verifier'
		]);
		expect(names(ends.groups)).toEqual([
			['start', '', 5],
			['checks', 'client_id client_secret', 1],
			['checks', 'grant_type', 1],
			['checks', 'code', 5],
			['checks', 'redirect_uri', 2],
			['checks', 'code_verifier', 1],
			['checks', '', 1],
			['response', '', 1]
		]);
		expect(ends).toMatchObject({ passed: 17, failed: 0 });
		expect(linksOf(ends).map(({ part, group }) => `${part} → ${group}`)).toEqual([
			'2 client_id → token.client_authenticated',
			'3 client_secret → token.client_authenticated',
			'0 grant_type → token.grant_type_supported',
			'1 code → token.code_present',
			'4 redirect_uri → token.redirect_uri_matches',
			'5 code_verifier → token.code_verifier_matches'
		]);
	});

	test('show the failed check apart, and the request that set what it expected', async () => {
		const { entries, last } = await exchanged(await createTestService().sandbox(), 'w'.repeat(43));
		const ends = readBothEnds(last);
		const failed = ends.groups.filter(({ isFailed }) => isFailed);
		expect(names(failed)).toEqual([['checks', 'code_verifier', 1]]);
		const [line] = failed[0]?.lines ?? [];
		if (line === undefined) throw new Error('No check failed.');
		const from = expectedFrom(last, line, entries);
		expect(from?.name).toBe('code_challenge');
		expect(from?.entry.request.target).toContain(challenge);
		expect(expectedFrom(last, line, [last])).toBeUndefined();
		// No exchange of the log got further yet.
		expect(countNotRun(last, entries)).toBe(0);
		expect(
			countNotRun(last, [...entries, (await exchanged(await createTestService().sandbox(), 'v'.repeat(43))).last])
		).toBe(2);
	});

	test('name a parameter that the failed check looked for in vain', async () => {
		const at = await createTestService().sandbox();
		await at.get('/ws/v2.0/character/Mara%20Vell');
		await at.exchange(await at.user().code(at.viewer, pkce));
		const [call, exchange] = (await readEntries(at)).filter(({ endpoint }) => endpoint !== 'auth').map(readBothEnds);
		expect(call?.parts.at(-1)).toMatchObject({ name: 'Authorization', isSent: false });
		expect(exchange?.parts.at(-1)).toMatchObject({ name: 'code_verifier', isSent: false });
	});

	test('contain no secret, and say what the service returned', async () => {
		const at = await createTestService().sandbox();
		const { tokens } = await at.exchange(await at.user().code());
		await at.character(tokens.access_token);
		const entries = await readEntries(at);
		const shown = entries.map((entry) => [readBothEnds(entry).parts, returnedFields(entry)]);
		expect(JSON.stringify(shown)).not.toContain(tokens.access_token);
		expect(JSON.stringify(shown)).not.toContain('viewer-secret');
		expect(entries.map((entry) => returnedFields(entry).map(({ name }) => name)).slice(-2)).toEqual([
			['access_token', 'expires_in', 'token_type', 'scope'],
			expect.arrayContaining(['name'])
		]);
	});
});
