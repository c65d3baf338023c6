import { afterEach, expect, it, vi } from 'vitest';
import { bestOf, grantsIn, inOrder, refreshedAfterExpiry } from '#evidence/exchanges.ts';
import { timelineEntry } from '../features/inspector/timeline-entry.ts';
import { openLesson } from '../features/lessons/lesson-sandbox.ts';
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
	return refreshedAfterExpiry(entries, grantsIn(entries)[0] ?? '').length;
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

const [first, second, third] = [1, 2, 3].map((seq) => timelineEntry(seq, { username: seq === 2 ? 'two' : 'one' }));
const log = [first, second, third].filter((entry) => entry !== undefined);
const by = (name: string) => (entry: (typeof log)[number]) => entry.username === name;

it.each([
	[
		['one', 'two'],
		[1, 2]
	],
	[
		['one', 'one'],
		[1, 3]
	],
	[['two', 'two'], undefined],
	[['two', 'one', 'two'], undefined],
	[[], []]
])('exchanges of %j, one after the other, are %j', (names, found) => {
	expect(inOrder(log, ...names.map(by))?.map(({ seq }) => seq)).toEqual(found);
});

it('the best candidate meets most steps; of equal ones the oldest, and never steps of two', () => {
	const steps: Readonly<Record<string, readonly (typeof log | undefined)[]>> = {
		one: [log, undefined, undefined],
		two: [undefined, log, log.slice(1)],
		three: [log, log, undefined]
	};
	expect(bestOf(['one', 'two', 'three'], (name) => steps[name] ?? [])).toBe(steps.two);
	expect(bestOf([], () => [])).toEqual([]);
});
