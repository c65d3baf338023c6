import type { TrafficEntry } from '#api/control/traffic.ts';
import { CredentialHistory } from '#evidence/credential-history.ts';
import { learner } from '../evaluation/common-conditions.ts';
import type { Condition, Context } from '../evaluation/condition.ts';
import {
	endedGrants,
	exchangedCode,
	failedAt,
	isResourceRequest,
	issued,
	issuedCode,
	refreshedAfterExpiry
} from '#evidence/exchanges.ts';

/** The grant of a refresh token that was sent, and rejected because it no longer exists. */
function rejectedRefresh(entry: TrafficEntry, before: readonly TrafficEntry[]): string | undefined {
	if (!failedAt(entry, 'token.refresh_token_known') && !failedAt(entry, 'token.refresh_token_active')) return undefined;
	const history = new CredentialHistory(before);
	const events = entry.values.map(({ id }) => history.issueOf(id)?.event);
	return events.find((event) => event?.kind === 'refresh_token')?.grant;
}

/** The grants that requests to an endpoint ended. */
const endedAt = (endpoint: string, entries: readonly TrafficEntry[]) =>
	entries.filter((entry) => entry.endpoint === endpoint).flatMap(endedGrants);

/** The grant of a refresh after all access tokens had expired. */
function refreshedLater(entry: TrafficEntry, before: readonly TrafficEntry[]): string | undefined {
	const { grant } = entry;
	return grant !== undefined && refreshedAfterExpiry([...before, entry], grant).includes(entry) ? grant : undefined;
}

/** The grants whose copy was refreshed, oldest first. */
const refreshedGrants = ({ before }: Context) =>
	before.flatMap((entry, at) => (entry.endpoint === 'token' ? (refreshedLater(entry, before.slice(0, at)) ?? []) : []));

export const conditions: readonly Condition[] = [
	{
		id: 'offline_allowed',
		label: 'A user allowed access',
		unmet: 'No user has allowed access yet. Sign in with offline access.',
		user: learner,
		shows: issuedCode
	},
	{
		id: 'copy_made',
		label: 'The application got a refresh token',
		unmet: 'No application has a refresh token. Ask for offline access, and exchange the code.',
		user: learner,
		shows: (entry) => issued(entry, 'refresh_token') !== undefined
	},
	{
		id: 'copy_refreshed',
		label: 'A copied refresh token worked after the access token had expired',
		unmet: 'Move the clock by two hours, and refresh with the refresh token.',
		shows: (entry, { before }) => refreshedLater(entry, before) !== undefined
	},
	{
		id: 'revoked_by_application',
		label: 'The application revoked its access',
		unmet: 'The refresh token still works. Revoke it through the application.',
		shows: (entry, context) => {
			const grants = endedAt('revoke', [entry]);
			return grants.length > 0 && refreshedGrants(context).some((grant) => grants.includes(grant));
		}
	},
	{
		id: 'copy_rejected',
		label: 'The service rejected the copied refresh token',
		unmet: 'The application revoked its access. Send the copied refresh token again.',
		shows: (entry, context) => {
			const grant = rejectedRefresh(entry, context.before);
			if (grant === undefined || !endedAt('revoke', context.before).includes(grant)) return false;
			return refreshedGrants(context).includes(grant);
		}
	},
	{
		id: 'revoked_by_user',
		label: 'The user revoked the access in the account',
		unmet: 'The copy is useless now. Sign in again, and revoke the access on the account page.',
		why: (last) =>
			exchangedCode(last) ? 'The application has access again. Open the account, and revoke it there.' : undefined,
		user: learner,
		shows: (entry) => endedAt('account', [entry]).length > 0
	},
	{
		id: 'application_rejected',
		label: 'The service rejected a token of the application afterwards',
		unmet: 'The user revoked access. Let the application send one of its tokens.',
		shows: (entry, { before }) => {
			// An expired access token is rejected too, by another check.
			const isAccess = isResourceRequest(entry) && failedAt(entry, 'access_token.not_revoked');
			const grant = isAccess ? entry.grant : rejectedRefresh(entry, before);
			return grant !== undefined && endedAt('account', before).includes(grant);
		}
	}
];
