import type { TrafficEntry } from '#api/control/traffic.ts';
import { isResourceRequest, issued, refreshed } from '../exchanges.ts';
import { countOf } from '../rule.ts';
import { failedLine, isOfThisSite, once, type Seen, settled, type StepLog } from './step-log.ts';
import type { SignalRule } from './signal.ts';
import { CredentialHistory } from '../credential-history.ts';
import { factsOf } from '../facts.ts';

/** Ends of tokens, in words. */
const reasons = {
	exchanged: 'ended',
	replayed: 'ended, because a code was used twice',
	failed_exchange: 'ended, because an exchange failed',
	expired: 'expired',
	revoked: 'was revoked'
} as const;

/** Rejected requests with a token that this service issued, and why it ended. A client that has a new token since has reacted. */
function findDeadToken(log: StepLog): Seen | undefined {
	const renewed = log.entries.findLast((entry) => issued(entry, 'access_token') !== undefined)?.seq ?? 0;
	const rejected = log.failures.filter(
		(entry) =>
			entry.seq > renewed && ['access_token.known', 'access_token.not_revoked'].includes(failedLine(entry)?.id ?? '')
	);
	if (settled(log, rejected) === undefined) return undefined;
	const history = new CredentialHistory(log.all);
	const known = settled(
		log,
		rejected.filter((entry) => history.issueOf(factsOf(entry).credential?.id ?? '') !== undefined)
	);
	const last = known?.entries.at(-1);
	return known && last && { ...known, text: `The token ${reasonOf(history, last)}.` };
}

function reasonOf(history: CredentialHistory, entry: TrafficEntry): string {
	const id = factsOf(entry).credential?.id ?? '';
	const [end] = history.endsOf(id);
	const expires = history.issueOf(id)?.event.expires ?? Infinity;
	return end !== undefined && end.entry.at < expires ? reasons[end.event.reason] : reasons.expired;
}

function findPermission(log: StepLog): Seen | undefined {
	const found = once(log.failuresOf('character.scope_granted'));
	const last = found?.entries.at(-1);
	const expected = last && failedLine(last)?.expected;
	return found && (expected === undefined ? found : { ...found, text: `Lacks the permission ${expected}.` });
}

/** A name that exists, but was encoded twice or with a plus sign for a blank, and one that is no single path segment in UTF-8. */
function isEncodedWrongly(entry: TrafficEntry): boolean {
	const { id = '', cause = '', found = '' } = failedLine(entry) ?? {};
	if (id === 'character.exists') return cause === 'encoded_twice' || cause === 'plus_as_space';
	return id === 'character.name_valid' && (found.includes('/') || !isUtf8(found));
}

function isUtf8(encoded: string): boolean {
	try {
		decodeURIComponent(encoded);
		return true;
	} catch {
		return false;
	}
}

/** A call with the wrong scheme. It comes before the refresh, and the other signals of calls after it. */
export const schemeSignals = [
	{
		id: 'bearer',
		kind: 'mistake',
		title: 'Bearer instead of OAuth',
		text: 'Sends Bearer. Here it is OAuth.',
		section: '5.3',
		help: 'Send Authorization: OAuth and the access token.',
		find: (log) => once(log.failuresOf('access_token.sent_once', 'bearer_scheme'))
	}
] as const satisfies readonly SignalRule[];

/** Signals about calls of a resource. */
export const callSignals = [
	{
		id: 'token_dead',
		kind: 'mistake',
		title: 'The token ended',
		text: 'The token ended.',
		section: '5.4',
		help: 'Refresh the access token, or sign in again.',
		find: findDeadToken
	},
	{
		id: 'permission',
		kind: 'mistake',
		title: 'Permission missing',
		text: 'Lacks a permission.',
		section: '5.6',
		help: 'Request the permission in the authorization request.',
		find: findPermission
	},
	{
		id: 'name',
		kind: 'mistake',
		title: 'Name encoded wrongly',
		text: 'Encodes the name wrongly.',
		section: '4',
		help: 'Encode the name once, with encodeURIComponent.',
		find: (log) => once(log.failures.filter(isEncodedWrongly))
	}
] as const satisfies readonly SignalRule[];

/** A loop is over when its endpoint had no request for this long, in milliseconds. */
const loopEnds = 10_000;
const loopCalls = 10;
const loopWindow = 2000;
/** Requests that began at the same instant are no loop. How long they must go on, in milliseconds. */
const loopLasts = 1500;
const loopTurns = 4;

const isIgnored = (entry: TrafficEntry) =>
	entry.response === null && failedLine(entry)?.id === 'address.not_blacklisted';

/** The last requests to an endpoint in 2 seconds, if they are ten or more. */
function burstOf(entries: readonly TrafficEntry[], now: number): readonly TrafficEntry[] | undefined {
	const last = entries.at(-1);
	if (last === undefined || now - last.at > loopEnds) return undefined;
	const within = entries.filter(({ at }) => last.at - at <= loopWindow);
	return within.length < loopCalls ? undefined : within;
}

/** Ten requests to one endpoint, one after the other, in 2 seconds. */
function findBurst({ entries, now }: StepLog): Seen | undefined {
	for (const endpoint of new Set(entries.map((entry) => entry.endpoint))) {
		const sent = entries.filter((entry) => entry.endpoint === endpoint && !isOfThisSite(entry));
		const within = burstOf(sent, now);
		const [first, last] = [within?.[0], within?.at(-1)];
		if (within === undefined || first === undefined || last === undefined || last.at - first.at < loopLasts) continue;
		return { entries: within, text: `Sends ${Math.round(within.length / 2)} requests a second.` };
	}
	return undefined;
}

/** The load test of the viewer sends many requests on purpose. */
function findLoadTest({ entries, now }: StepLog): Seen | undefined {
	const sent = entries.filter((entry) => isResourceRequest(entry) && isOfThisSite(entry));
	const within = burstOf(sent, now);
	return within && { entries: within };
}

/** A rejected request and a refresh in turn. */
function findRefreshLoop({ entries, now }: StepLog): Seen | undefined {
	const turns: TrafficEntry[] = [];
	for (const entry of entries.toReversed()) {
		const isRejected = isResourceRequest(entry) && entry.response?.status === 401;
		const next = turns.at(-1);
		const fits = next === undefined || (isRejected ? refreshed(next) : !refreshed(next));
		if ((!isRejected && !refreshed(entry)) || !fits) break;
		turns.push(entry);
	}
	const [last] = turns;
	if (last === undefined || turns.length < 2 * loopTurns || now - last.at > loopEnds) return undefined;
	return { entries: turns.reverse(), text: 'Gets 401, refreshes, gets 401 again.' };
}

/** Signals about limits, faults and loops. They get worse without help. */
export const limitSignals = [
	{
		id: 'blacklisted',
		kind: 'mistake',
		title: 'Blacklisted',
		text: 'Blacklisted.',
		section: '3.3',
		help: 'Stop the client, then file a support ticket.',
		find: (log, { isBlacklisted = true }) => {
			if (!isBlacklisted || log.last === undefined || !isIgnored(log.last)) return undefined;
			const entries = log.entries.filter(isIgnored);
			return { entries, text: `Blacklisted. ${countOf(entries.length, 'request')} without a response.` };
		}
	},
	{
		id: 'fault_active',
		kind: 'mistake',
		title: 'A fault is active',
		text: 'A fault caused the error. It is not the student.',
		section: '',
		help: 'End the faults of the sandbox.',
		find: ({ lastFailure }, { hasFaults = true }) =>
			hasFaults && lastFailure !== undefined && failedLine(lastFailure)?.id.startsWith('fault.') === true
				? { entries: [lastFailure] }
				: undefined
	},
	{
		id: 'limit_reached',
		kind: 'mistake',
		title: 'Over the rate limit',
		text: 'Sent requests over the limit.',
		section: '8',
		help: 'Wait for the reset time of the response headers.',
		find: (log) => {
			const entries = log.failuresOf('rate_limit.not_exceeded', 'over_limit');
			if (entries.length < 3) return undefined;
			return { entries, text: `Sent ${countOf(entries.length, 'request')} over the limit.` };
		}
	},
	{
		id: 'loop',
		kind: 'mistake',
		title: 'A loop sends requests',
		text: 'Sends many requests a second.',
		section: '8',
		help: 'Stop the client, and send the next request after the response to this one.',
		find: (log) => findRefreshLoop(log) ?? findBurst(log)
	}
] as const satisfies readonly SignalRule[];

/** Many requests that are no mistake. */
export const loadSignals = [
	{
		id: 'load_test',
		kind: 'note',
		title: 'Load test',
		text: 'Runs the load test.',
		section: '8',
		help: 'The viewer sends these requests, to show the rate limit.',
		find: findLoadTest
	}
] as const satisfies readonly SignalRule[];
