import { expect, test } from 'vitest';
import { readCharacter, refreshWithBasic, standardTokens } from '../conformance/standard.ts';
import { createTestService } from '../service/test-service.ts';

test('of 20 parallel refreshes with one token one succeeds and nothing lives on, in each of 200 runs', async () => {
	const { sandbox, faults } = createTestService();
	const at = await sandbox();
	await at.changeSettings({ dialect: 'standard', limits: { character: 1_000_000 } });
	const user = at.user();
	for (let run = 0; run < 200; run++) {
		const { access_token, refresh_token } = await standardTokens(at, user);
		const responses = await Promise.all(Array.from({ length: 20 }, () => refreshWithBasic(at, refresh_token)));
		const succeeded = responses.filter(({ status }) => status === 200).map(({ tokens }) => tokens);
		expect(succeeded).toHaveLength(1);
		for (const token of [access_token, ...succeeded.map((tokens) => tokens.access_token)])
			expect((await readCharacter(at, token)).status).toBe(401);
		for (const tokens of succeeded)
			expect((await refreshWithBasic(at, tokens.refresh_token ?? '')).error).toBe('invalid_grant');
	}
	expect(faults).toEqual([]);
});
