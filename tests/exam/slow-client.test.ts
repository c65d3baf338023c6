import { expect, it } from 'vitest';
import type { Mistake } from './mistakes.ts';
import { ReferenceClient } from './reference-client.ts';
import { takeExam } from './take-exam.ts';

// A program for each use, one at a time: it takes long to start.

/** The verdicts of the rules about the end of a window. @param seconds that each use takes */
async function judge(seconds: number, mistakes: readonly Mistake[]): Promise<Record<string, [string, string]>> {
	let last: Promise<unknown> = Promise.resolve();
	const { findings, probes } = await takeExam(
		(settings) => {
			const client = new ReferenceClient({ ...settings, mistakes });
			return {
				handle(request) {
					if (!request.target.startsWith('/me')) return client.handle(request);
					const start = () => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
					const response = last.then(start).then(() => client.handle(request));
					last = response;
					return response;
				}
			};
		},
		{ only: ['limit.stop_at_zero', 'limit.few_refused'] }
	);
	expect(probes?.filter(({ outcome }) => outcome === 'timed_out')).toEqual([]);
	return Object.fromEntries(findings.map(({ rule, verdict, text }) => [rule, [verdict, text]]));
}

it.each([1.2, 4.5])('finds that a client ignores the limit whose uses take %d s', async (seconds) => {
	expect(await judge(seconds, ['ignores the limit'])).toMatchObject({
		'limit.stop_at_zero': ['failed', expect.any(String)]
	});
});

it('finds that a client stops at the limit whose uses take 3 s', async () => {
	expect(await judge(3, [])).toMatchObject({
		'limit.stop_at_zero': ['passed', expect.any(String)],
		'limit.few_refused': ['passed', expect.any(String)]
	});
});

it('does not judge a client whose uses take 6 s, because each window ends before', async () => {
	for (const mistakes of [[], ['ignores the limit']] as const) {
		const judged = await judge(6, mistakes);
		expect(judged).toMatchObject({
			'limit.stop_at_zero': ['not_shown', expect.any(String)],
			'limit.few_refused': ['not_shown', expect.any(String)]
		});
	}
});
