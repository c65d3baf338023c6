import { expect, it } from 'vitest';
import { limiterNames } from '#limits/limiters-setup.ts';
import { runLimiters, type LimiterStep } from '#limits/run-limiter.ts';
import { questions, readQuestion } from '#limits/questions.ts';
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
