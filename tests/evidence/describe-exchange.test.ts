import { describe, expect, test } from 'vitest';
import type { CheckRow } from '#api/check-table/check-row.ts';
import { checkRows, sharedCauses } from '#api/check-table/check-table.ts';
import { describeOutcome } from '#evidence/describe-exchange.ts';
import { createTestService } from '../service/test-service.ts';
import { readEntries } from '../features/inspector/entries.ts';
import { recordFlow } from '../features/inspector/record-flow.ts';
import { timelineEntry } from '../features/inspector/timeline-entry.ts';

/** A rejected request, with the check that failed. */
const rejected = (id: string, cause?: string) =>
	timelineEntry(1, {
		response: { status: 400, headers: [], body: '{"error":"invalid_grant"}' },
		trace: [
			{
				id,
				name: id,
				section: '',
				outcome: 'failed',
				detail: '',
				duration_us: 1,
				...(cause === undefined ? {} : { cause })
			}
		]
	});

describe('the outcome of an exchange', () => {
	test('is worded for every check and cause', () => {
		for (const [id, row] of Object.entries<CheckRow>(checkRows)) {
			const causes = 'causes' in row ? (row.causes ?? [undefined]) : 'failed' in row ? [undefined] : [];
			for (const cause of causes) {
				const { text, short } = describeOutcome(rejected(id, cause), 'character');
				expect(short, `${id} ${cause ?? ''}`).toMatch(/^[A-Za-z][^.{}]{5,45}$/);
				expect(text).toMatch(/^invalid_grant · [a-z_A-Z]/);
			}
		}
		for (const cause of sharedCauses)
			expect(describeOutcome(rejected('token.code_known', cause)).short.toLowerCase()).not.toContain('unknown code');
	});

	test('is what a flow led to, step by step', async () => {
		const { entries } = await recordFlow(await createTestService().sandbox());
		expect(entries.map((entry) => describeOutcome(entry, 'character').text)).toEqual([
			'Sign-in page shown',
			'Signed in',
			'Consent page shown',
			'Code issued',
			'Tokens issued',
			'Character returned',
			'No such character',
			'invalid_token · unknown or expired access token',
			'Access token issued',
			'Rate limits returned',
			'invalid_grant · unknown code',
			'Code issued',
			'invalid_grant · different redirect_uri'
		]);
	});

	test('names a denial, a rate limit, and a request without a response', async () => {
		const at = await createTestService().sandbox();
		const user = at.user();
		await user.decide(await user.openConsent(), 'deny');
		await at.changeSettings({ limits: { character: 0, blacklist_after_refused: 1 } });
		await at.get('/ws/v2.0/character/x');
		await expect(at.get('/ws/v2.0/character/x')).rejects.toThrow('missing');
		const texts = (await readEntries(at)).map((entry) => describeOutcome(entry));
		expect(texts.slice(-3)).toMatchObject([
			{ kind: 'rejected', text: 'access_denied · denied by the user' },
			{ kind: 'rejected', text: 'Rate limit exceeded, address now blacklisted' },
			{ kind: 'no_response', text: 'No response: address is blacklisted' }
		]);
	});

	test('of a check that this version does not know is its title', () => {
		expect(describeOutcome(rejected('newer')).short).toBe('Newer');
		expect(describeOutcome(rejected('constructor', 'constructor')).short).toBe('Constructor');
		const known = describeOutcome(rejected('token.code_known')).short;
		expect(describeOutcome(rejected('token.code_known', 'constructor')).short).toBe(known);
	});
});
