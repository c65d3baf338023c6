import type { TrafficEntry } from '#api/control/traffic.ts';
import { describeOutcome } from '#evidence/describe-exchange.ts';
import { issued } from '#evidence/exchanges.ts';
import type { Message, Party } from './message.ts';

/** What a service recorded of a request, for its row. */
export function outcomeOf(entry: TrafficEntry, by: Party): Pick<Message, 'outcome' | 'tone' | 'rejection'> {
	const { response, trace, username = 'no user' } = entry;
	const failed = trace.findLast(({ outcome }) => outcome === 'failed');
	if (failed === undefined && response !== null)
		return { outcome: accepted(entry, username), tone: response.status < 400 ? 'ok' : 'error' };
	const { id = '', found, expected } = failed ?? { id: trace.at(-1)?.id };
	const outcome = describeOutcome(entry, 'character').short;
	return { outcome, tone: 'error', rejection: { id, by, found, expected } };
}

function accepted(entry: TrafficEntry, username: string): string {
	const { endpoint, response, trace } = entry;
	if (issued(entry, 'code') !== undefined) return `Code for ${username}`;
	if (issued(entry, 'access_token') !== undefined) return `Token of ${entry.username ?? entry.client_id ?? username}`;
	if (endpoint === 'character' || endpoint === 'userinfo') return username;
	if (/<title>Sign in/.test(response?.body ?? '')) return 'Sign-in page shown';
	if (/name="decision"/.test(response?.body ?? '')) return 'Consent page shown';
	if (endpoint === 'device_authorization') return 'Codes for a device';
	const detail = trace.at(-1)?.detail ?? '';
	const [, user, decision] = /^(.+): (approve|deny)\b/.exec(detail) ?? [];
	if (user === undefined) return detail === '' ? describeOutcome(entry, 'character').short : detail;
	return `${decision === 'deny' ? 'Denied' : 'Allowed'} by ${user}`;
}
