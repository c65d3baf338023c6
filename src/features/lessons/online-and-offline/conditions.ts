import type { TrafficEntry } from '#api/control/traffic.ts';
import { learner } from '../evaluation/common-conditions.ts';
import type { Condition, Context } from '../evaluation/condition.ts';
import {
	authorizationRequestOf,
	exchangedCode,
	issued,
	parameter,
	refreshedAfterExpiry,
	used
} from '#evidence/exchanges.ts';

const grantOf = (exchange: TrafficEntry) => issued(exchange, 'access_token')?.grant;
const hasRefreshToken = (exchange: TrafficEntry) => issued(exchange, 'refresh_token') !== undefined;

/** An installed application asks for offline access in the token request. */
function isOffline(exchange: TrafficEntry, before: readonly TrafficEntry[]): boolean {
	return [exchange, authorizationRequestOf(before, exchange)].some(
		(entry) => entry !== undefined && parameter(entry, 'access_type') === 'offline'
	);
}

/** An online exchange, which brings no refresh token. */
const isOnline = (entry: TrafficEntry, before: readonly TrafficEntry[]) =>
	exchangedCode(entry) && !hasRefreshToken(entry) && !isOffline(entry, before);

/** The exchanges before under the same grant: whether a refresh token is issued depends on it. */
const exchangesBefore = (entry: TrafficEntry, { before }: Context) =>
	before.filter((one) => exchangedCode(one) && grantOf(one) === grantOf(entry));

export const conditions: readonly Condition[] = [
	{
		id: 'online_exchanged',
		label: 'An online exchange brought no refresh token',
		unmet: 'Sign in with online access, which is the default, and exchange the code.',
		user: learner,
		shows: (entry, { before }) => isOnline(entry, before)
	},
	{
		id: 'first_offline_exchanged',
		label: 'The first offline exchange brought a refresh token',
		unmet: 'You have seen the online response. Sign the same user in again with access_type=offline.',
		user: learner,
		shows: (entry, context) =>
			exchangedCode(entry) &&
			hasRefreshToken(entry) &&
			exchangesBefore(entry, context).some((one) => isOnline(one, context.before))
	},
	{
		id: 'second_offline_exchanged',
		label: 'The second offline exchange brought none',
		unmet: 'The application has a refresh token. Sign the same user in once more with access_type=offline.',
		user: learner,
		shows: (entry, context) =>
			exchangedCode(entry) &&
			!hasRefreshToken(entry) &&
			isOffline(entry, context.before) &&
			exchangesBefore(entry, context).some(hasRefreshToken)
	},
	{
		id: 'refreshed_later',
		label: 'The application went on after all access tokens had expired',
		unmet:
			'No refresh after the access tokens expired yet. Move the clock by two hours, and use the refresh token of the first offline response.',
		user: learner,
		shows: (entry, { before }) => {
			const token = used(entry, 'refresh_token');
			const first = before.find((one) => exchangedCode(one) && issued(one, 'refresh_token')?.id === token);
			if (token === undefined || first === undefined || entry.grant === undefined) return false;
			return refreshedAfterExpiry([...before, entry], entry.grant).includes(entry);
		}
	}
];
