import { countText } from '#lib/count-text.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { factsOf, requestHeader } from '#evidence/facts.ts';
import { rateLimitOf, responseHeader } from '#evidence/rate-limit-headers.ts';
import { isRejected } from '#evidence/rules/used-windows.ts';
import type { FleetFinding } from './fleet-finding.ts';
import type { FleetOutcome } from './fleet.ts';

/** A request of the user's own client, as the service recorded it. */
export type OwnRequest = {
	/** When it arrived, in milliseconds after the first one. */
	readonly at: number;
	readonly outcome: FleetOutcome;
	/** Of a rejection: when the limit is reset, in milliseconds after the first request. */
	readonly reset: number | undefined;
};

/** The user's own client: the latest one that sent requests to the sandbox. */
export type OwnClient = {
	readonly address: string;
	readonly agent: string;
	/** `X-Request-Id` of the latest response. */
	readonly latest: string;
	/** The header that says when to retry. */
	readonly header: 'Retry-After' | 'X-RateLimit-Reset';
	/** Oldest first. */
	readonly requests: readonly OwnRequest[];
};

/** After a longer time without requests, a client starts from the beginning. In milliseconds. */
const longestPause = 600_000;
/** As much is shown, in milliseconds and requests. */
const longestRun = 3_600_000;
const mostRequests = 2000;
/** Resets are whole seconds, so a retry can be as much before its time, in milliseconds. */
const rounding = 1000;

/**
 * The user's own client in the log of a sandbox. The pages of the service are no such client.
 * @param entries oldest first
 */
export function ownClientOf(entries: readonly TrafficEntry[]): OwnClient | undefined {
	const calls = entries.slice(-2 * mostRequests).filter(isOwnCall);
	const last = calls.at(-1);
	if (last === undefined) return undefined;
	const agent = agentOf(last);
	const same = calls.filter((entry) => entry.address === last.address && agentOf(entry) === agent).slice(-mostRequests);
	const begins = same.map((entry) => factsOf(entry).begin);
	const gap = begins.findLastIndex((begin, index) => begin - (begins[index - 1] ?? begin) > longestPause);
	const run = same.slice(Math.max(0, gap)).filter((entry) => factsOf(entry).begin > last.at - longestRun);
	const first = factsOf(run[0] ?? last).begin;
	return {
		address: last.address,
		agent: agent.split(/[ /]/, 1)[0] || 'unknown',
		latest: last.id,
		header: run.some((entry) => responseHeader(entry, 'retry-after') !== undefined)
			? 'Retry-After'
			: 'X-RateLimit-Reset',
		requests: run.map((entry) => {
			const outcome = outcomeOf(entry);
			const reset = outcome === 'rejected' ? rateLimitOf(entry)?.reset : undefined;
			return {
				at: Math.max(0, factsOf(entry).begin - first),
				outcome,
				reset: reset === undefined ? undefined : reset * 1000 - first
			};
		})
	};
}

const agentOf = (entry: TrafficEntry): string => requestHeader(entry, 'user-agent') ?? '';

function isOwnCall(entry: TrafficEntry): boolean {
	return factsOf(entry).kind === 'call' && requestHeader(entry, 'sec-fetch-site') !== 'same-origin';
}

function outcomeOf(entry: TrafficEntry): FleetOutcome {
	if (entry.response === null) return 'blacklisted';
	return isRejected(factsOf(entry)) ? 'rejected' : 'accepted';
}

/** What the client did with its rejections, and what it should do. */
export function ownFinding({ requests, header }: OwnClient): FleetFinding & { readonly isWrong: boolean } {
	const rejected = requests.filter(({ outcome }) => outcome === 'rejected').length;
	const counts = `${rejected.toLocaleString('en')} of its ${countText(requests.length, 'request')} were rejected`;
	const waits = waitsOf(requests);
	const early = waits.filter(({ after }) => after < -rounding);
	if (requests.at(-1)?.outcome === 'blacklisted') {
		return {
			isWrong: true,
			title: 'Its address is blacklisted',
			text: `${counts}, and since then it gets no response.`,
			advice: 'This does not expire. Remove the entry on the page of the blacklist, or file a support ticket.'
		};
	}
	if (early.length > 0) {
		return {
			isWrong: true,
			title: `It ignores ${header}`,
			text: `It retries ${intervalText(early.map(({ wait }) => wait))}. ${counts}, and each one counted toward the blacklist.`,
			advice: `Read \`${header}\`, wait until then, and add a random time.`
		};
	}
	if (rejected === 0) {
		const text = `All ${countText(requests.length, 'request')} of your client were accepted. Send more to see what it does at the limit.`;
		return { isWrong: false, title: 'It has not reached the limit', text };
	}
	if (waits.length === 0) {
		const text = `${counts}. It has not tried again yet, which is right before the reset.`;
		return { isWrong: false, title: 'It waits', text };
	}
	if (waits.every(({ after }) => after <= rounding)) {
		return {
			isWrong: true,
			title: 'It returns at the reset',
			text: `${counts}. It retries within a second of the reset, together with every client that read the same time.`,
			advice: 'Wait for the reset, then add a random time.'
		};
	}
	return { isWrong: false, title: 'It waits for the reset', text: `${counts}, and no retry came before the reset.` };
}

/** How long the client waited after each rejection, and how long after the reset it was back. In milliseconds. */
function waitsOf(requests: readonly OwnRequest[]): { readonly wait: number; readonly after: number }[] {
	return requests.flatMap(({ at, reset }, index) => {
		const next = requests[index + 1];
		return next === undefined || reset === undefined ? [] : { wait: next.at - at, after: next.at - reset };
	});
}

/** `every 5 s`, `after 0.2 to 9 s`. @param waits in milliseconds */
function intervalText(waits: readonly number[]): string {
	const seconds = (milliseconds: number) => `${Number((milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0))}`;
	const sorted = waits.toSorted((a, b) => a - b);
	const [least = 0, middle = 0, most = 0] = [0, 0.5, 0.9].map((part) => sorted[Math.floor(part * sorted.length)]);
	if (most - least <= Math.max(300, middle * 0.2)) return `every ${seconds(middle)} s`;
	return `after ${seconds(least)} to ${seconds(sorted.at(-1) ?? 0)} s`;
}
