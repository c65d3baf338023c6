import { limiters, type LimiterRun } from './limiters-setup.ts';
import { seconds } from './limiter-state.ts';

/** What a comparison shows. */
export type Explanation = { readonly finding: string; readonly reason: string };

/** The most requests that a limiter accepted within the length of a window, and in which time. */
export function densest({ algorithm, steps, policy }: LimiterRun): { readonly count: number; readonly span: number } {
	const times = steps.flatMap(({ request, decision, cost }) =>
		decision.isAccepted ? Array<number>(cost).fill(request.at) : []
	);
	if (algorithm === 'concurrency') return { count: 0, span: 0 };
	let found = { count: 0, span: 0 };
	for (const [index, from] of times.entries()) {
		const within = times.slice(index).filter((at) => at < from + policy.window);
		const span = (within.at(-1) ?? from) - from;
		if (within.length > found.count || (within.length === found.count && span < found.span))
			found = { count: within.length, span };
	}
	return found;
}

/** How many requests of the first ones a limiter accepted that came together. */
function atOnce(run: LimiterRun): number {
	const first = run.steps.findIndex(({ decision }) => !decision.isAccepted);
	return first === -1 ? run.steps.length : first;
}

/** What the limiters did, in at most three short sentences. */
export function explain(runs: readonly LimiterRun[]): Explanation {
	const [first] = runs;
	if (first === undefined) return { finding: '', reason: '' };
	const { limit, window } = first.policy;
	const passing = runs
		.map((run) => ({ run, ...densest(run) }))
		.sort((one, other) => other.count - one.count)
		.find(({ count }) => count > limit);
	const concurrency = runs.find((run) => run.algorithm === 'concurrency');
	if (concurrency !== undefined) {
		const rejected = concurrency.steps.length - acceptedOf(concurrency);
		return {
			finding: `While a slow request was in progress, ${rejected} of ${concurrency.steps.length} requests were rejected.`,
			reason: 'A limit of requests in progress counts how long each takes. The others count how many come.'
		};
	}
	const dear = first.steps.filter(({ cost }) => cost > 1);
	if (dear[0] !== undefined)
		return {
			finding: `${dear.length} searches cost as much as ${dear.length * dear[0].cost} reads.`,
			reason: `Rejected searches: ${runs.map((run) => `${nameOf(run)} ${run.steps.filter(({ cost, decision }) => cost > 1 && !decision.isAccepted).length}`).join(', ')}.`
		};
	const queue = runs.find(({ algorithm }) => algorithm === 'leaky_bucket');
	if (queue !== undefined) {
		const waits = queue.steps.map(({ decision }) => decision.delay);
		const delayed = waits.filter((wait) => wait > 0).length;
		const others = runs
			.filter((run) => run !== queue)
			.map((run) => `${nameOf(run)} ${atOnce(run)}`)
			.join(', ');
		return {
			finding: `The queue accepted ${acceptedOf(queue)} of ${queue.steps.length} requests, and ${delayed} of them waited up to ${seconds(Math.max(0, ...waits))}.`,
			reason:
				others === ''
					? 'A request that would wait longer than the queue is rejected.'
					: `Accepted before the first rejection: ${others}.`
		};
	}
	if (passing === undefined)
		return {
			finding: `No limiter accepted more than ${limit} requests in ${seconds(window)}.`,
			reason: 'They differ in which requests these are.'
		};
	const { run, count, span } = passing;
	const reasons: Readonly<Partial<Record<LimiterRun['algorithm'], string>>> = {
		fixed_window: 'The fixed window forgets everything at its reset. The others still count the requests before it.',
		token_bucket: 'The token bucket begins full, and is refilled meanwhile.'
	};
	return {
		finding: `${count} requests in ${seconds(span)} passed a limit of ${limit} per ${seconds(window)}.`,
		reason: reasons[run.algorithm] ?? `${limiters[run.algorithm]} accepted them.`
	};
}

/** In a sentence: `fixed window`. */
export function nameOf({ algorithm }: Pick<LimiterRun, 'algorithm'>): string {
	const [name = ''] = limiters[algorithm].split(',');
	return /^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

/** What the limiters have done so far: `At 72 s: fixed window accepted 20, sliding log 10.` @param now milliseconds after the beginning */
export function acceptedText(runs: readonly LimiterRun[], now: number): string {
	if (runs.length === 0) return '';
	const counts = runs.map((run, index) => `${nameOf(run)} ${index === 0 ? 'accepted ' : ''}${acceptedOf(run, now)}`);
	return `At ${seconds(Math.floor(now / 1000) * 1000)}: ${counts.join(', ')}.`;
}

/** How many requests a limiter accepted. @param until milliseconds after the beginning */
export function acceptedOf({ steps }: LimiterRun, until = Infinity): number {
	return steps.filter(({ request, decision }) => request.at <= until && decision.isAccepted).length;
}
