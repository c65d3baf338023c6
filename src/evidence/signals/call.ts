import type { TrafficEntry } from '#api/control/traffic.ts';
import { CredentialHistory } from '../credential-history.ts';
import { issued } from '../exchanges.ts';
import { factsOf } from '../facts.ts';
import { failedLine, once, settled, type Seen, type StepLog } from './step-log.ts';
import type { SignalRule } from './signal.ts';

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
