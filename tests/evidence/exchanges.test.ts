import { afterEach, expect, it, vi } from 'vitest';
import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { algorithmOf, issued, refreshedAfterExpiry } from '#evidence/exchanges.ts';
import { openLesson } from '../course/lessons/lesson-sandbox.ts';
import { createTestService } from '../service/test-service.ts';

afterEach(() => vi.unstubAllGlobals());

/** How many refreshes come after the expiry, one after each of these waits in milliseconds. */
async function refreshesAfterExpiry(...waits: number[]): Promise<number> {
	const tested = createTestService();
	const { client, evidence } = await openLesson({}, tested.transport);
	const refresh_token = (await client.signIn({ access_type: 'offline' })).field('refresh_token');
	for (const wait of waits) {
		tested.clock += wait;
		await client.refresh(refresh_token);
	}
	const { entries } = await evidence();
	const grant = entries.flatMap((entry) => issued(entry, 'refresh_token')?.grant ?? [])[0];
	return refreshedAfterExpiry(entries, grant ?? '').length;
}

it.each([
	[0, 0],
	[1_000_000, 0],
	[3_919_999, 0],
	[3_920_000, 1]
])('a refresh %i ms after the sign-in counts %i times as one after the expiry', async (wait, count) => {
	expect(await refreshesAfterExpiry(wait)).toBe(count);
});

it('a refresh does not put off the expiry', async () => {
	expect(await refreshesAfterExpiry(2_000_000, 1_920_000)).toBe(1);
});

it.each(limitAlgorithmNames)(
	'the algorithm %s is read from a fact, and from no words of a trace',
	async (limit_algorithm) => {
		const { client, evidence } = await openLesson(
			{ start: { settings: { limit_algorithm } } },
			createTestService().transport
		);
		await client.character((await client.signIn()).field('access_token'));
		const last = (await evidence()).entries.findLast(({ endpoint }) => endpoint === 'character');
		const trace = last?.trace.map((line) => ({ ...line, name: '', detail: '' })) ?? [];
		expect(last && algorithmOf({ ...last, trace })).toBe(limit_algorithm);
	}
);
