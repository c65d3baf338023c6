import type { UpcomingEvent, UpcomingEvents } from '#api/control/clock.ts';
import { limitedIn, nameOf, patternOf } from '../checks/rate-limit.ts';
import type { Context } from '../core/context.ts';
import type { AccessToken, AuthorizationCode } from '../sandbox/records.ts';
import { activeGrant, grantOfActive } from '../token/tokens.ts';

/** How many events are returned, and how many records are looked at for them. */
const maxEvents = 50;
const maxChecked = 500;

/** A record that may lead to an event. */
type Candidate = {
	readonly at: number;
	/** Undefined: the record was used or revoked, so nothing happens. */
	readonly event: () => Promise<UpcomingEvent | undefined> | UpcomingEvent | undefined;
};

/** What will happen by the clock alone, soonest first. `more` may count records that were revoked since. */
export async function listUpcomingEvents(context: Context): Promise<UpcomingEvents> {
	const { store, state } = context.sandbox;
	const now = context.now();
	const latestReset = now + state.settings.limits.window * 1000;
	const [tokens, codes, windows] = await Promise.all([
		store.lowest('access_token', 'expires', now, maxChecked),
		store.lowest('code', 'validUntil', now, maxChecked),
		store.lowest('rate_limit_window', 'expires', now, maxChecked)
	]);
	const candidates: Candidate[] = [
		...tokens.records.map(([, token]) => ({ at: token.expires, event: () => tokenEvent(context, token) })),
		...codes.records.map(([, code]) => ({ at: code.validUntil, event: () => codeEvent(context, code) })),
		...windows.records.map(([key, window]) => {
			const at = window.algorithm === undefined ? Math.min(window.expires, latestReset) : window.expires;
			return { at, event: () => windowEvent(context, key, at) };
		})
	];
	candidates.sort((one, other) => one.at - other.at);
	const events: UpcomingEvent[] = [];
	let checked = 0;
	for (const candidate of candidates.slice(0, maxChecked)) {
		if (events.length === maxEvents) break;
		checked++;
		const event = await candidate.event();
		if (event !== undefined) events.push(event);
	}
	return { now, events, more: tokens.total + codes.total + windows.total - checked };
}

async function tokenEvent(context: Context, token: AccessToken): Promise<UpcomingEvent | undefined> {
	if ((await grantOfActive(context, token)) === undefined) return undefined;
	return { kind: 'access_token_expires', at: token.expires, ...(await ownersOf(context, token)) };
}

async function codeEvent(context: Context, code: AuthorizationCode): Promise<UpcomingEvent | undefined> {
	if (code.consumedBy !== undefined || (await activeGrant(context, code)) === undefined) return undefined;
	return { kind: 'code_expires', at: code.validUntil, ...(await ownersOf(context, code)) };
}

async function ownersOf(context: Context, { client_id, username }: Pick<AccessToken, 'client_id' | 'username'>) {
	const application = await context.store.get('application', client_id);
	return { client_id, application: application?.name ?? client_id, username };
}

/** @param key of the window; those that limit no resource lead to no event */
function windowEvent(context: Context, key: string, at: number): UpcomingEvent | undefined {
	const [resource = '', address = ''] = key.split(' ');
	const limited = limitedIn(context).find((one) => nameOf(one) === resource);
	return limited && { kind: 'window_resets', at, address, pattern: patternOf(limited) };
}
