import { respondJson } from '../responses.ts';
import { base64url } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import type { InjectedFault, SandboxState } from '../records.ts';
import type { Context } from '../context.ts';
import { maxTimestamp } from '../time.ts';
import { protectedEndpoint } from './control-endpoint.ts';
import { clockChange, newFault, settingsChange } from './schemas.ts';

/** How long an injected fault lasts at the most, in milliseconds of the real clock, and how many there may be. */
const faultLifetime = 60 * 60 * 1000;
const mostFaults = 20;

/** `GET clock`: what the sandbox clock shows, and how far it is ahead. */
export const readClock = protectedEndpoint((context) => clockOf(context));

/** `POST clock`: moves it forward, by seconds or to an instant. A past instant is `invalid_request`. */
export const moveClock = protectedEndpoint(async (context) => {
	const change = context.read(clockChange);
	const real = context.now() - context.sandbox.state.offset;
	const world = await context.sandbox.updateState((now) => {
		const offset = 'advance' in change ? now.offset + change.advance * 1000 : change.to * 1000 - real;
		// A clock that has reached the latest instant goes on by itself.
		return { ...now, offset: Math.max(now.offset, Math.min(offset, maxTimestamp - real)) };
	});
	if ('to' in change && Math.floor((real + world.offset) / 1000) > change.to) {
		throw new ProtocolError('invalid_request', 'The clock only moves forward, and this instant is in the past.');
	}
	return clockOf(context);
});

/** `GET settings`: lifetimes, limits, and whether the service is strict. */
export const readSettings = protectedEndpoint((context) => context.sandbox.state.settings);

/** `PATCH settings`: changes the parts that are sent. */
export const changeSettings = protectedEndpoint(async (context) => {
	const change = context.read(settingsChange);
	const world = await context.sandbox.updateState((now) => ({
		...now,
		settings: {
			lifetimes: { ...now.settings.lifetimes, ...change.lifetimes },
			limits: { ...now.settings.limits, ...change.limits },
			strict: change.strict ?? now.settings.strict
		}
	}));
	return world.settings;
});

/** `GET faults`: the faults that are still to come. */
export const listFaults = protectedEndpoint((context) => ({
	faults: liveFaults(context, context.sandbox.state).map(viewOf)
}));

/** `POST faults`: injects one, for an hour at the most. More than a sandbox takes are `limit_reached`. */
export const addFault = protectedEndpoint(async (context) => {
	const { endpoint, kind, status, delay_ms, times, after_commit } = context.read(newFault);
	const id = base64url(context.options.random(9));
	const until = context.options.now() + faultLifetime;
	const fault: InjectedFault = { id, endpoint, kind, status, delay: delay_ms, times, afterCommit: after_commit, until };
	const world = await context.sandbox.updateState((now) => {
		const faults = liveFaults(context, now);
		return { ...now, faults: faults.length < mostFaults ? [...faults, fault] : faults };
	});
	if (!world.faults.includes(fault))
		throw new ProtocolError('limit_reached', `A sandbox can have at most ${mostFaults} faults. Delete one first.`);
	return respondJson(context, 201, viewOf(fault));
});

/** `DELETE faults`, `DELETE faults/<id>`: takes all of them back, or one. */
export const clearFaults = protectedEndpoint(async (context) => {
	const id = context.segments[1];
	await context.sandbox.updateState((now) => ({
		...now,
		faults: id === undefined ? [] : now.faults.filter((fault) => fault.id !== id)
	}));
	return { faults: context.sandbox.state.faults.map(viewOf) };
});

function clockOf(context: Context): object {
	const { offset } = context.sandbox.state;
	return { now: context.now(), offset };
}

/** The faults that are still to come. */
export function liveFaults(context: Context, world: SandboxState): InjectedFault[] {
	return world.faults.filter((fault) => fault.times > 0 && fault.until > context.options.now());
}

function viewOf({ id, endpoint, kind, status, delay, times, afterCommit, until }: InjectedFault): object {
	const detail = kind === 'delay' ? { delay_ms: delay } : kind === 'status' ? { status } : {};
	return { id, endpoint, kind, ...detail, times, after_commit: afterCommit, until };
}
