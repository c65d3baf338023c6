import { answerJson } from '../responses.ts';
import { base64url } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import type { Fault, World } from '../records.ts';
import type { Call } from '../context.ts';
import { latestInstant } from '../time.ts';
import { control } from './control-endpoint.ts';
import { clockChange, newFault, settingsChange } from './schemas.ts';

/** How long an injected fault lasts at the most, in milliseconds of the real clock, and how many there may be. */
const faultLifetime = 60 * 60 * 1000;
const mostFaults = 20;

/** `GET clock`: what the sandbox clock shows, and how far it is ahead. */
export const readClock = control((call) => clockOf(call));

/** `POST clock`: moves it forward, by seconds or to an instant. A past instant is `invalid_request`. */
export const moveClock = control(async (call) => {
	const change = call.read(clockChange);
	const real = call.options.now();
	const world = await call.sandbox.set((now) => {
		const offset = 'advance' in change ? now.offset + change.advance * 1000 : change.to * 1000 - real;
		// A clock that has reached the latest instant goes on by itself.
		return { ...now, offset: Math.max(now.offset, Math.min(offset, latestInstant - real)) };
	});
	if ('to' in change && Math.floor((real + world.offset) / 1000) > change.to) {
		throw new ProtocolError('invalid_request', 'The clock moves forward only, and this instant is past.');
	}
	return clockOf(call);
});

/** `GET settings`: lifetimes, limits, and whether the service is strict. */
export const readSettings = control((call) => call.sandbox.world.settings);

/** `PATCH settings`: changes the parts that are sent. */
export const changeSettings = control(async (call) => {
	const change = call.read(settingsChange);
	const world = await call.sandbox.set((now) => ({
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
export const listFaults = control((call) => ({ faults: liveFaults(call, call.sandbox.world).map(viewOf) }));

/** `POST faults`: injects one, for an hour at the most. More than a sandbox takes are `limit_reached`. */
export const addFault = control(async (call) => {
	const { endpoint, kind, status, delay_ms, times, after_commit } = call.read(newFault);
	const id = base64url(call.options.random(9));
	const until = call.options.now() + faultLifetime;
	const fault: Fault = { id, endpoint, kind, status, delay: delay_ms, times, afterCommit: after_commit, until };
	const world = await call.sandbox.set((now) => {
		const faults = liveFaults(call, now);
		return { ...now, faults: faults.length < mostFaults ? [...faults, fault] : faults };
	});
	if (!world.faults.includes(fault))
		throw new ProtocolError('limit_reached', `A sandbox holds ${mostFaults} faults at the most.`);
	return answerJson(call, 201, viewOf(fault));
});

/** `DELETE faults`, `DELETE faults/<id>`: takes all of them back, or one. */
export const clearFaults = control(async (call) => {
	const id = call.segments[1];
	await call.sandbox.set((now) => ({
		...now,
		faults: id === undefined ? [] : now.faults.filter((fault) => fault.id !== id)
	}));
	return { faults: call.sandbox.world.faults.map(viewOf) };
});

function clockOf(call: Call): object {
	const { offset } = call.sandbox.world;
	return { now: call.now(), offset };
}

function liveFaults(call: Call, world: World): Fault[] {
	return world.faults.filter((fault) => fault.times > 0 && fault.until > call.options.now());
}

function viewOf({ id, endpoint, kind, status, delay, times, afterCommit, until }: Fault): object {
	const detail = kind === 'delay' ? { delay_ms: delay } : kind === 'status' ? { status } : {};
	return { id, endpoint, kind, ...detail, times, after_commit: afterCommit, until };
}
