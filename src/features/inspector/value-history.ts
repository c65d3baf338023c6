import type { CheckId } from '#api/checks.ts';
import type { IssuedEvent, TrafficEntry } from '#api/control/traffic.ts';
import { exactTimeText } from '#lib/time-text.ts';
import { CredentialHistory, type End } from '#evidence/credential-history.ts';

/** What the log knows about a code or token that the service no longer knows. */
export type History = {
	readonly cause: (typeof historyCauses)[keyof typeof historyCauses][number];
	readonly text: string;
	/** The exchange that ended it. */
	readonly by?: TrafficEntry;
};

/** The kind that each of these checks looks for. */
export const soughtKinds = {
	'token.code_known': 'code',
	'token.refresh_token_known': 'refresh_token',
	'revoke.token_known': 'refresh_token',
	'access_token.known': 'access_token'
} as const satisfies Readonly<Partial<Record<CheckId, IssuedEvent['kind']>>>;
const kindByCheck: ReadonlyMap<string, IssuedEvent['kind']> = new Map<string, IssuedEvent['kind']>([
	...Object.entries(soughtKinds),
	// The service still knows this token.
	['access_token.not_revoked', 'access_token']
]);

/** What the log can know of a value of each kind. Other kinds than codes are ended by requests as well. */
export const historyCauses = {
	code: ['other_kind', 'expired'],
	refresh_token: ['other_kind', 'replayed', 'revoked'],
	access_token: ['other_kind', 'expired', 'replayed', 'revoked']
} as const;

/**
 * Finds out from earlier exchanges why a code or token is unknown.
 * @param check that failed
 */
export function findHistory(entry: TrafficEntry, entries: readonly TrafficEntry[], check: string): History | undefined {
	const kind = kindByCheck.get(check);
	if (kind === undefined) return undefined;
	const history = new CredentialHistory(entries.filter(({ seq }) => seq < entry.seq));
	for (const { id, label } of entry.values) {
		const issued = history.issueOf(id)?.event;
		if (issued === undefined) continue;
		if (issued.kind !== kind) {
			const [sent, wanted] = [issued.kind, kind].map((one) => one.replace('_', ' '));
			return { cause: 'other_kind', text: `${label} was issued as ${sent}, not as ${wanted}.` };
		}
		// The exchange of a code is what it is for.
		const end = history.endsOf(id).find(({ event }) => event.kind !== 'code');
		if (end !== undefined) return ended(end, label);
		if (issued.expires !== undefined && issued.expires <= entry.at) {
			const [expired, sent] = [issued.expires, entry.at].map(exactTimeText);
			return {
				cause: 'expired',
				text: `${label} expired at ${expired}. The request came at ${sent}, by the sandbox clock.`
			};
		}
	}
	return undefined;
}

function ended({ event: { reason }, entry }: End, label: string): History | undefined {
	if (reason !== 'revoked' && reason !== 'replayed') return undefined;
	const text = reason === 'revoked' ? 'was revoked' : 'ended with the second use of its code';
	return { cause: reason, text: `${label} ${text} at ${exactTimeText(entry.at)}, by request ${entry.id}.`, by: entry };
}
