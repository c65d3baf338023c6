import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Condition, Evidence } from '../evaluation/condition.ts';
import {
	authorizationRequestOf,
	bestOf,
	exchangedCode,
	grantsIn,
	issued,
	parameter,
	refreshedAfterExpiry,
	used,
	type Steps
} from '#evidence/exchanges.ts';

/** Steps of one grant: whether a refresh token is issued depends on it. */
function stepsOf(entries: readonly TrafficEntry[], grant: string): Steps {
	const exchanges = entries.filter((entry) => exchangedCode(entry) && issued(entry, 'access_token')?.grant === grant);
	// An installed application says so in the token request.
	const isOffline = (exchange: TrafficEntry) =>
		[exchange, authorizationRequestOf(entries, exchange)].some(
			(entry) => entry !== undefined && parameter(entry, 'access_type') === 'offline'
		);
	const hasRefreshToken = (exchange: TrafficEntry) => issued(exchange, 'refresh_token') !== undefined;
	const online = exchanges.find((exchange) => !isOffline(exchange) && !hasRefreshToken(exchange));
	const first = exchanges.find(hasRefreshToken);
	if (first === undefined) return [online && [online]];
	const second = exchanges.find((one) => one.seq > first.seq && isOffline(one) && !hasRefreshToken(one));
	const refreshToken = issued(first, 'refresh_token')?.id;
	const later = refreshedAfterExpiry(entries, grant).find((entry) => used(entry, 'refresh_token') === refreshToken);
	return [online && [online], [first], second && [second], later && [later]];
}

const step = (index: number) => (attempt: Evidence) =>
	bestOf(grantsIn(attempt.entries), (grant) => stepsOf(attempt.entries, grant))[index];

export const conditions: readonly Condition[] = [
	{
		id: 'online_exchanged',
		label: 'An online exchange brought no refresh token',
		unmet: 'Sign in online, which is the default, and exchange the code.',
		shownBy: step(0)
	},
	{
		id: 'first_offline_exchanged',
		label: 'The first offline exchange brought a refresh token',
		unmet: 'You have seen the online response. Sign the same user in again with access_type=offline.',
		shownBy: step(1)
	},
	{
		id: 'second_offline_exchanged',
		label: 'The second offline exchange brought none',
		unmet: 'The application has a refresh token. Sign the same user in once more with access_type=offline.',
		shownBy: step(2)
	},
	{
		id: 'refreshed_later',
		label: 'The application went on after all access tokens had expired',
		unmet:
			'No refresh after the access tokens expired yet. Move the clock by two hours, and use the refresh token of the first offline response.',
		shownBy: step(3)
	}
];
