import { findCheck } from '#api/logged-check.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { countText } from '#lib/count-text.ts';
import { spokenDuration } from '#lib/time-text.ts';
import { describeOutcome } from '#evidence/describe-exchange.ts';
import { countsOf, type Change } from './result-text.ts';

/**
 * What came of the requests of a step, in words: which one is shown, how old it is, and what the service checked.
 * @param age in seconds
 * @param resource what the world calls its resource
 * @param changes what of the newest request is not as it would be sent now
 */
export function summaryOf(
	attempts: readonly TrafficEntry[],
	age: number,
	resource: string,
	changes: readonly Change[] = []
): string {
	const newest = attempts.at(-1);
	if (newest === undefined) return '';
	const ago = age < 60 ? `${age} s ago` : `${spokenDuration(age * 1000)} ago`;
	if (changes.length > 0)
		return `Of this step, ${ago}. Its ${changes.map(({ name, was }) => `\`${name}\` was \`${was}\``).join(', ')}.`;
	const counts = new Map<string, number>(countsOf(attempts));
	// Sign-ins and token requests have no limit.
	if (attempts.length > 4 && newest.endpoint === 'character') {
		const silent = counts.get('no response') ?? 0;
		const unanswered = silent === 0 ? '' : `, ${silent} without a response`;
		const over = counts.get('rate limited') ?? 0;
		return `To the last of ${attempts.length} requests, ${ago}. ${counts.get('accepted') ?? 0} accepted, ${over} over the limit${unanswered}.`;
	}
	const checks = newest.trace.filter(({ outcome }) => outcome !== 'failed');
	const last = checks.at(-1);
	const counted = `To this request, ${ago}. ${countText(checks.length, 'check')} passed`;
	if (last === undefined) return `${counted}.`;
	// The title of a check that responds is what would have followed.
	const responded = last.outcome === 'responded' ? findCheck(last.id)?.responds : undefined;
	return responded === undefined
		? `${counted}, the last one: ${last.name}.`
		: `${counted}. ${describeOutcome(newest, resource).short}.`;
}
