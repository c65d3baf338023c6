import type { CodeModule } from '../code-parts.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { isObject, parseJson } from '#client/rate-limit/json-value.ts';
import { isTokenRequest, issued, parameter, succeeded } from '#evidence/exchanges.ts';
import type { Context } from '../evaluation/condition.ts';

const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const isExchange = (entry: TrafficEntry) => isTokenRequest(entry, grant) && succeeded(entry);

/** What introspection says of an active token that a token exchange issued. Undefined for any other response. */
function openedToken(entry: TrafficEntry, before: Context['before']) {
	const body = entry.endpoint === 'introspect' ? parseJson(entry.response?.body ?? '') : undefined;
	const sent = new Set(entry.values.map(({ id }) => id));
	const isExchanged = before.some(
		(one) => isExchange(one) && one.credentials.some(({ type, id }) => type === 'issued' && sent.has(id))
	);
	return isObject(body) && body['active'] === true && isExchanged ? body : undefined;
}

/** The new token names no one who acts. */
const isImpersonation = (entry: TrafficEntry) => issued(entry, 'access_token')?.actors?.length === 0;

const isOpened = (entry: TrafficEntry, { before }: Context, hasActor: boolean) => {
	const token = openedToken(entry, before);
	return token !== undefined && 'act' in token === hasActor;
};

export const conditions = {
	without_actor: {
		shows: (entry) => isExchange(entry) && isImpersonation(entry),
		why: (entry) =>
			isExchange(entry) && parameter(entry, 'actor_token') === undefined && !isImpersonation(entry)
				? 'The new token names the application, which may not leave itself out. Select Allow impersonation first.'
				: undefined
	},
	delegated: { shows: (entry, context) => isOpened(entry, context, true) },
	impersonated: {
		shows: (entry, context) => isOpened(entry, context, false),
		why: (entry, context) =>
			isOpened(entry, context, true)
				? 'This token names who acts. Select Allow impersonation in the step before, and exchange once more.'
				: undefined
	}
} satisfies CodeModule['conditions'];

export const comparisons = {
	opened: ({ shown }) => {
		const [one, other] = ['delegated', 'impersonated'].map((id) => parseJson(shown(id).at(-1)?.response?.body ?? ''));
		const valueOf = (token: ReturnType<typeof parseJson>, name: string) => {
			const value = isObject(token) ? token[name] : undefined;
			return value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
		};
		return ['sub', 'act', 'scope', 'aud'].map((name) => [name, valueOf(one, name), valueOf(other, name)]);
	}
} satisfies CodeModule['comparisons'];
