import { expect, it } from 'vitest';
import { limiterNames, type LimiterStep } from '#course/limits/engine/limiters-setup.ts';
import { runLimiters } from '#course/limits/engine/run-limiter.ts';
import { questions, readQuestion } from '#course/limits/engine/questions.ts';
import { streamNames, streams } from '#course/limits/engine/streams.ts';
import { algorithms } from '#service/limits/algorithms.ts';

const options = { baseUrl: 'https://tollgate.example', start: Date.UTC(2030, 0, 1, 10) };
const headerOf = ({ entry }: LimiterStep, name: string) =>
	entry.response?.headers.find(([other]) => other.toLowerCase() === name)?.[1];

it.each(questions.flatMap((one) => (one.view === 'limiters' ? [one] : [])))(
	'$id: every state is the one that the service decided by',
	async ({ setup }) => {
		const runs = await runLimiters({ ...setup, limiters: limiterNames }, options);
		for (const { algorithm, policy, steps } of runs) {
			expect(steps.length).toBeGreaterThan(10);
			for (const step of steps) {
				const { request, decision } = step;
				const status = step.entry.response?.status;
				expect([algorithm, request.at, status]).toEqual([algorithm, request.at, decision.isAccepted ? 200 : 429]);
				const takes = request.isSlow === true && decision.isAccepted ? 3000 : 0;
				expect(step.respondedAt).toBe(request.at + decision.delay + takes);
				if (algorithm === 'concurrency') continue;
				const view = algorithms[algorithm].view(decision.state, policy, options.start + request.at, 1);
				expect(Number(headerOf(step, 'x-ratelimit-remaining'))).toBe(view.remaining);
			}
		}
	}
);

it.each(streamNames)('the stream %s never goes back in time, for each limit and window', (stream) => {
	for (const window of [10, 60, 600])
		for (let limit = 2; limit <= 50; limit++) {
			const times = streams[stream].requests(limit, window * 1000).map(({ at }) => at);
			expect(Math.min(...times), `${limit}, ${window} s`).toBeGreaterThanOrEqual(0);
			expect(times.toSorted((one, other) => one - other)).toEqual(times);
		}
});

it.each([23, 30, 50])(
	'a burst with the limit %i: the status of each response is that of the decision',
	async (limit) => {
		const [question] = questions.flatMap((one) => (one.view === 'limiters' ? [one] : []));
		if (question === undefined) throw new Error('There is no such question.');
		const setup = { ...question.setup, stream: 'burst', limit, limiters: limiterNames } as const;
		for (const { algorithm, steps } of await runLimiters(setup, options))
			for (const { request, decision, entry } of steps)
				expect([algorithm, request.at, entry.response?.status]).toEqual([
					...[algorithm, request.at, decision.isAccepted ? 200 : 429]
				]);
	}
);

it('accepts twice the limit within a third of a window with a fixed window only', async () => {
	const edge = readQuestion(new URLSearchParams('question=edge-of-a-window'));
	if (edge.view !== 'limiters') throw new Error('It is a question of limiters.');
	const runs = await runLimiters(edge.setup, options);
	const late = (steps: readonly LimiterStep[]) =>
		steps.filter(({ request, decision }) => request.at > 40_000 && decision.isAccepted).length;
	const accepted = Object.fromEntries(runs.map(({ algorithm, steps }) => [algorithm, late(steps)]));
	expect(accepted['fixed_window']).toBe(19);
	expect(Math.max(...runs.slice(1).map(({ steps }) => late(steps)))).toBeLessThan(14);
});
