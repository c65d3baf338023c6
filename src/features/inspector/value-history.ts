import type { CheckId } from '#api/checks.ts';
import type { CredentialEvent, TrafficEntry } from '#api/control/traffic.ts';
import { dateText, timeText } from '#api/time-text.ts';

type Issued = Extract<CredentialEvent, { type: 'issued' }>;
type Ended = Extract<CredentialEvent, { type: 'ended' }>;

/** What the log knows about a code or token that the service no longer knows. */
export type History = { readonly cause: HistoryCause<Issued['kind']>; readonly text: string };

/** The kind that each of these checks looks for. */
const soughtKinds = {
	'token.code_known': 'code',
	'token.refresh_token_known': 'refresh_token',
	'revoke.token_known': 'refresh_token',
	'access_token.known': 'access_token'
} as const satisfies Readonly<Partial<Record<CheckId, Issued['kind']>>>;
const kindByCheck: ReadonlyMap<string, Issued['kind']> = new Map(Object.entries(soughtKinds));

export type SoughtKinds = typeof soughtKinds;

/** What the log can know of a value of each kind. Other kinds than codes are ended by requests as well. */
export type HistoryCause<Kind extends Issued['kind']> =
	| 'other_kind'
	| (Kind extends 'refresh_token' ? never : 'expired')
	| (Kind extends 'code' ? never : 'replayed' | 'revoked');

/**
 * Finds out from earlier exchanges why a code or token is unknown.
 * @param check that failed
 */
export function findHistory(entry: TrafficEntry, entries: readonly TrafficEntry[], check: string): History | undefined {
	const kind = kindByCheck.get(check);
	if (kind === undefined) return undefined;
	const before = entries.filter(({ seq }) => seq < entry.seq);
	const events = before.flatMap(({ id, credentials }) => credentials.map((event) => ({ event, id })));
	for (const { id, label } of entry.values) {
		const issued = events.find(({ event }) => event.type === 'issued' && event.id === id)?.event;
		if (issued?.type !== 'issued') continue;
		if (issued.kind !== kind) {
			const [sent, wanted] = [issued.kind, kind].map((one) => one.replace('_', ' '));
			return { cause: 'other_kind', text: `${label} was issued as ${sent}, not as ${wanted}.` };
		}
		const end = events.find(({ event }) => event.type === 'ended' && endsIt(event, issued));
		if (end?.event.type === 'ended') return ended(end.event, label, end.id);
		if (issued.expires !== undefined && issued.expires <= entry.at) {
			const [expired, sent] = [issued.expires, entry.at].map((at) => `${dateText(at)}, ${timeText(at)} UTC`);
			return {
				cause: 'expired',
				text: `${label} expired at ${expired}. The request came at ${sent}, by the sandbox clock.`
			};
		}
	}
	return undefined;
}

function endsIt({ kind, id }: Ended, issued: Issued): boolean {
	if (kind === 'family') return id === issued.family;
	return kind === 'grant' ? id === issued.grant : id === issued.id && kind === 'refresh_token';
}

function ended({ reason }: Ended, label: string, request: string): History | undefined {
	if (reason !== 'revoked' && reason !== 'replayed') return undefined;
	const text = reason === 'revoked' ? 'was revoked' : 'ended with the second use of its code';
	return { cause: reason, text: `${label} ${text} by request ${request}.` };
}
