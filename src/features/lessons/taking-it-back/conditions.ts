import type { TrafficEntry } from '#api/control/traffic.ts';
import { CredentialHistory } from '#evidence/credential-history.ts';
import type { Condition, Evidence } from '../evaluation/condition.ts';
import {
	bestOf,
	endedGrants,
	failedAt,
	grantsIn,
	inOrder,
	isResourceRequest,
	issued,
	issuedCode,
	refreshedAfterExpiry,
	type Steps
} from '#evidence/exchanges.ts';

/** Whether a refresh token of a grant was sent, and rejected because it no longer exists. */
function isRefreshRejected(entries: readonly TrafficEntry[], grant: string, entry: TrafficEntry): boolean {
	const isRejected = failedAt(entry, 'token.refresh_token_known') || failedAt(entry, 'token.refresh_token_active');
	const history = new CredentialHistory(entries);
	const events = entry.values.map(({ id }) => history.issueOf(id)?.event);
	return isRejected && events.some((event) => event?.kind === 'refresh_token' && event.grant === grant);
}

const endedAt = (endpoint: string, grant: string) => (entry: TrafficEntry) =>
	entry.endpoint === endpoint && endedGrants(entry).includes(grant);

function stepsOfApplication(entries: readonly TrafficEntry[], grant: string): Steps {
	const [later] = refreshedAfterExpiry(entries, grant);
	const revoked = entries.find(endedAt('revoke', grant));
	const isRejected = (entry: TrafficEntry) => isRefreshRejected(entries, grant, entry);
	const rejected = inOrder(entries, (entry) => entry === revoked, isRejected);
	return [later && [later], revoked && [revoked], rejected?.slice(1)];
}

function stepsOfUser(entries: readonly TrafficEntry[], grant: string): Steps {
	const revoked = entries.find(endedAt('account', grant));
	// An expired access token is rejected too, by another check.
	const isAccessRejected = (entry: TrafficEntry) =>
		isResourceRequest(entry) && entry.grant === grant && failedAt(entry, 'access_token.not_revoked');
	const isRejected = (entry: TrafficEntry) => isAccessRejected(entry) || isRefreshRejected(entries, grant, entry);
	const rejected = inOrder(entries, (entry) => entry === revoked, isRejected);
	return [revoked && [revoked], rejected?.slice(1)];
}

/** A step of the best grant. A grant ends once, so the two halves of the lesson need two grants. */
const step = (stepsOf: typeof stepsOfUser, index: number) => (attempt: Evidence) =>
	bestOf(grantsIn(attempt.entries), (grant) => stepsOf(attempt.entries, grant))[index];

export const conditions: readonly Condition[] = [
	{
		id: 'offline_allowed',
		label: 'A user allowed access',
		unmet: 'No user has allowed access yet. Sign in offline.',
		shownBy: ({ entries }) => {
			const found = entries.find(issuedCode);
			return found && [found];
		}
	},
	{
		id: 'copy_made',
		label: 'The application got a refresh token',
		unmet: 'No application has a refresh token. Ask for offline access, and exchange the code.',
		shownBy: ({ entries }) => {
			const found = entries.find((entry) => issued(entry, 'refresh_token') !== undefined);
			return found && [found];
		}
	},
	{
		id: 'copy_refreshed',
		label: 'A copied refresh token worked after the access token had expired',
		unmet: 'Move the clock by two hours, and refresh with the refresh token.',
		shownBy: step(stepsOfApplication, 0)
	},
	{
		id: 'revoked_by_application',
		label: 'The application revoked its access',
		unmet: 'The refresh token still works. Revoke it through the application.',
		shownBy: step(stepsOfApplication, 1)
	},
	{
		id: 'copy_rejected',
		label: 'The service rejected the copied refresh token',
		unmet: 'The application revoked its access. Send the copied refresh token again.',
		shownBy: step(stepsOfApplication, 2)
	},
	{
		id: 'revoked_by_user',
		label: 'The user revoked the access of an application in the account settings',
		unmet: 'The copy is useless now. Sign in again, and revoke the access on the account page.',
		shownBy: step(stepsOfUser, 0)
	},
	{
		id: 'application_rejected',
		label: 'The service rejected a token of the application afterwards',
		unmet: 'The user revoked access. Let the application send one of its tokens.',
		shownBy: step(stepsOfUser, 1)
	}
];
