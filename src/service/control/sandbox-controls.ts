import { type Clock, clockApi, maxTimestamp, type UpcomingEvent, type UpcomingEvents } from '#api/control/clock.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { type ControlContext, implement } from './control-endpoint.ts';
import { requireOwnApi } from './own-world.ts';
import { faultsApi } from '#api/control/faults.ts';
import { activeFaults, addFault, deleteFaults } from '../sandbox/faults.ts';
import { pauseApi } from '#api/control/pause.ts';
import { defaultSettings, settingsApi } from '#api/control/settings.ts';
import { mergeSettings } from '../world/seed.ts';
import { testCardsApi } from '#api/control/test-cards.ts';
import { allTestCards } from '../sandbox/test-card-list.ts';
import { type SigningKeys, signingKeysApi } from '#api/control/signing-keys.ts';
import { listSigningKeys, rotateSigningKey } from '../identity/signing-keys.ts';
import type { AccessToken, AuthorizationCode, SigningKey } from '../sandbox/records.ts';
import { limitedIn, nameOf, patternOf } from '../checks/rate-limit.ts';
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
async function listUpcomingEvents(context: Context): Promise<UpcomingEvents> {
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

/** The sandbox clock, and what happens by it. */
export const clockEndpoints = implement(clockApi, {
	'GET /control/clock': (context) => clockOf(context),
	'POST /control/clock': async (context, { body }) => {
		const real = context.now() - context.sandbox.state.offset;
		const state = await context.sandbox.updateState((now) => {
			const offset = 'advance' in body ? now.offset + body.advance * 1000 : body.to * 1000 - real;
			// A clock that has reached the latest instant runs on.
			return { ...now, offset: Math.max(now.offset, Math.min(offset, maxTimestamp - real)) };
		});
		if ('to' in body && Math.floor((real + state.offset) / 1000) > body.to) {
			throw new ProtocolError('invalid_request', 'The clock only moves forward, and this instant is in the past.', {
				field: 'to'
			});
		}
		return clockOf(context);
	},
	// Records that expired stay expired, and the others keep the time they have left.
	'DELETE /control/clock': async (context) => {
		await context.sandbox.returnToRealTime();
		return clockOf(context);
	},
	'GET /control/events': listUpcomingEvents
});

function clockOf(context: Context): Clock {
	return { now: context.now(), offset: context.sandbox.state.offset };
}

/** Errors on purpose. */
export const faultsEndpoints = implement(faultsApi, {
	'GET /control/faults': (context) => activeOf(context),
	'POST /control/faults': async ({ sandbox, options }, { body: fault }) => {
		if (fault.client_id !== undefined && (await sandbox.store.get('application', fault.client_id)) === undefined)
			throw new ProtocolError('invalid_request', 'client_id: No application has this client_id.', {
				field: 'client_id'
			});
		return addFault(sandbox, options, fault);
	},
	'DELETE /control/faults': async (context) => {
		await deleteFaults(context.sandbox);
		return activeOf(context);
	},
	// It may have ended in the meantime.
	'DELETE /control/faults/{id}': async (context, { path: { id } }) => {
		await deleteFaults(context.sandbox, id);
		return activeOf(context);
	}
});

function activeOf({ sandbox, options }: ControlContext) {
	return { faults: activeFaults(sandbox, options) };
}

/** Messages that wait for a decision. */
export const pauseEndpoints = implement(pauseApi, {
	'GET /control/pause': ({ pauses, sandbox }) => pauses.find(sandbox.id)?.view ?? nothing,
	'PUT /control/pause': ({ pauses, sandbox, networkAddress }, { body }) =>
		pauses.set(sandbox, networkAddress, body.points).view,
	'POST /control/pause/{id}': ({ pauses, sandbox }, { body, path: { id } }) => pauses.decide(sandbox.id, id, body)
});

const nothing = { points: [], held: [], passed: 0 };

/** Lifetimes, limits and switches. */
export const settingsEndpoints = implement(settingsApi, {
	'GET /control/settings': ({ sandbox }) =>
		// One that an earlier version stored lacks the settings that were added since.
		mergeSettings(defaultSettings, sandbox.state.settings),
	'PATCH /control/settings': async ({ sandbox }, { body }) => {
		requireOwnApi(body, sandbox.seed.world, 'dialect');
		const state = await sandbox.updateState((now) => ({ ...now, settings: mergeSettings(now.settings, body) }));
		return mergeSettings(defaultSettings, state.settings);
	}
});

export const testCardsEndpoints = implement(testCardsApi, {
	'GET /control/test-cards': ({ sandbox }) => ({ enabled: sandbox.state.settings.test_cards, cards: allTestCards })
});

/** The keys that sign ID tokens. Only what is public leaves the service. */
export const signingKeysEndpoints = implement(signingKeysApi, {
	'GET /control/signing_keys': async (context) => describe(await listSigningKeys(context)),
	'POST /control/signing_keys': async (context, { body: { alg } }) => describe(await rotateSigningKey(context, alg))
});

function describe(keys: readonly SigningKey[]): SigningKeys {
	return { keys: keys.map(({ kid, alg, created }) => ({ kid, alg, created })) };
}
