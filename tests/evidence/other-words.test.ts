import { expect, test } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { allRules } from '#evidence/all-rules.ts';
import { evaluateRules } from '#evidence/rule.ts';
import { buildRun } from '#evidence/run.ts';
import { refreshWithBasic, standardTokens } from '../conformance/standard.ts';
import { readEntries } from '../features/inspector/entries.ts';
import { createTestService } from '../service/test-service.ts';

const inOtherWords = (entries: readonly TrafficEntry[]): TrafficEntry[] =>
	entries.map((entry) => ({
		...entry,
		trace: entry.trace.map((line) =>
			line.id === 'token.refresh_token_not_used' ? { ...line, name: 'Other name', detail: 'Other words' } : line
		)
	}));

const keptToken = (entries: readonly TrafficEntry[]) =>
	evaluateRules(allRules, buildRun(entries, [])).find(({ rule }) => rule === 'token.keep_refresh_token')?.verdict;

test('finds a replaced refresh token that still works, whatever the words of the trace', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard', lifetimes: { rotation_grace: 30 } });
	const { refresh_token } = await standardTokens(at);
	await refreshWithBasic(at, refresh_token);
	await at.advance(5);
	expect((await refreshWithBasic(at, refresh_token)).status).toBe(200);
	const entries = await readEntries(at);
	expect(keptToken(entries)).toBe('failed');
	expect(keptToken(inOtherWords(entries))).toBe('failed');
});

test('accepts the next refresh token after each refresh', async () => {
	const at = await createTestService().sandbox();
	await at.changeSettings({ dialect: 'standard', lifetimes: { rotation_grace: 30 } });
	const { refresh_token } = await standardTokens(at);
	const { tokens } = await refreshWithBasic(at, refresh_token);
	await at.advance(5);
	await refreshWithBasic(at, tokens.refresh_token ?? '');
	expect(keptToken(await readEntries(at))).toBe('passed');
});
