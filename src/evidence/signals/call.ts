import type { TrafficEntry } from '#api/control/traffic.ts';
import { CredentialHistory } from '../credential-history.ts';
import { factsOf } from '../facts.ts';
import { failedLine, once, repeated, type Seen, type StepLog } from './step-log.ts';
import type { SignalRule } from './signal.ts';

/** Ends of tokens, in words. */
const reasons = {
	exchanged: 'ended',
	replayed: 'ended, because a code was used twice',
	failed_exchange: 'ended, because an exchange failed',
	expired: 'expired',
	revoked: 'was revoked'
} as const;

/** Rejected calls with a token that this service issued, and why it ended. */
function findDeadToken(log: StepLog): Seen | undefined {
	const rejected = log.failures.filter((entry) =>
		['access_token.known', 'access_token.not_revoked'].includes(failedLine(entry)?.id ?? '')
	);
	if (repeated(rejected).length === 0) return undefined;
	const history = new CredentialHistory(log.all);
	const known = repeated(
		rejected.filter((entry) => history.issueOf(factsOf(entry).credential?.id ?? '') !== undefined)
	);
	const last = known.at(-1);
	return last && { entries: known, text: `The token ${reasonOf(history, last)}.` };
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

/** A path that was encoded twice, or with a plus sign for a blank. */
const isEncodedWrongly = (entry: TrafficEntry) => {
	const check = failedLine(entry)?.id;
	const path = entry.request.target.split('?')[0] ?? '';
	return check === 'character.name_valid' || (check === 'character.exists' && /%25|\+/.test(path));
};

/** A call with the wrong scheme. It comes before the refresh, and the other signals of calls after it. */
export const schemeSignals = [
	{
		id: 'bearer',
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
		title: 'The token ended',
		text: 'The token ended.',
		section: '5.4',
		help: 'Refresh the access token, or sign in again.',
		find: findDeadToken
	},
	{
		id: 'permission',
		title: 'Permission missing',
		text: 'Lacks a permission.',
		section: '5.6',
		help: 'Request the permission in the authorization request.',
		find: findPermission
	},
	{
		id: 'name',
		title: 'Name encoded wrongly',
		text: 'Encodes the name wrongly.',
		section: '4',
		help: 'Encode the name once, with encodeURIComponent.',
		find: (log) => once(log.failures.filter(isEncodedWrongly))
	}
] as const satisfies readonly SignalRule[];
