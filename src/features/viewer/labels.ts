import type { SignedInUser } from '#client/storage/schema.ts';
import { spokenDuration } from '#lib/time-text.ts';

/** Response formats of the service. */
export const formats = [
	{ value: 'json', label: 'JSON' },
	{ value: 'xml', label: 'XML' }
] as const;

/**
 * Age of a gauge, if it is older than a minute.
 * @param age since the last response, in milliseconds
 */
export function ageText(age: number): string | undefined {
	return age < 60_000 ? undefined : `Updated ${ago(age)}`;
}

/** Elapsed time as text: `just now`, `12 seconds ago`. */
export function ago(milliseconds: number): string {
	return milliseconds < 1500 ? 'just now' : `${spokenDuration(milliseconds - 999)} ago`;
}

/** Status of a signed-in user in one or two words. */
export function tokenStatus(user: SignedInUser): string {
	if (user.ended === 'session_expired') return 'Expired';
	if (user.ended === 'access_revoked') return 'Access revoked';
	if (user.ended === 'rejected_after_refresh') return 'Rejected';
	if (user.refresh_token !== null) return 'Offline access';
	return user.access_type === 'offline' ? 'No refresh token' : 'Online access';
}
